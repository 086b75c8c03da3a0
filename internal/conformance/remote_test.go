package conformance

import (
	"path/filepath"
	"testing"

	"tfr-build/internal/tftest"
)

// TestDatasetByURL reads one by its reader and by TFDS through a URL, as both would
// that of a bucket: its files name no other one, and no local path.
func TestDatasetByURL(t *testing.T) {
	tftest.Python(t)
	dir := t.TempDir()
	write(t, dir, "in.csv", []byte("id,animal\n1,cat\n2,dog\n3,cat\n4,dog\n5,cat\n"))
	write(t, dir, "d.yaml", []byte("name: d\noutput: d/1.0.0\nsource: {csv: {files: in.csv}}\nsplit: train\nshards: "+
		"2\nfeatures: {id: int64, label: {from: animal, classes: [cat, dog]}}\n"))
	program(t, filepath.Join(dir, "d.yaml"))
	tftest.Run(t, filepath.Join("testdata", "remote.py"), filepath.Join(dir, "d", "1.0.0"), t.TempDir())
}
