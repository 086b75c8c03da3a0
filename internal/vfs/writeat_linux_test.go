//go:build amd64 || arm64

package vfs

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// openDirect opens a file for direct writes, on any file system.
func openDirect(t *testing.T, name string) *osFile {
	t.Helper()
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	file := &osFile{File: f}
	file.local = true
	return file
}

// TestWriteAtEqualsOS writes with and without the scheduler. The file takes all bytes, some, or
// none.
func TestWriteAtEqualsOS(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		name string
		size int
		off  int64
	}{
		{filepath.Join(dir, "file"), 0, 5},
		{filepath.Join(dir, "file"), 1, 0},
		{filepath.Join(dir, "file"), 3 << 20, 1000},
		{filepath.Join(dir, "file"), 100, math.MaxInt64 - 50},   // a part, where files may be as long as numbers go
		{filepath.Join(dir, "file"), 9000, 16<<40 - 4096 - 500}, // a part, on ext4
		{"/dev/full", 10, 0},
	} {
		data := bytes.Repeat([]byte("some text "), test.size/10+1)[:test.size]
		f := openDirect(t, test.name)
		_, want := f.File.WriteAt(data, test.off)
		wantBytes := contents(t, f.File)
		f.Truncate(0)
		n, err := f.WriteAt(data, test.off)
		if !sameFault(err, want) || (n == test.size) != (want == nil) {
			t.Errorf("%d bytes at %d of %s: %d, %v, want %v", test.size, test.off, test.name, n, err, want)
		}
		if !bytes.Equal(contents(t, f.File), wantBytes) {
			t.Errorf("%d bytes at %d: other bytes", test.size, test.off)
		}
		f.Truncate(0)
	}
}

// sameFault reports whether two errors have the same operation, path, and cause.
func sameFault(a, b error) bool {
	var x, y *fs.PathError
	if !errors.As(a, &x) || !errors.As(b, &y) {
		return a == nil && b == nil
	}
	return *x == *y
}

// contents returns the bytes of a short file, and none of a long or strange one.
func contents(t *testing.T, f *os.File) []byte {
	t.Helper()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if !info.Mode().IsRegular() || info.Size() > 10<<20 {
		return nil
	}
	data := make([]byte, info.Size())
	if _, err := f.ReadAt(data, 0); err != nil {
		t.Fatal(err)
	}
	return data
}

func TestWriteAtOfAClosedFile(t *testing.T) {
	f := openDirect(t, filepath.Join(t.TempDir(), "file"))
	f.Close()
	if n, err := f.WriteAt([]byte("text"), 0); n != 0 || !errors.Is(err, os.ErrClosed) {
		t.Errorf("%d, %v", n, err)
	}
}

// TestWriteModeOfSlowFiles checks that the scheduler knows of writes to a pipe, and of writes to
// a slow disk.
func TestWriteModeOfSlowFiles(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	var pipe writeMode
	if pipe.detect(w); pipe.local {
		t.Error("a pipe is a file on a disk")
	}
	f := openDirect(t, filepath.Join(t.TempDir(), "file"))
	if f.recordTime(maxWriteTime); f.slow.Load() {
		t.Error("a write that took its time was late")
	}
	if f.recordTime(maxWriteTime + time.Nanosecond); !f.slow.Load() {
		t.Error("a write that waited was not late")
	}
	if n, err := f.WriteAt([]byte("text"), 0); n != 4 || err != nil {
		t.Errorf("late: %d, %v", n, err)
	}
}
