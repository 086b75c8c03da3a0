package pipeline

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// TestTruncatedMappedFile reads a mapped file that was truncated. The processor's SIGBUS must become
// an error.
func TestTruncatedMappedFile(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a.csv": rowsCSV(20_000)})
	j := prepared(t, dir, tinyCSV)
	defer j.set.Release()
	search, err := j.set.Sources[0].Find(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, "a.csv"), 0); err != nil {
		t.Fatal(err)
	}
	err = j.pool.Each(t.Context(), search.Steps(), func(_, i int) error { search.Step(i); return nil })
	var bad *input.Error
	if !errors.As(err, &bad) || !errors.Is(err, files.ErrChanged) {
		t.Errorf("got %v, want files.ErrChanged", err)
	}
}
