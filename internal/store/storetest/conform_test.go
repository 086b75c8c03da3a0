package storetest

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tfr-build/internal/bucket"
	"tfr-build/internal/buckettest"
	"tfr-build/internal/filetest"
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

// TestCrashModel is the local store over the file system of the crash model.
func TestCrashModel(t *testing.T) {
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
	opt := bucket.Options{Backoff: time.Millisecond, Retry: 100 * time.Millisecond, RangeSize: 1 << 16,
		PartSize: 5 << 20}
	s := objects.Reach(t.Context(), store.OS(), opt)
	t.Cleanup(s.Close)
	placeObjects(t, s, "s3://data/in")
	Read(t, s, "s3://data/in")
	Write(t, s, "s3://data/out", t.TempDir())
	none := "s3://none/out/a"
	if _, err := s.Describe(t.Context(), none); !errors.Is(err, store.ErrNoBucket) || store.IsMissing(err) {
		t.Errorf("in a bucket that does not exist: %v", err)
	}
	for _, name := range []string{"s3://a b/c", "s3://key:secret@data/c"} {
		if err := s.CheckName(name); !errors.Is(err, store.ErrName) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// placeObjects puts Files to a directory of a store.
func placeObjects(t *testing.T, s *store.Storage, dir string) {
	t.Helper()
	for name, data := range Files() {
		if _, err := s.Put(t.Context(), store.Join(dir, name), bytes.NewReader(data), int64(len(data)),
			store.Condition{}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAbort aborts an upload that another process is making, which then fails.
func TestAbort(t *testing.T) {
	g := buckettest.Start(t)
	g.Bucket(t, "data")
	p := g.Proxy(t)
	buckettest.Env(t, p.URL)
	s := objects.Reach(t.Context(), store.OS(), bucket.Options{Retry: 100 * time.Millisecond, PartSize: 5 << 20})
	t.Cleanup(s.Close)
	abort := sync.OnceFunc(func() {
		found, err := s.Uploads(t.Context(), "s3://data/out/")
		if err != nil || len(found) != 1 || found[0].Name != "s3://data/out/a" {
			t.Errorf("%v, %v", found, err)
		}
		for _, up := range found {
			if err := errors.Join(s.Abort(t.Context(), up), s.Abort(t.Context(), up)); err != nil {
				t.Error(err)
			}
		}
	})
	// No part arrives before the upload is aborted: versitygw answers 500 for ever if one arrives meanwhile.
	p.Add(buckettest.Rule{Method: "PUT", Query: "partNumber"},
		func(w http.ResponseWriter, r *http.Request, pass func() *http.Response) {
			abort()
			buckettest.Slow(0)(w, r, pass)
		})
	_, err := s.Put(t.Context(), "s3://data/out/a", bytes.NewReader(make([]byte, 6<<20)), 6<<20, store.Condition{})
	if !errors.Is(err, store.ErrAborted) {
		t.Errorf("%v", err)
	}
}

// TestRepeatedWriteStopsWithTheCaller ends a write that is repeated, by an error of the caller.
func TestRepeatedWriteStopsWithTheCaller(t *testing.T) {
	g := buckettest.Start(t)
	g.Bucket(t, "data")
	p := g.Proxy(t)
	buckettest.Env(t, p.URL)
	s := objects.Reach(t.Context(), store.OS(), bucket.Options{Backoff: time.Millisecond})
	t.Cleanup(s.Close)
	p.Add(buckettest.Rule{Method: "PUT"}, buckettest.Answer(500, "InternalError"))
	lost := errors.New("lost")
	cond := store.Condition{Still: func(context.Context) error { return lost }}
	if _, err := s.Put(t.Context(), "s3://data/a", strings.NewReader("x"), 1, cond); err != lost {
		t.Errorf("%v", err)
	}
}

func TestMemory(t *testing.T) {
	s := store.OS().With("s3", new(Memory))
	placeObjects(t, s, "s3://data/in")
	Read(t, s, "s3://data/in")
	Write(t, s, "s3://data/out", t.TempDir())
}

// archive returns a storage in which the directory s3://archive has Files, of a zip archive.
func archive(t *testing.T) Zip {
	t.Helper()
	w := filetest.NewZip(t)
	for name, data := range Files() {
		w.Add(name, string(data))
	}
	data := w.Finish()
	r, err := zip.NewReader(strings.NewReader(data), int64(len(data)))
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
	never := func(int, Op) error { return nil }
	Read(t, store.OS().With("s3", NewFailing(archive(t), never)), "s3://archive")
	Write(t, store.OS().With("s3", NewFailing(new(Memory), never)), "s3://data", t.TempDir())
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
