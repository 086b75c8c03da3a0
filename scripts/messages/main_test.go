package main

import (
	"slices"
	"testing"
)

// TestMessages finds error messages, and neither names, struct tags, nor templates.
func TestMessages(t *testing.T) {
	const source = "package p\n" +
		"import \"a/b\"\n" +
		"var err = errors.New(\"the shard is damaged\")\n" +
		"type T struct { F int `doc:\"number of the rows\"` }\n" +
		"const template = `one line of two\nlines of many words`\n" +
		"func f() error { return fmt.Errorf(\"\\n%s: no such column here\\n\", \"name\") }\n"
	got, err := messages("p.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	want := make([]string, 14)
	want[5] = "the shard is damaged."     // line 3
	want[13] = "%s: no such column here." // line 7
	if !slices.Equal(got, want) {
		t.Errorf("found %q, expected %q", got, want)
	}
}
