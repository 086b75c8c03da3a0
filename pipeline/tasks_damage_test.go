package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline/work"
)

// TestSwappedSpillFiles puts the spill file of one scan in the place of another with the same
// length and number of rows. The scan runs again, and no row is in the dataset twice.
func TestSwappedSpillFiles(t *testing.T) {
	dir := t.TempDir()
	for name, first := range map[string]string{"a.csv": "1", "b.csv": "2"} {
		testenv.Put(t, filepath.Join(dir, name), "x\n"+strings.Repeat(first+"2345678\n", 2000))
	}
	const text = "name: d\noutput: out\norder: source\nsource: {csv: {files: '*.csv'}}\nfeatures: {x: " +
		"int64}\nshards: 2\n"
	want := tree(t, mustBuild(t, load(t, dir, text), ways[0]))
	tasks := tasksOfConfig(t, dir, text, 4)
	doAll(t, tasks, work.Scan)
	runs, err := filepath.Glob(filepath.Join(dir, ".out.tfr", "work", "runs", "*"))
	if err != nil || len(runs) != 2 {
		t.Fatalf("%q, %v", runs, err)
	}
	data, err := os.ReadFile(runs[0])
	if err == nil {
		err = os.WriteFile(runs[1], data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	doAll(t, tasks, work.Merge, work.Write, work.Commit)
	if tree(t, filepath.Join(dir, "out")) != want {
		t.Error("the dataset is not that of one process")
	}
}
