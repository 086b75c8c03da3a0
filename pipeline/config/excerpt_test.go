package config

import (
	"errors"
	"testing"

	"tfr-build/internal/excerpt"
)

// problemsOf returns the problems of a config, of which there is one at least.
func problemsOf(t *testing.T, text string) []Problem {
	t.Helper()
	_, err := Parse("c.yaml", []byte(text), func(string) (string, bool) { return "", false })
	problems, ok := errors.AsType[*Problems](err)
	if !ok {
		t.Fatalf("%s: %v", text, err)
	}
	return problems.List
}

func TestProblemsMarkTheirTokens(t *testing.T) {
	const fine = "name: a\noutput: out\nsource: {csv: {files: a.csv}}\nfeatures: {a: int64}\n"
	for line, want := range map[string]excerpt.Excerpt{
		"naem: x":                         {Marked: "naem", After: ": x"},
		"seed: x1 # why":                  {Before: "seed: ", Marked: "x1", After: " # why"},
		"seed: 'a, b'":                    {Before: "seed: ", Marked: "'a, b'"},
		"shards: {count: zero, hosts: 1}": {Before: "shards: {count: ", Marked: "zero", After: ", hosts: 1}"},
		"\"é\": {type: int64}":            {Marked: "\"é\"", After: ": {type: int64}"},
		"shards: [1]":                     {Before: "shards: ", After: "[1]"},
		"where: 'a > 0 && (b'":            {Before: "where: 'a > 0 && (b", After: "'"},
		"link: s3://key:secret@bucket/x":  {},
	} {
		list := problemsOf(t, fine+line+"\n")
		if list[0].Excerpt != want {
			t.Errorf("%s: %+v, want the first with %+v", line, list, want)
		}
	}
	for _, q := range problemsOf(t, "seed: 1\n") {
		if q.Excerpt != (excerpt.Excerpt{}) {
			t.Errorf("the missing key %s marks %q", q.Path, q.Excerpt.Marked)
		}
	}
}
