package config

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// testEnv is the environment of the tests.
func testEnv(name string) (string, bool) {
	value, set := map[string]string{"SEED": "7", "ZEROS": "010", "BLANK": "", "BYTES": "\xff", "DATA": "data",
		"DOLLAR": "${SEED}"}[name]
	return value, set
}

func mustParse(t *testing.T, text string) *Config {
	t.Helper()
	c, err := Parse("c.yaml", []byte(text), testEnv)
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, text)
	}
	return c
}

// parseInvalid returns the problems of a config that must be invalid.
func parseInvalid(t *testing.T, file string, text []byte) *Problems {
	t.Helper()
	_, err := Parse(file, text, testEnv)
	var problems *Problems
	if !errors.As(err, &problems) {
		t.Fatalf("%s: got the error %v; want *Problems", file, err)
	}
	return problems
}

// invalidFile has configs with mistakes, NAME.yaml, and behind each its problems, NAME.problems.
const invalidFile = "testdata/bad.txtar"

// TestInvalidConfigs compares the problems of the configs in invalidFile.
func TestInvalidConfigs(t *testing.T) {
	archive, err := txtar.ParseFile(invalidFile)
	if err != nil || len(archive.Files) < 2*700 {
		t.Fatalf("%v; want the problems of at least 700 configs", err)
	}
	for i := 0; i+1 < len(archive.Files); i += 2 {
		in, want := archive.Files[i], &archive.Files[i+1]
		problems := parseInvalid(t, in.Name, in.Data)
		checkProblems(t, problems)
		switch got := problems.Error() + "\n"; {
		case want.Name != strings.TrimSuffix(in.Name, ".yaml")+".problems":
			t.Fatalf("%s has no problems, but %s", in.Name, want.Name)
		case *update:
			want.Data = []byte(got)
		case got != string(want.Data):
			t.Errorf("got (-update accepts it)\n%swant\n%s", got, want.Data)
		}
	}
	if *update {
		if err := os.WriteFile(invalidFile, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// checkProblems checks what holds for all problems. Each has a position and a text, none is a
// duplicate, and they are in the order of the file.
func checkProblems(t *testing.T, problems *Problems) {
	t.Helper()
	if len(problems.List) == 0 {
		t.Errorf("%s: no problem in the list", problems.File)
	}
	reported := map[Problem]bool{}
	for i, q := range problems.List {
		duplicate := reported[q]
		reported[q] = true
		if q.Line < 1 || q.Text == "" || duplicate {
			t.Errorf("%s: the problem %+v lacks its line or text, or is a duplicate", problems.File, q)
		}
		if i > 0 && problems.List[i-1].Line > q.Line {
			t.Errorf("%s: line %d is before line %d", problems.File, problems.List[i-1].Line, q.Line)
		}
		if strings.ContainsFunc(q.Text+q.Hint+q.Path, isControl) {
			t.Errorf("%s: a control character in %q", problems.File, q.Text+q.Hint+q.Path)
		}
	}
}

func compareGolden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	compareLines(t, file, got, want)
}

// compareLines fails with the first line that differs.
func compareLines(t *testing.T, name string, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	g, w := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			t.Fatalf("%s: line %d differs (-update accepts it)\n got %s\nwant %s", name, i+1, g[i],
				strings.Join(w[min(i, len(w)):min(i+1, len(w))], ""))
		}
	}
	t.Fatalf("%s: lines are missing from %d on (-update accepts it)", name, len(g))
}
