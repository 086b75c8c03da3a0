package config

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

// maxSize is the size of the largest config, in MiB.
const maxSize = 16

// Load reads the config in file, with the environment variables of the process. If the config is
// invalid, the error is *Problems.
func Load(file string) (*Config, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, maxSize<<20+1))
	switch {
	case err != nil:
		return nil, err
	case len(src) > maxSize<<20:
		text := fmt.Sprintf("found more than %d MiB; expected a config", maxSize)
		return nil, newProblems(file, nil, []Problem{{Text: text}})
	}
	return Parse(file, src, os.LookupEnv)
}

// Parse reads a config from src. The name file is for messages, and its directory is the base of
// relative paths. The function env looks up variables. If the config is invalid, the error is
// *Problems.
func Parse(file string, src []byte, env func(string) (string, bool)) (*Config, error) {
	f := newCollector()
	f.src = strings.Split(string(src), "\n")
	doc := &document{Config: Config{File: file, Dir: filepath.Dir(file)}}
	named, asked := map[string]string{}, map[string]bool{}
	lookup := func(name string) (string, bool) {
		value, set := env(name)
		asked[name] = true
		if set {
			named[name] = value
		}
		return value, set
	}
	if root := parseTree(f, lookup, src); root != nil {
		f.positions[""] = root.position
		d := newDecoder(f)
		if root.kind != mappingNode {
			d.reportExpected(spot{node: root}, "a mapping with name, output, source and features")
		} else {
			d.decodeFields(spot{node: root}, reflect.ValueOf(doc).Elem())
			f.positions[""] = position{1, 1}
			c := checker{collector: f}
			c.checkDocument(doc, root)
		}
	}
	doc.positions, doc.text, doc.lines = f.positions, Text{file, string(src), named}, f.src
	doc.variables = slices.Sorted(maps.Keys(asked))
	if len(f.list) > 0 {
		problems := newProblems(file, f.src, f.list)
		problems.Rest = doc.rest(f)
		return nil, problems
	}
	return &doc.Config, nil
}
