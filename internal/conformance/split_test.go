package conformance

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
)

// TestSplitColumn makes sure that @split is what the row's split is, in the
// sample that shards are counted by and in what is said of an invalid row as well.
func TestSplitColumn(t *testing.T) {
	dir := t.TempDir()
	csvFiles(t, dir, 2_000)
	f := form{config: `
source: {csv: {files: 'in/*.csv', null_values: [NA]}}
split: {fractions: {train: 60%, test: 40%}}
shards: {size: 20KB}
features:
  half: {from: '@split', type: string}
  note: string
`}
	out := filepath.Join(dir, "out")
	build(t, f.configure(t, dir, "good.yaml", ""), out, pipeline.Run{})
	for split, records := range payloads(t, out) {
		for _, record := range records {
			if got := string(example(t, record)["half"].GetBytesList().GetValue()[0]); got != split {
				t.Fatalf("a record of split %s has @split %q", split, got)
			}
		}
	}
	for _, split := range manifest(t, out).Splits {
		if len(split.Shards) < 3 {
			t.Errorf("split %s has %d shards: its sample had no record", split.Name, len(split.Shards))
		}
	}

	bad := form{config: f.config + "  tip: float\n"}
	cfg, err := config.Load(bad.configure(t, dir, "bad.yaml", ""))
	if err != nil {
		t.Fatal(err)
	}
	_, err = pipeline.Build(context.Background(), cfg,
		pipeline.Run{Workers: 2, Memory: plenty, Output: filepath.Join(dir, "bad")})
	if err == nil || !strings.Contains(err.Error(), `column "tip"`) {
		t.Errorf("the error is %v, want one of column tip", err)
	}
}

// TestFoldsStay adds a file to a dataset of folds: no row of the other files moves to another fold.
func TestFoldsStay(t *testing.T) {
	dir := t.TempDir()
	f := form{config: `
source: {csv: {files: 'in/*.csv', null_values: [NA]}}
split: {folds: 7}
shards: 1
features:
  id: int64
  file: {from: '@file', type: string}
`}
	csvFiles(t, dir, 2_000)
	file := f.configure(t, dir, "dataset.yaml", "")
	build(t, file, filepath.Join(dir, "before"), pipeline.Run{})
	write(t, dir, "in/more.csv", csvOf(t, trips(500, 9), false))
	build(t, file, filepath.Join(dir, "after"), pipeline.Run{})
	folds := func(dir string) map[string]string {
		all := map[string]string{}
		for fold, records := range payloads(t, dir) {
			for _, r := range records {
				all[string(r)] = fold
			}
		}
		return all
	}
	before, after := folds(filepath.Join(dir, "before")), folds(filepath.Join(dir, "after"))
	if len(after) != len(before)+500 {
		t.Fatalf("%d records after %d, expected 500 more", len(after), len(before))
	}
	for record, fold := range before {
		if after[record] != fold {
			t.Fatalf("a record of %s is now in %s", fold, after[record])
		}
	}
}
