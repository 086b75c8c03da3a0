// Package config is the language in which a dataset is described: its Go
// types, a strict loader, defaults, checks, a canonical form, a digest and a
// JSON Schema.
//
// Load reads a file; a faulty one gives *Problems, all of them at once, each
// with its place:
//
//	c, err := config.Load("penguins.yaml")
//	var faults *config.Problems
//	if errors.As(err, &faults) { … }
//
// The text goes through these steps, and each sees what the one before made:
//
//	bytes ─tree─► nodes ─decode─► Config ─check─► Config ─Canonical─► text ─ConfigDigest─► sha256
//	      yaml.v3,       Go types,        what keys
//	      variables,     defaults,        mean together
//	      duplicates     reserved keys
//
// The tags of the Go types are the language: `yaml` names a key, `default`
// what it is when absent, `enum` its words, `is` its form, `doc` a sentence
// for the JSON Schema. docs/config.md explains it to people, and a test holds
// the two together. A Config keeps the place of all its values, so faults that
// show only later, when the input is seen, are reported like the loader's own:
//
//	return c.Problem(src.At+".csv.columns", "no column %q", name)
package config
