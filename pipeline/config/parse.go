package config

import (
	"os"
	"path/filepath"
)

// Load reads the config in file, with the variables of the environment. A
// faulty text gives *Problems.
func Load(file string) (*Config, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return Parse(file, src, os.LookupEnv)
}

// Parse reads a config from src. file names it in messages and gives the
// folder of its relative paths; env looks variables up. A faulty text gives
// *Problems.
func Parse(file string, src []byte, env func(string) (string, bool)) (*Config, error) {
	p := newParser(file, env)
	doc := &document{Config: Config{File: file, Dir: filepath.Dir(file)}}
	if root := p.tree(src); root != nil {
		p.document(doc, root)
	}
	if len(p.problems.List) > 0 {
		p.problems.sort()
		return nil, &p.problems
	}
	doc.places = p.places
	return &doc.Config, nil
}
