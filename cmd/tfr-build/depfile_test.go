package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestDepfile(t *testing.T) {
	got := depfile("out/50% $/_SUCCESS", []string{"a b.csv", "c#1.csv", `d\e`, "f:g"})
	want := `out/50\%\ $$/_SUCCESS: \
  a\ b.csv \
  c\#1.csv \
  d\e \
  f\:g

a\ b.csv \
  c\#1.csv \
  d\e \
  f\:g:
`
	if string(got) != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Make finds the files of a depfile, with any names.
func TestMakeReadsDepfile(t *testing.T) {
	tool, err := exec.LookPath("make")
	if err != nil {
		t.Skip("make is not installed")
	}
	dir := t.TempDir()
	inputs := []string{"y=1.csv", "a b.csv", "c#1.csv", "e$f.csv", "g%h.csv", "k[1].csv", `d\e.csv`, `n\ o.csv`,
		"p:q.csv", "l*m.csv", "ü.csv", "r;s.csv", `t\;u.csv`, "v|w .csv", "|", `\|x`, "y ", "|z\t", "[a]| "}
	for _, name := range inputs {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text := "all: v$(subst ,,=)1\nv$(subst ,,=)1:\n\t@echo making\n" + string(depfile("v=1", inputs))
	if err := os.WriteFile(filepath.Join(dir, "Makefile"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func() string {
		cmd := exec.Command(tool, "-rd", "all")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	out := run()
	for _, name := range inputs {
		if !strings.Contains(out, "Finished prerequisites of target file '"+name+"'") ||
			strings.Contains(out, "File '"+name+"' does not exist") {
			t.Errorf("make does not find %q", name)
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	run() // make does not fail without its inputs
}

// An unchanged depfile keeps its modification time.
func TestReplaceFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.d")
	old := time.Unix(1_000_000_000, 0)
	for _, c := range []struct {
		data    string
		touched bool
	}{{"one", true}, {"one", false}, {"two", true}} {
		if err := replaceFile(path, []byte(c.data)); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if touched := !info.ModTime().Equal(old); touched != c.touched {
			t.Errorf("%s: written again: %v", c.data, touched)
		}
		if data, err := os.ReadFile(path); err != nil || string(data) != c.data {
			t.Errorf("it holds %q, %v", data, err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); err != nil || len(left) > 0 {
		t.Errorf("left %q, %v", left, err)
	}
}
