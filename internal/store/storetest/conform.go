// Package storetest has the conformance kit that every store passes, and stores for tests: objects in
// memory, the files of a zip archive, and a store whose operations fail.
package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"tfr-build/internal/crc32c"
	"tfr-build/internal/store"
)

// Large is the size of the largest file of [Files]: more than what is read at once.
const Large = 300_000

// Files are what a store has that [Read] tests, by name.
func Files() map[string][]byte {
	large := make([]byte, Large)
	for i := range large {
		large[i] = byte(i * 31 >> 4)
	}
	return map[string][]byte{
		"a/b/large": large, "a/b/two": []byte("a/b/two"), "a/c": []byte("a/c"), "a/empty": {}, "a!": []byte("a!"),
		"a0/x y": []byte("x"), "é": []byte("é"),
	}
}

// Read tests what can be read of a storage whose directory dir has [Files] and nothing else.
func Read(t *testing.T, s *store.Storage, dir string) {
	t.Run("Open", func(t *testing.T) { read(t, s, dir) })
	t.Run("ReadAt", func(t *testing.T) { readAt(t, s, dir) })
	t.Run("Stat", func(t *testing.T) { stat(t, s, dir) })
	t.Run("ReadDir", func(t *testing.T) { readDir(t, s, dir) })
	t.Run("List", func(t *testing.T) { list(t, s, dir) })
	t.Run("Get", func(t *testing.T) { get(t, s, dir) })
	t.Run("OpenVersion", func(t *testing.T) { openVersion(t, s, dir) })
}

// read reads all files from their beginning, and in ranges.
func read(t *testing.T, s *store.Storage, dir string) {
	for name, want := range Files() {
		path := store.Join(dir, name)
		got, err := store.ReadFile(s, path)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s has %d bytes, %v", name, len(got), err)
		}
		f, err := s.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		info, err := f.Stat()
		if err != nil || info.Size() != int64(len(want)) || !info.Mode().IsRegular() || f.Name() != path {
			t.Errorf("%s: %v, %v", f.Name(), info, err)
		}
		begin, n := int64(len(want)/3), int64(len(want)/2)
		in := store.Range(f, begin, n)
		got, err = io.ReadAll(in)
		if err = errors.Join(err, in.Close(), f.Close()); err != nil || !bytes.Equal(got, want[begin:begin+n]) {
			t.Errorf("a range of %s has %d bytes, %v", name, len(got), err)
		}
	}
	if _, err := s.Open(store.Join(dir, "a/none")); !errors.Is(err, fs.ErrNotExist) ||
		!isPathError(err, store.Join(dir, "a/none")) {
		t.Errorf("a file that does not exist: %v", err)
	}
}

// isPathError reports whether an error names the file, once.
func isPathError(err error, path string) bool {
	_, ok := errors.AsType[*fs.PathError](err)
	return ok && strings.Count(err.Error(), path) == 1
}

