package remote_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tfr-build/internal/bucket"
	"tfr-build/internal/buckettest"
	"tfr-build/internal/remote"
	"tfr-build/internal/vfs"
)

func start(t *testing.T) (*remote.FS, *buckettest.Proxy) {
	t.Helper()
	g := buckettest.Start(t)
	g.Bucket(t, "data")
	p := g.Proxy(t)
	buckettest.Env(t, p.URL)
	f := remote.New(t.Context(), vfs.OS(), bucket.Options{Backoff: time.Millisecond, Retry: 100 * time.Millisecond, RangeSize: 1 << 16})
	t.Cleanup(f.Close)
	return f, p
}

// put gives a file the name of an object.
func put(t *testing.T, f *remote.FS, name string, data []byte) {
	t.Helper()
	local := filepath.Join(t.TempDir(), "local")
	if err := os.WriteFile(local, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := f.Rename(local, name); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Stat(local); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what was uploaded is still there: %v", err)
	}
}

func noise(n int) []byte {
	data := make([]byte, n)
	rand.NewChaCha8([32]byte{3}).Read(data)
	return data
}

func TestObjectsAreReadAsFiles(t *testing.T) {
	f, _ := start(t)
	data := noise(300_000)
	put(t, f, "s3://data/a/b/large", data)
	put(t, f, "s3://data/a/empty", nil)
	for name, want := range map[string][]byte{"s3://data/a/b/large": data, "s3://data/a/empty": {}} {
		got, err := vfs.ReadFile(f, name)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s has %d bytes, %v", name, len(got), err)
		}
	}
	in, err := f.Open("s3://data/a/b/large")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	for _, at := range []struct{ off, n, want int }{{0, 10, 10}, {299_990, 10, 10}, {299_995, 10, 5}, {300_000, 1, 0}, {300_001, 1, 0}, {5, 0, 0}} {
		buf := make([]byte, at.n)
		n, err := in.ReadAt(buf, int64(at.off))
		if n != at.want || (err == io.EOF) != (n < at.n) || err != nil && err != io.EOF || !bytes.Equal(buf[:n], data[min(at.off, len(data)):][:n]) {
			t.Errorf("%d bytes at %d: %d, %v", at.n, at.off, n, err)
		}
	}
	if _, err := in.Write(nil); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("it was written to: %v", err)
	}
}

func TestFoldersOfObjects(t *testing.T) {
	f, _ := start(t)
	for _, name := range []string{"a/b/one", "a/b/two", "a/c"} {
		put(t, f, "s3://data/"+name, []byte(name))
	}
	entries, err := f.ReadDir("s3://data/a")
	if err != nil || len(entries) != 2 || entries[0].Name() != "b" || !entries[0].IsDir() || entries[1].Name() != "c" || entries[1].IsDir() {
		t.Errorf("%v, %v", entries, err)
	}
	for name, want := range map[string]struct {
		isDir bool
		err   error
	}{
		"s3://data": {isDir: true}, "s3://data/a": {isDir: true}, "s3://data/a/": {isDir: true}, "s3://data/a/c": {},
		"s3://data/d": {err: fs.ErrNotExist}, "s3://data/a/c/d": {err: fs.ErrNotExist}, "s3://nobody": {err: fs.ErrNotExist}, "s3://nobody/a": {err: fs.ErrNotExist},
	} {
		info, err := f.Stat(name)
		if !errors.Is(err, want.err) || err == nil && info.IsDir() != want.isDir {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if err := f.Remove("s3://data/a/c"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Lstat("s3://data/a/c"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it was removed: %v", err)
	}
}

func TestAnObjectThatChangesIsNotRead(t *testing.T) {
	f, _ := start(t)
	put(t, f, "s3://data/a", noise(1000))
	in, err := f.Open("s3://data/a")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	put(t, f, "s3://data/a", make([]byte, 1000))
	if n, err := in.ReadAt(make([]byte, 10), 0); n > 0 || !errors.Is(err, bucket.ErrChanged) {
		t.Errorf("%d bytes, %v", n, err)
	}
	if n, err := in.Read(make([]byte, 10)); n > 0 || !errors.Is(err, bucket.ErrChanged) {
		t.Errorf("%d bytes, %v", n, err)
	}
}

func TestErrorsNameTheObjectOnce(t *testing.T) {
	f, p := start(t)
	put(t, f, "s3://data/a", noise(1000))
	p.Add(buckettest.Rule{Method: "GET"}, buckettest.Answer(403, "AccessDenied"))
	_, err := vfs.ReadFile(f, "s3://data/a")
	if err == nil || strings.Count(err.Error(), "s3://data/a") != 1 || !strings.Contains(err.Error(), "AccessDenied (403)") || strings.Contains(err.Error(), buckettest.SecretKey) {
		t.Errorf("%v", err)
	}
	if !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%v is no lack of permission", err)
	}
}
