package vfs_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"tfr-build/internal/vfs"
	"tfr-build/internal/vfs/vfstest"
)

func TestTreeErrors(t *testing.T) {
	for _, kind := range []string{"lstat", "readdir", "remove", "stat", "mkdir", "open", "read", "close"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "f"), []byte("text"), 0o666); err != nil {
			t.Fatal(err)
		}
		in := vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
			if op.Kind == kind {
				return syscall.EIO
			}
			return nil
		})
		_, mkdir := vfs.MkdirAll(in, filepath.Join(dir, "a", "b"))
		_, read := vfstest.ReadFile(in, filepath.Join(dir, "f"))
		if err := errors.Join(mkdir, read, vfs.RemoveAll(in, dir)); !errors.Is(err, syscall.EIO) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// TestConcurrentTreeChanges has another process create a directory or remove a file first: that
// is not an error.
func TestConcurrentTreeChanges(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	first := func(kind string, do func(name string) error) vfs.FS {
		return vfstest.NewInject(vfs.OS(), func(_ int, op vfstest.Op) error {
			if op.Kind == kind {
				return do(op.Name)
			}
			return nil
		})
	}
	if _, err := vfs.MkdirAll(first("mkdir", vfs.OS().Mkdir), dir); err != nil {
		t.Error(err)
	}
	if err := vfs.RemoveAll(first("remove", vfs.OS().Remove), dir); err != nil {
		t.Error(err)
	}
}
