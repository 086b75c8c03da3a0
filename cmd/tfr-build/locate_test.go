package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestLocateValues finds the records of the first row by the texts of its cells, and by its values.
func TestLocateValues(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"a.csv": "day,flag,words,kind\n2020-01-02,yes,a b,cat\n2021-01-02,no,c,dog\n",
		"c.yaml": "name: d\noutput: out\norder: source\nsource: {csv: a.csv}\nfeatures:\n" +
			"  day: {type: int64, date: '%Y-%m-%d'}\n  flag: {type: bool, map: {'yes': true, 'no': false}}\n" +
			"  words: {type: float, shape: [-1], separator: ' ', raw: true, map: {a: 0.5, b: 1.5, c: 2}}\n" +
			"  kind: {classes: [cat, dog]}\n",
	})
	locate := func(args ...string) string {
		cmd := exec.Command("tfr-build", args...)
		cmd.Dir = dir
		text, err := cmd.CombinedOutput()
		if err != nil && cmd.ProcessState.ExitCode() != 1 {
			t.Fatalf("%v\n%s", err, text)
		}
		return strings.TrimPrefix(string(text), filepath.Join("out", "train-00000-of-00001")+" ")
	}
	locate("c.yaml")
	for _, what := range []string{"day=2020-01-02", "day=1577923200", "flag=yes", "flag=true", "flag=1", "words=a",
		"words=b", "words=1.5", "kind=cat", "kind=0"} {
		if got := locate("locate", "out", what); got != "record 0 offset 0\n" {
			t.Errorf("%s: %s", what, got)
		}
	}
	for _, what := range []string{"day=2020-01-03", "flag=maybe", "words=d"} {
		if got, want := locate("locate", "out", what), "error: out: no record has "+what+"\n"; got != want {
			t.Errorf("%s: %s", what, got)
		}
	}
}
