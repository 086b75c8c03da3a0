package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"tfr-build/internal/bucket"
	"tfr-build/internal/buckettest"
	"tfr-build/internal/store"
	"tfr-build/internal/store/objects"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// twice is a directory and a bucket with the same files.
func twice(t *testing.T, names ...string) (sys *System, dir string) {
	t.Helper()
	g := buckettest.Start(t)
	g.Bucket(t, "data")
	buckettest.Env(t, g.URL)
	dir = t.TempDir()
	storage := objects.Reach(t.Context(), store.OS(), bucket.Options{})
	t.Cleanup(storage.Close)
	sys = New(t.Context(), storage)
	t.Cleanup(sys.Close)
	for _, name := range names {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777),
			os.WriteFile(file, []byte(name), 0o666)); err != nil {
			t.Fatal(err)
		}
		_, err := storage.Put(t.Context(), "s3://data/in/"+name, strings.NewReader(name), int64(len(name)),
			store.Condition{})
		if err != nil {
			t.Fatal(err)
		}
	}
	return sys, dir
}

const inBucket = "s3://data/in"

var listed = []string{
	"b.csv", "a.csv", "x/c.csv", "x/y/d.csv", "x/e.txt", "z/f.txt", ".h/g.csv", ".h/i.csv", "x/.j.csv", "x/y/k.csv~",
	"x-/l.csv", "only/.hidden/m.csv", "deep/er/n.txt", "Thumbs.db",
}

// TestSamePatterns expands patterns in a directory and in a bucket.
func TestSamePatterns(t *testing.T) {
	sys, dir := twice(t, listed...)
	for _, pattern := range []string{
		"*.csv", "*/*.csv", "**/*.csv", "x/**/*.csv", "none*", "**/**/*.csv", "*/y/*.csv", "*/a.csv/*", "**/x/**/*.csv",
		"**", "x/**",
		"x/[a-d].csv", ".h/*.csv", "*/.j.csv", "x/.*", "?/*.csv", "**/.hidden/*.csv", "**/**/y/*", "x*/*", "x/*/d.csv",
		"a.csv", "x",
	} {
		expand := func(root string) string {
			found, skipped, err := sys.Expand(t.Context(), store.Join(root, pattern))
			if err != nil {
				t.Fatal(err)
			}
			var list []string
			for _, f := range found {
				name, _ := store.Rel(root, f.Path)
				list = append(list, fmt.Sprint(name, " ", f.File.Size, f.Err == nil && f.File.Regular))
			}
			slices.Sort(list)
			return fmt.Sprint(list, skipped.Hidden)
		}
		// which is not an object, but a directory
		if got, want := expand(inBucket), expand(dir); got != want && pattern != "x" {
			t.Errorf("%s: %s, want %s", pattern, got, want)
		}
	}
	if _, _, err := sys.Expand(t.Context(), inBucket+"/[*"); err == nil {
		t.Error("a malformed pattern passes")
	}
}

// TestSameTrees walks a directory and a bucket.
func TestSameTrees(t *testing.T) {
	sys, dir := twice(t, listed...)
	for _, w := range []Walk{
		{}, {Extensions: map[string]bool{"csv": true}},
		{Extensions: map[string]bool{"txt": true}, Exclude: []string{"x/**"}},
		{Include: []string{"*/*.csv", "z/*"}}, {Extensions: map[string]bool{"none": true}},
	} {
		walk := func(root string) string {
			w := w
			w.Dir, w.Workers = root, 2
			tree, err := sys.Walk(t.Context(), &w)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for _, f := range tree.Files {
				fmt.Fprint(&b, f.Name, " ", f.Size, f.Regular, "\n")
			}
			return fmt.Sprintf("%s%+v", b.String(), tree.Skipped)
		}
		if got, want := walk(inBucket), walk(dir); got != want {
			t.Errorf("%+v:\n%s\nwant\n%s", w, got, want)
		}
	}
}

