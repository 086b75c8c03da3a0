package pipeline

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tfr-build/internal/filetest"
	"tfr-build/internal/store"
	"tfr-build/internal/testenv"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
)

// TestSpillingPanics has a panic in the worker that reads a file, while another waits for batches.
// The build ends with an error that names the row, and no goroutine waits forever.
func TestSpillingPanics(t *testing.T) {
	large := strings.Repeat("x", 100_000) // rows that are not given to others
	csv := filetest.Gzip(lines(100, "\n", func(int) string { return "s," + large }))
	dir := testenv.Directory(t, map[string]string{"a.csv.gz": csv})
	cfg := load(t, dir, "name: d\noutput: out\nsource: {csv: {files: a.csv.gz, header: false, columns: [a, "+
		"b]}}\nfeatures: {a: bytes, b: bytes}\n")
	fsys := vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
		if op.Kind == "writeat" && strings.Contains(op.Name, "/spill/") {
			panic("a mistake")
		}
		return nil
	})
	run := Run{Workers: 2, Memory: plenty, runLimit: 1_000_000, Output: filepath.Join(t.TempDir(), "out"),
		Storage: store.Over(fsys)}
	ended := make(chan error, 1)
	go func() {
		_, err := Build(t.Context(), cfg, run)
		ended <- err
	}()
	select {
	case err := <-ended:
		want := "internal error: the row of " + filepath.Join(dir, "a.csv.gz") + " at offset "
		if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), ": a mistake") {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the run does not end")
	}
}
