package tree

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"tfr-build/internal/testenv"
	"tfr-build/sources/files"
)

// TestPathsOfAnyLength lists and reads a file whose path is longer than a system call takes.
func TestPathsOfAnyLength(t *testing.T) {
	dir := t.TempDir()
	below, err := os.OpenRoot(dir)
	for range 100 {
		name := strings.Repeat("d", 200)
		if err == nil {
			err = below.Mkdir(name, 0o777)
		}
		if err != nil {
			t.Fatal(err)
		}
		up := below
		below, err = up.OpenRoot(name)
		up.Close()
	}
	if err := errors.Join(err, below.WriteFile("1.bin", []byte("deep"), 0o666), below.Close()); err != nil {
		t.Fatal(err)
	}
	f := mustOpen(t, anything(dir), 2)
	if n := len(names(f)[0]); n < 20_000 {
		t.Fatalf("a name of %d bytes", n)
	}
	wantRows(t, table(t, f), "deep|1|"+strings.Repeat("d", 200))
}

func TestPipesAreRejected(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a/1.bin": "x"})
	if err := unix.Mkfifo(filepath.Join(dir, "a/2.bin"), 0o666); err != nil {
		t.Fatal(err)
	}
	wantRows(t, table(t, mustOpen(t, anything(dir), 2)), "x|1|a", "NOT_REGULAR")
}

func TestChangedFiles(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a/1.bin": "one", "a/2.bin": "two"})
	f := mustOpen(t, anything(dir), 2)
	r := f.NewReader()
	defer r.Close()
	testenv.Put(t, filepath.Join(dir, "a/2.bin"), "three")
	if _, err := r.Read(1); !errors.Is(err, files.ErrChanged) {
		t.Errorf("a file that grew: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "a/2.bin")); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Read(1); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is gone: %v", err)
	}
	if err := f.sys.Unchanged(f.Path(1), &f.listing.Files[1]); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Unchanged: %v", err)
	}
	if err := f.sys.Unchanged(f.Path(0), &f.listing.Files[0]); err != nil {
		t.Errorf("Unchanged: %v", err)
	}
}
