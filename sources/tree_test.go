package sources

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func names(files []File) (list []string) {
	for _, f := range files {
		list = append(list, f.Name)
	}
	return list
}

func TestListTree(t *testing.T) {
	dir := files(t, map[string]string{
		"b/2.jpg": "2", "b/1.JPG": "11", "a/x/deep.png": "", "top.jpeg": "", "b/note.txt": "", "b/none": "",
		".hidden/x.jpg": "", "b/.h.jpg": "", "b/Thumbs.db": "", "b/x.jpg~": "", "empty/readme.md": "",
		"skip/1.jpg": "", "b-/1.jpg": "",
	})
	if err := os.Symlink(filepath.Join(dir, "b"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	spec := imagesSpec(dir)
	spec.Exclude = []string{"skip/**"}
	for _, workers := range []int{1, 2, 8} {
		got, passed, err := listTree(context.Background(), &spec, workers)
		if err != nil {
			t.Fatal(err)
		}
		want := "[a/x/deep.png b-/1.jpg b/1.JPG b/2.jpg top.jpeg]"
		if fmt.Sprint(names(got)) != want {
			t.Errorf("%d workers: %v, want %s", workers, names(got), want)
		}
		if want := (Passed{Hidden: 4, Links: 1, Extensions: 3, Empty: 2}); passed != want {
			t.Errorf("%d workers: passed %+v, want %+v", workers, passed, want)
		}
		if got[2].Size != 2 || !got[2].Regular || got[2].Inode == 0 || got[2].ModTime == 0 {
			t.Errorf("facts of a file: %+v", got[2])
		}
	}
	spec.Include = []string{"b/*"}
	got, _, err := listTree(context.Background(), &spec, 1)
	if err != nil || fmt.Sprint(names(got)) != "[b/1.JPG b/2.jpg]" {
		t.Errorf("include: %v, %v", names(got), err)
	}
}

func TestLinksAreFollowed(t *testing.T) {
	dir := files(t, map[string]string{"a/1.jpg": "", "outside/2.jpg": ""})
	link := func(to, at string) {
		if err := os.Symlink(to, filepath.Join(dir, at)); err != nil {
			t.Fatal(err)
		}
	}
	link(filepath.Join(dir, "outside"), "a/more")
	link(filepath.Join(dir, "a"), "a/loop")
	link(filepath.Join(dir, "outside/2.jpg"), "a/3.jpg")
	spec := imagesSpec(filepath.Join(dir, "a"))
	spec.FollowLinks = true
	got, passed, err := listTree(context.Background(), &spec, 4)
	if err != nil || fmt.Sprint(names(got)) != "[1.jpg 3.jpg more/2.jpg]" || passed.Loops != 1 || passed.Links != 0 {
		t.Errorf("%v, %+v, %v", names(got), passed, err)
	}
	link("nowhere", "a/4.jpg")
	if _, _, err := listTree(context.Background(), &spec, 4); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a dangling link: %v", err)
	}
}

func TestPipesAreNamedNotRead(t *testing.T) {
	dir := files(t, map[string]string{"a/1.bin": "x"})
	if err := unix.Mkfifo(filepath.Join(dir, "a/2.bin"), 0o666); err != nil {
		t.Fatal(err)
	}
	s, l := mustBind(t, folderSpec(dir), "content", "stem", "class")
	wantRows(t, table(t, s, l, 3), "x|1|a", "NOT_REGULAR")
}

func TestTreeFaults(t *testing.T) {
	dir := files(t, map[string]string{"file": "", "d/1.jpg": ""})
	_, err := Open(context.Background(), imagesSpec(filepath.Join(dir, "none")), 1)
	wantError(t, err, "none: no such file or directory")
	_, err = Open(context.Background(), imagesSpec(filepath.Join(dir, "file")), 1)
	wantError(t, err, "file: not a folder")
	spec := imagesSpec(dir)
	spec.HasClasses, spec.Classes = true, []string{"a", "b"}
	_, err = Open(context.Background(), spec, 1)
	wantError(t, err, "class_per_file has 2 names for 1 files")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err = Open(ctx, imagesSpec(dir), 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled listing: %v", err)
	}
}

func TestFilesThatChange(t *testing.T) {
	dir := files(t, map[string]string{"a/1.bin": "one", "a/2.bin": "two"})
	s, l := mustBind(t, folderSpec(dir), "content")
	r := l.NewReader()
	defer r.Close()
	put(t, filepath.Join(dir, "a/2.bin"), "three")
	if _, err := r.Read(1, nil); !errors.Is(err, ErrChanged) {
		t.Errorf("a file that grew: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "a/2.bin")); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Read(1, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is gone: %v", err)
	}
	if err := s.Unchanged(1); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Unchanged: %v", err)
	}
	if err := s.Unchanged(0); err != nil {
		t.Errorf("Unchanged: %v", err)
	}
}
