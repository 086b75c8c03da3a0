package storetest

import (
	"archive/zip"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tfr-build/internal/bucket"
	"tfr-build/internal/buckettest"
	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
	"tfr-build/internal/vfs/vfstest"
)

// place writes Files to a directory of the operating system.
func place(t *testing.T, dir string) {
	t.Helper()
	for name, data := range Files() {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, data, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLocal(t *testing.T) {
	dir := t.TempDir()
	place(t, dir)
	Read(t, store.OS(), dir)
	Write(t, store.OS(), t.TempDir(), t.TempDir())
}

// TestMemory is the local store over the file system of the crash model.
func TestMemory(t *testing.T) {
	disk := vfstest.NewMem("/disk")
	s := store.Over(disk)
	for _, dir := range []string{"/disk/in", "/disk/in/a", "/disk/in/a/b", "/disk/in/a0", "/disk/out", "/disk/temp"} {
		if err := disk.Mkdir(dir); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range Files() {
		f, err := disk.Create("/disk/in/" + name)
		if err == nil {
			_, err = f.Write(data)
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	Read(t, s, "/disk/in")
	Write(t, s, "/disk/out", "/disk/temp")
}

func TestObjects(t *testing.T) {
	g := buckettest.Start(t)
	g.Bucket(t, "data")
	buckettest.Env(t, g.URL)
	opt := bucket.Options{Backoff: time.Millisecond, Retry: 100 * time.Millisecond, RangeSize: 1 << 16}
	s := objects.Reach(t.Context(), store.OS(), opt)
	t.Cleanup(s.Close)
	for name, data := range Files() {
		c, u, err := objects.At(s, "s3://data/in/"+name)
		if err == nil {
			_, err = c.Put(t.Context(), u, data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	Read(t, s, "s3://data/in")
	Write(t, s, "s3://data/out", t.TempDir())
}

// archive returns a storage in which the directory s3://archive has Files, of a zip archive.
func archive(t *testing.T) Zip {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for name, data := range Files() {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return Zip{r, "s3://archive/"}
}

func TestZip(t *testing.T) {
	s := store.OS().With("s3", archive(t))
	Read(t, s, "s3://archive")
	if err := s.Remove("s3://archive/a!"); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a file was removed: %v", err)
	}
}

// TestFailing makes each operation of a store fail: no call succeeds with less than all.
func TestFailing(t *testing.T) {
	never := NewFailing(archive(t), func(int, Op) error { return nil })
	Read(t, store.OS().With("s3", never), "s3://archive")
	broken := errors.New("broken")
	const path = "s3://archive/a/b/two"
	for _, what := range []struct {
		name string
		do   func(s *store.Storage) error
	}{
		{"ReadFile", func(s *store.Storage) error { _, err := store.ReadFile(s, path); return err }},
		{"List", func(s *store.Storage) error {
			return s.List(t.Context(), "s3://archive/", func(string, fs.FileInfo) error { return nil })
		}},
		{"Get", func(s *store.Storage) error { _, _, err := s.Get(t.Context(), path, 100); return err }},
		{"Stat", func(s *store.Storage) error { _, err := s.Stat(path); return err }},
	} {
		for n := 0; ; n++ {
			failing := NewFailing(archive(t), func(i int, _ Op) error {
				if i == n {
					return broken
				}
				return nil
			})
			err := what.do(store.OS().With("s3", failing))
			ops := failing.Ops()
			if len(ops) <= n {
				if err != nil || n == 0 {
					t.Errorf("%s with %d operations: %v", what.name, n, err)
				}
				break
			}
			if !errors.Is(err, broken) {
				t.Errorf("%s with %v that fails: %v", what.name, ops[n], err)
			}
		}
	}
}

// TestNoStore names a URL that no store is for.
func TestNoStore(t *testing.T) {
	for _, name := range []string{"s3://data/a", "other://a/b"} {
		if _, err := store.OS().Open(name); !errors.Is(err, store.ErrNoStore) {
			t.Errorf("%s: %v", name, err)
		}
		if store.OS().IsLocal(name) || store.OS().HasStore(name) {
			t.Errorf("%s is local", name)
		}
	}
}
