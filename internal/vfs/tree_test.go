package vfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"syscall"
	"testing"
)

// TestMkdirAllNamesTheDirectoriesToSync checks that the result lists each directory that got an entry.
func TestMkdirAllNamesTheDirectoriesToSync(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a", "b")
	changed, err := MkdirAll(OS(), name)
	if want := []string{dir, filepath.Join(dir, "a")}; err != nil || !reflect.DeepEqual(changed, want) {
		t.Errorf("%q, %v; want %q", changed, err, want)
	}
	if changed, err = MkdirAll(OS(), name); err != nil || changed != nil {
		t.Errorf("directories that exist: %q, %v", changed, err)
	}
	file := write(t, filepath.Join(name, "f"), "")
	if _, err := MkdirAll(OS(), file); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("a file of that name: %v", err)
	}
	if _, err := MkdirAll(OS(), filepath.Join(file, "below")); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("below a file: %v", err)
	}
}

func TestMkdirAllInTheWorkingDirectory(t *testing.T) {
	t.Chdir(t.TempDir())
	if changed, err := MkdirAll(OS(), "a/b"); err != nil || !reflect.DeepEqual(changed, []string{".", "a"}) {
		t.Errorf("%q, %v", changed, err)
	}
}

func TestRemoveAllFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, "other")
	tree := filepath.Join(dir, "tree")
	for _, d := range []string{other, tree, filepath.Join(tree, "sub")} {
		if err := os.Mkdir(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	outside := write(t, filepath.Join(other, "f"), "text")
	write(t, filepath.Join(tree, "sub", "f"), "")
	if err := os.Symlink(other, filepath.Join(tree, "sub", "link")); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second call finds no tree
		if err := RemoveAll(OS(), tree); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Lstat(tree); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the tree exists: %v", err)
	}
	wantText(t, outside, "text")
}
