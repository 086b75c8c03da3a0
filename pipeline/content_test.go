package pipeline

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tfr-build/dataset"
	"tfr-build/dataset/diff"
	"tfr-build/internal/testenv"
)

// TestContent builds rows in two orders, with other shards and compressions: the content is equal, diff says so, and it
// is another one with one row less. A deep check finds a content that is not that of the records.
func TestContent(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": rowsCSV(300), "less/a.csv": rowsCSV(299)})
	const text = "name: d\noutput: out\nsplit: {train: 90%, test: 10%}\n" + tableFeatures
	output := mustBuild(t, load(t, dir, text+"source: {csv: {files: a.csv}}\n"), way{workers: 2, memory: plenty})
	again := mustBuild(t, load(t, dir, text+"source: {csv: {files: a.csv}}\nseed: 5\nshards: 3\ncompression: gzip\n"),
		way{workers: 1})
	one, two := manifestOf(t, output), manifestOf(t, again)
	for i := range one.Splits {
		if one.Splits[i].Content != two.Splits[i].Content || one.Splits[i].Content == (dataset.Content{}) {
			t.Errorf("%s: %s and %s", one.Splits[i].Name, one.Splits[i].Content, two.Splits[i].Content)
		}
	}
	r, err := diff.Compare(t.Context(), output, again, diff.Options{})
	note := `split "train": the content is equal, ` + one.Splits[0].Content.String()
	if err != nil || !slices.Contains(r.Notes, note) {
		t.Errorf("%v: notes %q lack %q", err, r.Notes, note)
	}
	less := mustBuild(t, load(t, dir, text+"source: {csv: {files: less/a.csv}}\n"), way{workers: 1, memory: plenty})
	if manifestOf(t, less).Splits[0].Content == one.Splits[0].Content {
		t.Error("other rows have the same content")
	}

	changed := manifestOf(t, output)
	s := &changed.Splits[0]
	s.Shards[0].Content.AddRecord(nil)
	s.Content.AddRecord(nil)
	sealed, err := changed.Seal()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range sealed {
		if err := os.WriteFile(filepath.Join(output, f.Name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, deep := range []bool{false, true} {
		var found []string
		_, err := dataset.Verify(t.Context(), output, dataset.VerifyOptions{Deep: deep, Record: DatasetRecord,
			Report: func(d *dataset.DamageError) { found = append(found, d.Error()) }})
		want := "train-00000-of-00001: content mismatch: computed " + one.Splits[0].Shards[0].Content.String() +
			", stored " + s.Shards[0].Content.String()
		if err != nil || slices.Contains(found, want) != deep || len(found) > 1 {
			t.Errorf("deep %v: %q, %v", deep, found, err)
		}
	}
}
