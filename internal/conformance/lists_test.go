package conformance

import (
	"path/filepath"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/pipeline"
)

// layFolds makes the dataset that lists.py of testdata reads: folds of a table, with lists of one
// length, and vectors of classes.
func layFolds(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	write(t, dir, "table.csv", csvOf(t, trips(100, 4), false))
	const words = "{names: [none, the, quick, brown, fox, jumps, over, a, lazy, dog, while, snow, falls, on, élan, " +
		"of, 東京]}"
	write(t, dir, "c.yaml", []byte(`name: folds
output: out
source: {csv: {files: table.csv, null_values: [NA]}}
split: {folds: 3, stratify: zone}
limit: {fold_1: {rows: 5, per: zone}}
shards: 2
index: true
features:
  id: int64
  some: {from: tags, type: float, separator: ";", classes: `+words+`, multi_hot: true, missing: empty_list}
  words: {from: tags, separator: ";", classes: `+words+`, shape: [3], pad: none, truncate: true,
    missing: {default: none}}
`))
	build(t, filepath.Join(dir, "c.yaml"), filepath.Join(dir, "folds", "1.0.0"), pipeline.Run{})
	return dir
}

// TestListsAndFolds has each program read folds with lists of one length; the script compares every
// value with the table. A sample has NumPy, and one of the others.
func TestListsAndFolds(t *testing.T) {
	dir := layFolds(t)
	for i, reader := range []reader{"numpy", "tensorflow", "torch", "dali"} {
		if !testenv.Exhaustive() && i > 0 && i != 1+testenv.First(0, 3) {
			continue
		}
		t.Run(string(reader), func(t *testing.T) { reader.read(t, filepath.Join("testdata", "lists.py"), dir) })
	}
}
