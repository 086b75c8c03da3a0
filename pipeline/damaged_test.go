package pipeline

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

// TestADamagedShardIsMadeAgain changes a byte of a shard that a stopped run
// finished: the next run says so and makes it again.
func TestADamagedShardIsMadeAgain(t *testing.T) {
	dir := testenv.Folder(t, map[string]string{"a.csv": rowsCSV(3000)})
	cfg := load(t, dir, "name: d\noutput: out\nshards: 4\nsource: {csv: {files: a.csv}}\nfeatures: {id: int64, text: {type: bytes, missing: omit}}\n")
	var said []string
	run := Run{Workers: 1, Memory: plenty, Output: filepath.Join(dir, "out"), Sync: true, Warn: func(text string) { said = append(said, text) }}
	stopLate(t, cfg, run, 2)
	shards, err := filepath.Glob(filepath.Join(dir, ".out.tfr", "data", "train-*"))
	if err != nil || len(shards) == 0 {
		t.Fatalf("%v, %v", shards, err)
	}
	data, err := os.ReadFile(shards[0])
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(shards[0], data, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Build(t.Context(), cfg, run); err != nil {
		t.Fatal(err)
	}
	again := filepath.Base(shards[0]) + " of the stopped run is made again: "
	if !slices.ContainsFunc(said, func(text string) bool { return strings.HasPrefix(text, again) }) {
		t.Errorf("said %q, want %q", said, again)
	}
	if tree(t, run.Output) != tree(t, mustBuild(t, cfg, ways[0])) {
		t.Error("the dataset is not that of a run that was not stopped")
	}
}