// readAt reads as io.ReaderAt says, up to and beyond the end.
func readAt(t *testing.T, s *store.Storage, dir string) {
	data := Files()["a/b/large"]
	f, err := s.Open(store.Join(dir, "a/b/large"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, at := range []struct{ off, n, want int }{
		{0, 10, 10}, {Large - 10, 10, 10}, {Large - 5, 10, 5}, {Large, 1, 0}, {Large + 1, 1, 0}, {5, 0, 0},
		{100, Large - 100, Large - 100},
	} {
		buf := make([]byte, at.n)
		n, err := f.ReadAt(buf, int64(at.off))
		if n != at.want || n < at.n && err != io.EOF || err != nil && err != io.EOF ||
			!bytes.Equal(buf[:n], data[min(at.off, len(data)):][:n]) {
			t.Errorf("%d bytes at %d: %d, %v", at.n, at.off, n, err)
		}
	}
}

// stat describes files and directories.
func stat(t *testing.T, s *store.Storage, dir string) {
	for name, want := range map[string]struct {
		isDir bool
		size  int64
		err   error
	}{
		"a": {isDir: true}, "a/b": {isDir: true}, "a/c": {size: 3}, "a/b/large": {size: Large}, "a/empty": {},
		"none":   {err: fs.ErrNotExist},
		"a/none": {err: fs.ErrNotExist}, "a/b/tw": {err: fs.ErrNotExist},
	} {
		info, err := s.Stat(store.Join(dir, name))
		switch {
		case !errors.Is(err, want.err):
			t.Errorf("%s: %v", name, err)
		case err != nil:
		case info.IsDir() != want.isDir || info.Mode().IsRegular() == want.isDir ||
			!want.isDir && info.Size() != want.size:
			t.Errorf("%s: %s, %d bytes", name, info.Mode(), info.Size())
		}
	}
}

// readDir lists directories in the order of their names.
func readDir(t *testing.T, s *store.Storage, dir string) {
	for name, want := range map[string]string{
		".": "[a/ a! a0/ é]", "a": "[b/ c empty]", "a/b": "[large two]", "a0": "[x y]",
	} {
		entries, err := s.ReadDir(store.Join(dir, name))
		var got []string
		for _, e := range entries {
			if e.IsDir() {
				got = append(got, e.Name()+"/")
			} else {
				got = append(got, e.Name())
			}
		}
		slices.SortFunc(got, func(a, b string) int {
			return strings.Compare(strings.TrimSuffix(a, "/"),
				strings.TrimSuffix(b, "/"))
		})
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %s; %v", name, got, want, err)
		}
	}
}

// list lists by prefixes, also by those that end within a name.
func list(t *testing.T, s *store.Storage, dir string) {
	for prefix, want := range map[string]string{
		"": "[a! a/b/large a/b/two a/c a/empty a0/x y é]", "a": "[a! a/b/large a/b/two a/c a/empty a0/x y]",
		"a/":  "[a/b/large a/b/two a/c a/empty]",
		"a/b": "[a/b/large a/b/two]", "a/b/t": "[a/b/two]", "none": "[]", "none/": "[]",
	} {
		got, begin := []string{}, strings.TrimSuffix(dir, "/")+"/"
		err := s.List(t.Context(), begin+prefix, func(name string, info fs.FileInfo) error {
			got = append(got, strings.TrimPrefix(name, begin))
			if size := int64(len(Files()[strings.TrimPrefix(name, begin)])); info.Size() != size {
				t.Errorf("%s has %d bytes in a listing", name, info.Size())
			}
			return nil
		})
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%q: %v, want %s; %v", prefix, got, want, err)
		}
	}
	stop := errors.New("stop")
	calls := 0
	err := s.List(t.Context(), strings.TrimSuffix(dir, "/")+"/", func(string, fs.FileInfo) error {
		calls++
		return stop
	})
	if err != stop || calls != 1 {
		t.Errorf("%d calls after a first error: %v", calls, err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := s.List(ended, strings.TrimSuffix(dir, "/")+"/",
		func(string, fs.FileInfo) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("a listing whose context has ended: %v", err)
	}
}

// get reads complete files up to a limit.
func get(t *testing.T, s *store.Storage, dir string) {
	for name, want := range Files() {
		got, info, err := s.Get(t.Context(), store.Join(dir, name), int64(len(want)))
		if err != nil || !bytes.Equal(got, want) || info.Size() != int64(len(want)) {
			t.Errorf("%s has %d bytes, %v", name, len(got), err)
		}
	}
	large := new(store.LargeError)
	if _, _, err := s.Get(t.Context(), store.Join(dir, "a/b/large"), Large-1); !errors.As(err, &large) ||
		large.Size != Large {
		t.Errorf("a file larger than the limit: %v", err)
	}
	if _, _, err := s.Get(t.Context(), store.Join(dir, "a/b"), Large); err == nil {
		t.Error("a directory was read")
	}
	if _, _, err := s.Get(t.Context(), store.Join(dir, "none"), Large); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that does not exist: %v", err)
	}
}

// openVersion opens files that were listed.
func openVersion(t *testing.T, s *store.Storage, dir string) {
	path := store.Join(dir, "a/b/large")
	info, err := s.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	version := store.VersionOf(info)
	first := func(v store.Version) (byte, error) {
		f, err := s.OpenVersion(t.Context(), path, v)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		var p [1]byte
		_, err = f.ReadAt(p[:], 100)
		return p[0], err
	}
	if got, err := first(version); err != nil || got != Files()["a/b/large"][100] {
		t.Errorf("%d, %v", got, err)
	}
	other := version
	other.ETag, other.ModTime = "other", version.ModTime+1
	if _, err := first(other); !errors.Is(err, store.ErrChanged) {
		t.Errorf("another version: %v", err)
	}
}

// Write tests what can be written to a storage that [Read] passes: dir is empty, and temp a
// directory of the local store. What is a [store.Putter] is tested as such.
func Write(t *testing.T, s *store.Storage, dir, temp string) {
	t.Run("Move", func(t *testing.T) { move(t, s, dir, temp) })
	t.Run("Copy", func(t *testing.T) { copies(t, s, dir) })
	if !s.CanPut(dir) {
		if _, err := s.Put(t.Context(), store.Join(dir, "to"), strings.NewReader(""), 0,
			store.Condition{}); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("a store that cannot put has put a file: %v", err)
		}
		return
	}
	t.Run("Put", func(t *testing.T) { put(t, s, dir) })
	t.Run("PutNew", func(t *testing.T) { putNew(t, s, dir) })
	t.Run("Same", func(t *testing.T) { same(t, s, dir) })
	t.Run("Delete", func(t *testing.T) { remove(t, s, dir) })
}

