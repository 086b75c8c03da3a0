package tar

import (
	"archive/tar"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"tfr-build/sources/input"
)

// TestMemoryOfALongRow reads a row twice, as a build does for a row that it quarantines. All
// memory that is allocated for its text, without garbage collection, must be less than four times
// its length.
func TestMemoryOfALongRow(t *testing.T) {
	const size = 9 << 20 // more than a power of two: room that doubles fits worst
	path := filepath.Join(t.TempDir(), "a.tar")
	if err := os.WriteFile(path, archive(t, tar.FormatUSTAR, file{"a.txt", strings.Repeat("x", size)}),
		0o666); err != nil {
		t.Fatal(err)
	}
	o := &Options{Files: input.Files{Patterns: []string{path}}}
	in, err := o.Open(t.Context(), &input.Env{
		Limits: input.Limits{Record: size, Columns: 10}, Workers: 1, Resolve: func(p string) string { return p },
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := in.ReadHeads(t.Context()); err != nil {
		t.Fatal(err)
	}
	// A collection drops what a sync.Pool has, and another processor does not find it.
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 2 {
		rows, err := in.Rows(0)
		if err != nil {
			t.Fatal(err)
		}
		if rec, err := rows.Next(); err != nil || len(rec.Raw) < size {
			t.Fatalf("%+v, %v", rec, err)
		}
		if _, err := rows.Next(); err != io.EOF {
			t.Fatal(err)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	// With the race detector, for which -short is set, sync.Pool drops elements at random.
	if n := after.TotalAlloc - before.TotalAlloc; n > 4*size && !testing.Short() {
		t.Errorf("%d bytes were allocated for a row of %d", n, size)
	}
}
