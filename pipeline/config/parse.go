package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
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
	f := newFaults()
	f.src = strings.Split(string(src), "\n")
	doc := &document{Config: Config{File: file, Dir: filepath.Dir(file)}}
	named := map[string]string{}
	lookup := func(name string) (string, bool) {
		value, set := env(name)
		if set {
			named[name] = value
		}
		return value, set
	}
	if root := tree(f, lookup, src); root != nil {
		f.places[""] = root.place
		d := newDecoder(f)
		if root.kind != mappingNode {
			d.expected(spot{node: root}, "a mapping with name, output, source and features")
		} else {
			d.fields(spot{node: root}, reflect.ValueOf(doc).Elem())
			f.places[""] = place{1, 1}
			c := checker{faults: f}
			c.document(doc, root)
		}
	}
	doc.places, doc.text, doc.lines = f.places, Text{file, string(src), named}, f.src
	if len(f.list) > 0 {
		problems := newProblems(file, f.src, f.list)
		problems.Rest = doc.rest(f)
		return nil, problems
	}
	return &doc.Config, nil
}