// move gives local files names in the store.
func move(t *testing.T, s *store.Storage, dir, temp string) {
	for _, text := range []string{"first", "second", ""} {
		from, to := store.Join(temp, "from"), store.Join(dir, "to")
		f, err := s.Local().Create(from)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Write([]byte(text))
		if err = errors.Join(err, f.Close(), s.Move(from, to)); err != nil {
			t.Fatal(err)
		}
		if got, err := store.ReadFile(s, to); err != nil || string(got) != text {
			t.Errorf("%q, %v; want %q", got, err, text)
		}
		if _, err := s.Lstat(from); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("what was moved is still there: %v", err)
		}
	}
	if err := s.Remove(store.Join(dir, "to")); err != nil {
		t.Error(err)
	}
	if _, err := s.Lstat(store.Join(dir, "to")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it was removed: %v", err)
	}
	if err := s.Move(store.Join(temp, "none"), store.Join(dir, "to")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing was moved: %v", err)
	}
}

// putText puts a file, and checks that it is the one that was put.
func putText(t *testing.T, s *store.Storage, name, text, over string) (etag string, err error) {
	t.Helper()
	etag, err = s.Put(t.Context(), name, strings.NewReader(text), int64(len(text)), store.Condition{Over: over})
	if err != nil {
		return "", err
	}
	info, err := s.Describe(t.Context(), name)
	if err != nil || etag == "" || store.VersionOf(info).ETag != etag || info.Size() != int64(len(text)) ||
		!store.IsExact(info) {
		t.Fatalf("%s was put with the ETag %s: %v, %v", name, etag, info, err)
	}
	if got, err := store.ReadFile(s, name); err != nil || string(got) != text {
		t.Errorf("%s is %q, %v; want %q", name, got, err, text)
	}
	return etag, nil
}

// put replaces a file, if the file has the expected ETag.
func put(t *testing.T, s *store.Storage, dir string) {
	name := store.Join(dir, "put/a b")
	if _, err := putText(t, s, name, "none", "other"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("in place of a file that does not exist: %v", err)
	}
	first, err := putText(t, s, name, "first", "")
	if err != nil {
		t.Fatal(err)
	}
	second, err := putText(t, s, name, "second", first)
	if err != nil || second == first {
		t.Fatalf("in place of the ETag %s: %s, %v", first, second, err)
	}
	for _, over := range []string{first, store.Nothing} {
		_, err := putText(t, s, name, "third", over)
		if !errors.Is(err, fs.ErrExist) || !isPathError(err, name) {
			t.Errorf("in place of the ETag %s: %v", over, err)
		}
	}
	if got, err := store.ReadFile(s, name); err != nil || string(got) != "second" {
		t.Errorf("%q, %v; want the one that was put", got, err)
	}
	if _, err := putText(t, s, name, "", ""); err != nil {
		t.Error(err)
	}
	large := strings.Repeat("0123456789abcdef", 400<<10) // more than a part of an upload
	if _, err := putText(t, s, name, large, ""); err != nil {
		t.Error(err)
	}
	short := strings.NewReader("short")
	if _, err := s.Put(t.Context(), name, short, 10, store.Condition{}); err == nil {
		t.Error("a file was put whose bytes end early")
	}
	if got, err := store.ReadFile(s, name); err != nil || string(got) != large {
		t.Errorf("%d bytes, %v; want the ones that were put", len(got), err)
	}
	if left, err := s.Uploads(t.Context(), dir); err != nil || len(left) > 0 {
		t.Errorf("uploads that are not finished: %v, %v", left, err)
	}
	if _, err := s.Describe(t.Context(), store.Join(dir, "put")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a directory is described: %v", err)
	}
}

