package conformance

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	written "tfr-build/dataset"
	"tfr-build/internal/tftest"
	"tfr-build/pipeline"
)

const layoutRows = "text,label,split\nhello,a,train\nworld,b,train\nfoo,a,train\nbar,b,test\n"

const layoutConfig = `source: {csv: {files: rows.csv}}
version: 1.2.3
split: {column: split}
shards: {count: 2, filename: "split={SPLIT}/{SHARD_X_OF_Y}"}
features: {text/raw: {from: text, type: string}, label: {classes: [a, b]}}
`

// TestLayout builds two datasets whose shards are in directories: TFDS's files are next to them, or
// hidden. TFDS reads both, as pairs of input and label. Readers that skip names with _ see only the
// shards of the second one.
func TestLayout(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "rows.csv", []byte(layoutRows))
	for name, more := range map[string]string{"plain": "", "hidden": "metadata: hidden\n"} {
		write(t, dir, name+".yaml", []byte("name: "+name+"\noutput: out\n"+more+layoutConfig))
		out := filepath.Join(dir, name, "1.2.3")
		build(t, filepath.Join(dir, name+".yaml"), out, pipeline.Run{})
		verifies(t, out)
		want := []string{
			"split=test/", "split=test/00000-of-00002", "split=test/00001-of-00002",
			"split=train/", "split=train/00000-of-00002", "split=train/00001-of-00002",
		}
		if name == "plain" {
			want = append([]string{"dataset_info.json", "features.json", "label.labels.txt"}, want...)
		}
		if got := inSight(t, out); !slices.Equal(got, want) {
			t.Errorf("%s: in sight are %q, want %q", name, got, want)
		}
	}
	if err := os.Symlink("1.2.3", filepath.Join(dir, "plain", "current")); err != nil {
		t.Fatal(err)
	}
	if os.Getenv(tftest.PythonVar) != "" {
		tftest.Run(t, filepath.Join("testdata", "layout.py"), dir, "text/raw", "label")
	}
}

// inSight are the files of a directory, and its directories, except those that Spark and
// Hadoop pass over.
func inSight(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	for _, name := range list(t, dir).names() {
		if !strings.HasPrefix(name, "_") && !strings.HasPrefix(name, ".") {
			names = append(names, name)
		}
	}
	return names
}

// verifies fails the test unless a dataset is sound.
func verifies(t *testing.T, dir string) {
	t.Helper()
	if _, err := written.Verify(t.Context(), dir, written.VerifyOptions{Deep: true, Workers: 2}); err != nil {
		t.Errorf("%s: %v", dir, err)
	}
}
