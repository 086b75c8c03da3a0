package main

import (
	"fmt"
	"os"
	"testing"
)

// TestMutantsAreFound finds mutants of code that has changed since: they would be noticed only
// after the tests before them have run.
func TestMutantsAreFound(t *testing.T) {
	for _, m := range mutants {
		for _, e := range m.edits {
			if _, err := locate("../..", e); err != nil {
				t.Errorf("%s: %v", m.name, err)
			}
		}
	}
}

func TestLocate(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("in/sink", 0o777); err != nil {
		t.Fatal(err)
	}
	code := "package sink\n\nconst most = 7\n\nfunc (d *disk[T]) sync() { // first\n\treturn d.f( 1, // one\n\t\t2) + d.f(3)\n}\n\nfunc sync() { d.f(1, 2) }\n"
	if err := os.WriteFile("in/sink/disk.go", []byte(code), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ in, old, want string }{
		{"in/sink.most", "7", "7"},
		{"in/sink.disk.sync", "d.f(1,2)", "d.f( 1, // one\n\t\t2)"},
		{"in/sink.sync", "d.f(1, 2)", "d.f(1, 2)"},
		{"in/sink.disk.sync", "d.f", "in/sink.disk.sync has 2 times what is to be changed: d.f"},
		{"in/sink.disk.sync", "d.f(4)", "in/sink.disk.sync has 0 times what is to be changed: d.f(4)"},
		{"in/sink.disk.drop", "d.f", "in/sink.disk.drop is not declared"},
	} {
		at, err := locate(".", edit{in: c.in, old: c.old})
		got := fmt.Sprint(err)
		if err == nil {
			got = code[at.from:at.to]
		}
		if got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.in, c.old, got, c.want)
		}
	}
}
