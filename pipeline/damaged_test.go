package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestADamagedShardIsMadeAgain changes a byte of each shard that a stopped run
// finished: the next run says so and makes them again.
func TestADamagedShardIsMadeAgain(t *testing.T) {
	dir := testenv.Folder(t, map[string]string{"a.csv": rowsCSV(3000)})
	cfg := load(t, dir, "name: d\noutput: out\nshards: 4\nsource: {csv: {files: a.csv}}\nfeatures: {id: int64, text: {type: bytes, missing: omit}}\n")
	var said []string
	run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(dir, "out"), Sync: true, Warn: func(text string) { said = append(said, text) }}
	stopLate(t, cfg, run, 2)
	shards, err := filepath.Glob(filepath.Join(dir, ".out.tfr", "data", "train-*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range shards { // the run was stopped before it could finish some of them
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)/2] ^= 1
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	said = nil
	if _, err := Build(t.Context(), cfg, run); err != nil {
		t.Fatal(err)
	}
	again := 0
	for _, text := range said {
		if strings.Contains(text, " of the stopped run is made again: ") {
			again++
		}
	}
	if again < 2 {
		t.Errorf("said %q, want that the two finished shards are made again", said)
	}
	if tree(t, run.Output) != tree(t, mustBuild(t, cfg, ways[0])) {
		t.Error("the dataset is not that of a run that was not stopped")
	}
}
