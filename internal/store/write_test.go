package store_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"tfr-build/internal/store"
	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
)

func writeText(fsys vfs.FS, path, text string) error {
	return store.Local{FS: fsys}.WriteFile(path, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}

// wantFiles makes sure that a directory has one file, with this text, or none.
func wantFiles(t *testing.T, dir, text string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got string
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got += e.Name() + " " + string(data)
	}
	if want := "f " + text; got != want && (text != "" || got != "") {
		t.Errorf("there is %q, want %q", got, want)
	}
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path, hidden := filepath.Join(dir, "f"), filepath.Join(dir, ".f.tfr.new")
	if err := os.WriteFile(hidden, []byte("what a run left"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"one", "two", ""} {
		if err := writeText(vfs.OS(), path, text); err != nil {
			t.Fatal(err)
		}
		wantFiles(t, dir, text)
	}

	failure := errors.New("no more lines")
	err := store.Local{FS: vfs.OS()}.WriteFile(path, func(w io.Writer) error {
		if _, err := io.WriteString(w, "half"); err != nil {
			return err
		}
		if err := writeText(vfs.OS(), path, "another run"); !errors.Is(err, store.ErrLocked) {
			t.Errorf("another run at the same time: %v", err)
		}
		return failure
	})
	if err != failure {
		t.Errorf("%v", err)
	}
	wantFiles(t, dir, "")
}

// TestWriteFileFails fails each operation in turn. The error names the file, and no incomplete file
// remains.
func TestWriteFileFails(t *testing.T) {
	record := vfstest.NewInject(vfs.OS(), nil)
	if err := writeText(record, filepath.Join(t.TempDir(), "f"), "text"); err != nil {
		t.Fatal(err)
	}
	for i, op := range record.Ops() {
		dir := t.TempDir()
		err := writeText(vfstest.NewInject(vfs.OS(), vfstest.Once(i, syscall.ENOSPC)), filepath.Join(dir, "f"), "text")
		if failed := new(store.WriteError); !errors.As(err, &failed) || failed.Err != syscall.ENOSPC ||
			filepath.Dir(failed.Path) != dir && failed.Path != dir {
			t.Errorf("%s: %v", op, err)
		}
		want := ""
		if op.Kind == "close" || op.Kind == "syncdir" {
			want = "text"
		}
		wantFiles(t, dir, want)
	}
}