// putNew puts a file from many goroutines: one succeeds.
func putNew(t *testing.T, s *store.Storage, dir string) {
	name := store.Join(dir, "new")
	var group sync.WaitGroup
	var winner atomic.Value
	for i := range 8 {
		group.Go(func() {
			text := fmt.Sprint("writer ", i)
			_, err := s.Put(t.Context(), name, strings.NewReader(text), int64(len(text)),
				store.Condition{Over: store.Nothing})
			if err == nil && !winner.CompareAndSwap(nil, text) {
				t.Error("two have put it")
			}
			if err != nil && !errors.Is(err, fs.ErrExist) {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got, err := store.ReadFile(s, name); err != nil || string(got) != winner.Load() {
		t.Errorf("%q, %v; want %q", got, err, winner.Load())
	}
}

// same compares files by their checksums.
func same(t *testing.T, s *store.Storage, dir string) {
	name, text := store.Join(dir, "same"), []byte("the same bytes")
	etag, err := putText(t, s, name, string(text), "")
	if err != nil {
		t.Fatal(err)
	}
	sum := crc32c.Checksum(text)
	for _, test := range []struct {
		size int64
		crc  uint32
		want bool
	}{{int64(len(text)), sum, true}, {int64(len(text)), sum + 1, false}, {int64(len(text)) + 1, sum, false}} {
		got, isSame, err := s.Same(t.Context(), name, test.size, test.crc)
		if err != nil || isSame != test.want || got != etag {
			t.Errorf("%d bytes with the CRC %x: %s, %v, %v", test.size, test.crc, got, isSame, err)
		}
	}
	if _, _, err := s.Same(t.Context(), name+"0", 1, sum); !store.IsMissing(err) {
		t.Errorf("a file that does not exist: %v", err)
	}
}

// copies copies a file, if the store is a [store.Copier]: only the bytes with the sum, and under a condition.
func copies(t *testing.T, s *store.Storage, dir string) {
	from, to, text := store.Join(dir, "copied/é a+b%"), store.Join(dir, "copy"), []byte("the copied bytes")
	size, sum := int64(len(text)), crc32c.Checksum(text)
	if _, can := s.Of(dir).(store.Copier); !can {
		if _, err := s.Copy(t.Context(), to, from, size, sum, store.Condition{}); !errors.Is(err,
			errors.ErrUnsupported) {
			t.Errorf("a store that cannot copy has copied a file: %v", err)
		}
		return
	}
	if _, err := s.Copy(t.Context(), to, from, size, sum, store.Condition{}); !errors.Is(err, store.ErrChanged) ||
		!errors.Is(err, fs.ErrNotExist) || !isPathError(err, from) {
		t.Errorf("a file that does not exist: %v", err)
	}
	if _, err := putText(t, s, from, string(text), ""); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Copy(t.Context(), to, from, size, sum+1, store.Condition{}); !errors.Is(err, store.ErrChanged) {
		t.Errorf("a file with another sum: %v", err)
	}
	etag, err := s.Copy(t.Context(), to, from, size, sum, store.Condition{Over: store.Nothing})
	if now, isSame, again := s.Same(t.Context(), to, size, sum); err != nil || again != nil || !isSame || now != etag {
		t.Errorf("a copy with the ETag %s: %s, %v, %v, %v", etag, now, isSame, err, again)
	}
	if got, err := store.ReadFile(s, to); err != nil || string(got) != string(text) {
		t.Errorf("%q, %v; want %q", got, err, text)
	}
	if _, err := s.Copy(t.Context(), to, from, size, sum, store.Condition{Over: store.Nothing}); !errors.Is(err,
		fs.ErrExist) {
		t.Errorf("a copy over a file: %v", err)
	}
	if _, err := s.Copy(t.Context(), to, from, size, sum, store.Condition{Over: etag}); err != nil {
		t.Errorf("a copy over the ETag %s: %v", etag, err)
	}
	if err := s.Delete(t.Context(), from, to); err != nil {
		t.Error(err)
	}
}

// remove removes many files, and some that do not exist.
func remove(t *testing.T, s *store.Storage, dir string) {
	var gone []string
	for i := range 40 {
		name := store.Join(dir, fmt.Sprint("many/", i))
		if _, err := s.Put(t.Context(), name, strings.NewReader("x"), 1, store.Condition{}); err != nil {
			t.Fatal(err)
		}
		gone = append(gone, name, name+" none")
	}
	stays := store.Join(dir, "many/0 stays")
	if _, err := putText(t, s, stays, "x", store.Nothing); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Delete(t.Context(), gone...), s.Delete(t.Context())); err != nil {
		t.Error(err)
	}
	var left []string
	err := s.List(t.Context(), store.Join(dir, "many/"), func(name string, _ fs.FileInfo) error {
		left = append(left, name)
		return nil
	})
	if err != nil || !slices.Equal(left, []string{stays}) {
		t.Errorf("%q, %v", left, err)
	}
}