// TestSameReads reads the same files in all ways.
func TestSameReads(t *testing.T) {
	sys, dir := twice(t, listed...)
	for _, root := range []string{dir, inBucket} {
		f, err := sys.Stat("x/c.csv", store.Join(root, "x/c.csv"))
		if err != nil {
			t.Fatal(err)
		}
		below, err := sys.OpenDirectory(root, false)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := below.Read(nil, &f); string(got) != "x/c.csv" || err != nil {
			t.Errorf("Folder.Read: %q, %v", got, err)
		}
		if got, err := sys.ReadFile(store.Join(root, "x/c.csv"), 1<<20); string(got) != "x/c.csv" || err != nil {
			t.Errorf("ReadFile: %q, %v", got, err)
		}
		h, err := sys.Open(store.Join(root, "x/c.csv"), &f)
		if err != nil {
			t.Fatal(err)
		}
		var at [4]byte
		if n, err := h.ReadAt(at[:], 4); n != 3 || err == nil || string(at[:n]) != "csv" {
			t.Errorf("ReadAt: %d, %v", n, err)
		}
		if err := errors.Join(h.Close(), below.Close()); err != nil {
			t.Error(err)
		}
		if isDir, err := sys.IsDir(store.Join(root, "x")); !isDir || err != nil {
			t.Errorf("IsDir of a directory: %t, %v", isDir, err)
		}
		if isDir, err := sys.IsDir(store.Join(root, "x/c.csv")); isDir || err != nil {
			t.Errorf("IsDir of a file: %t, %v", isDir, err)
		}
		if _, err := sys.IsDir(store.Join(root, "none")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("IsDir of nothing: %v", err)
		}
		f.Size++
		if err := sys.Unchanged(store.Join(root, "x/c.csv"), &f); err != ErrChanged {
			t.Errorf("Unchanged: %v", err)
		}
	}
}

func roomFor(size int) []byte { return make([]byte, 0, size) }

// TestNamesStayInside reads files by names from rows.
func TestNamesStayInside(t *testing.T) {
	sys, dir := twice(t, listed...)
	for _, root := range []string{dir, inBucket} {
		r := sys.Root(store.Join(root, "x"), nil)
		for name, want := range map[string]error{
			"c.csv": nil, "y/d.csv": nil, "./y/../c.csv": nil, store.Join(root, "x/c.csv"): nil,
			"../a.csv": ErrOutside, "y/../../a.csv": ErrOutside, "/etc/hosts": ErrOutside,
			"s3://data/in/a.csv": ErrOutside,
			"none.csv":           fs.ErrNotExist, "": ErrOutside,
		} {
			if root == dir && (strings.HasPrefix(name, "s3:") || name == "./y/../c.csv") {
				continue
			}
			if _, err := r.Read(roomFor, name, 100); err != want {
				t.Errorf("%s of %s: %v, want %v", name, root, err, want)
			}
		}
		large := new(store.LargeError)
		if _, err := r.Read(nil, "c.csv", 3); !errors.As(err, &large) || large.Size != 7 {
			t.Errorf("a large file: %v", err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestPrefetchedNames prefetches more files than are in flight at a time, as the list of a row. They are read in this
// order; some are passed over, and one is larger than what the row may still have.
func TestPrefetchedNames(t *testing.T) {
	var names []string
	for i := range 3 * maxPrefetched {
		names = append(names, fmt.Sprintf("%03d.txt", i))
	}
	sys, _ := twice(t, names...)
	r := sys.Root(inBucket, nil).(*remoteRoot)
	for _, name := range names {
		r.Prefetch(name, 100)
	}
	for i, name := range names {
		if i%maxPrefetched == 5 || i == len(names)/2 {
			continue
		}
		limit := 100
		if i == 7 {
			limit = 6
		}
		data, err := r.Read(nil, name, limit)
		if large := new(store.LargeError); i == 7 && !errors.As(err, &large) || i != 7 &&
			(err != nil || string(data) != name) {
			t.Errorf("%s: %q, %v", name, data, err)
		}
		if want := min(maxPrefetched, len(names)-i-1); r.begun != want || len(r.files) != len(names)-i-1 {
			t.Errorf("after %s, %d of %d files are fetched; want %d of %d", name, r.begun, len(r.files), want,
				len(names)-i-1)
		}
	}
	for range 2 * maxWaiting {
		r.Prefetch(names[0], 100)
	}
	if len(r.files) > maxPrefetched+maxWaiting {
		t.Errorf("%d names wait", len(r.files))
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// TestCancelledBuckets cancels the context of a System.
func TestCancelledBuckets(t *testing.T) {
	_, _ = twice(t, "a.csv")
	ctx, cancel := context.WithCancel(t.Context())
	storage := objects.Reach(t.Context(), store.OS(), bucket.Options{})
	defer storage.Close()
	sys := New(ctx, storage)
	defer sys.Close()
	f, err := sys.Stat("a.csv", inBucket+"/a.csv")
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if h, err := sys.Open(inBucket+"/a.csv", &f); err == nil {
		if _, err = h.Read(make([]byte, 1)); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		h.Close()
	}
}
