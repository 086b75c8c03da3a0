package tree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

func TestList(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{
		"b/2.jpg": "2", "b/1.JPG": "11", "a/x/deep.png": "", "top.jpeg": "", "b/note.txt": "", "b/none": "",
		".hidden/x.jpg": "", "b/.h.jpg": "", "b/Thumbs.db": "", "b/x.jpg~": "", "empty/readme.md": "",
		"skip/1.jpg": "", "b-/1.jpg": "",
	})
	if err := os.Symlink(filepath.Join(dir, "b"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	spec := images(dir)
	spec.Exclude = []string{"skip/**", "gone/*"}
	for _, workers := range []int{1, 2, 8} {
		f := mustOpen(t, spec, workers)
		want := "[a/x/deep.png b-/1.jpg b/1.JPG b/2.jpg top.jpeg]"
		if fmt.Sprint(names(f)) != want {
			t.Errorf("%d workers: %v, want %s", workers, names(f), want)
		}
		l := f.Listing()
		others := l.Skipped.Others
		if want := (files.Skipped{Hidden: 4, Links: 1, Extensions: 3, Others: others,
			Excluded: map[string]int{"skip/**": 1, "gone/*": 0}, Empty: 2}); !reflect.DeepEqual(l.Skipped, want) {
			t.Errorf("%d workers: skipped %+v, want %+v", workers, l.Skipped, want)
		}
		if one := l.Files[2]; one.Size != 2 || !one.Regular || one.Inode == 0 || one.ModTime == 0 {
			t.Errorf("metadata of a file: %+v", one)
		}
	}
	spec.Include = []string{"b/*"}
	f, err := open(spec, 1)
	if err != nil || fmt.Sprint(names(f)) != "[b/1.JPG b/2.jpg]" {
		t.Errorf("include: %v, %v", f, err)
	}
}

func TestFollowLinks(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a/1.jpg": "", "outside/2.jpg": ""})
	link := func(to, at string) {
		if err := os.Symlink(to, filepath.Join(dir, at)); err != nil {
			t.Fatal(err)
		}
	}
	link(filepath.Join(dir, "outside"), "a/more")
	link(filepath.Join(dir, "a"), "a/loop")
	link(filepath.Join(dir, "outside/2.jpg"), "a/3.jpg")
	spec := images(filepath.Join(dir, "a"))
	spec.FollowLinks = true
	f := mustOpen(t, spec, 4)
	if skipped := f.Listing().Skipped; fmt.Sprint(names(f)) != "[1.jpg 3.jpg more/2.jpg]" || skipped.Loops != 1 ||
		skipped.Links != 0 {
		t.Errorf("%v, %+v", names(f), skipped)
	}
	link("nowhere", "a/4.jpg")
	if _, err := open(spec, 4); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a dangling link: %v", err)
	}
}

// TestDuplicates counts the files that are rows under two names.
func TestDuplicates(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"a/1.bin": "x", "a/2.bin": "y"})
	for _, at := range []string{"a/3.bin", "4.bin"} {
		if err := os.Link(filepath.Join(dir, "a/1.bin"), filepath.Join(dir, at)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a", filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	followed := anything(dir)
	followed.FollowLinks = true
	for name, tt := range map[string]struct {
		spec             *Spec
		rows, duplicates int
	}{
		"a tree":             {anything(dir), 4, 2},
		"a tree of two ways": {followed, 7, 5},
	} {
		l := mustOpen(t, tt.spec, 2).Listing()
		if len(l.Files) != tt.rows || l.Skipped.Duplicates != tt.duplicates {
			t.Errorf("%s: %d rows, %d duplicates; want %d, %d", name, len(l.Files), l.Skipped.Duplicates, tt.rows,
				tt.duplicates)
		}
	}
}

func TestFaults(t *testing.T) {
	dir := testenv.Directory(t, map[string]string{"file": "", "d/1.jpg": ""})
	_, err := open(images(filepath.Join(dir, "none")), 1)
	wantError(t, err, "none: no such file or directory")
	_, err = open(images(filepath.Join(dir, "file")), 1)
	wantError(t, err, "file: not a directory")
	spec := images(dir)
	spec.Classes = []string{"a", "b"}
	_, err = open(spec, 1)
	wantError(t, err, "class_per_file has 2 names for 1 file")
	spec.Classes = []string{} // a file without a name is one, too
	_, err = open(spec, 1)
	wantError(t, err, "class_per_file has 0 names for 1 file")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := List(ctx, images(dir), &input.Env{Workers: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled listing: %v", err)
	}
}

// TestLinkMaze lists directories with links to each other, whose paths are too many to list.
func TestLinkMaze(t *testing.T) {
	if !testenv.Exhaustive() {
		t.Skip("it takes seconds")
	}
	dir := t.TempDir()
	const rooms = 14
	for i := range rooms {
		testenv.Put(t, filepath.Join(dir, fmt.Sprint(i), "1.jpg"), "")
		for k := range rooms {
			if err := os.Symlink(fmt.Sprintf("../%d", k),
				filepath.Join(dir, fmt.Sprint(i), fmt.Sprintf("to%d", k))); err != nil {
				t.Fatal(err)
			}
		}
	}
	spec := images(dir)
	spec.FollowLinks = true
	_, err := open(spec, 2)
	wantError(t, err, "links lead to more than 100000 directories")
}
