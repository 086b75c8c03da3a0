package store

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestListWithoutDirectory lists by prefixes that have no directory, or only the root.
func TestListWithoutDirectory(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"a1", "a2/b", "b"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	visit := func(name string, _ fs.FileInfo) error {
		got = append(got, name)
		return nil
	}
	if err := OS().List(t.Context(), "a", visit); err != nil || !slices.Equal(got, []string{"a1", "a2/b"}) {
		t.Errorf("a relative prefix: %q, %v", got, err)
	}
	got = nil
	prefix := dir[:strings.IndexByte(dir[1:], '/')+1] // the directory below the root, as in /tmp
	stop := fs.SkipAll
	err := OS().List(t.Context(), prefix, func(name string, _ fs.FileInfo) error {
		got = append(got, name)
		return stop
	})
	if err != stop || len(got) != 1 || !strings.HasPrefix(got[0], prefix) {
		t.Errorf("a prefix below the root: %q, %v", got, err)
	}
}

func TestJoinDirBase(t *testing.T) {
	for _, test := range []struct{ dir, name, want string }{
		{"a/b", "c/d", "a/b/c/d"},
		{"a//b/", ".", "a/b"},
		{"s3://bucket/a", "c/d", "s3://bucket/a/c/d"},
		{"gs://bucket/a/", "c", "gs://bucket/a/c"},
		{"s3://bucket/a", ".", "s3://bucket/a"},
		{"", "s3://bucket/a", "s3://bucket/a"},
		{"S3://bucket", "c", "S3:/bucket/c"},
	} {
		if got := Join(test.dir, test.name); got != test.want {
			t.Errorf("%s and %s are %s; want %s", test.dir, test.name, got, test.want)
		}
	}
	for name, want := range map[string][2]string{
		"a/b": {"a", "b"}, "b": {".", "b"}, "s3://bucket/a/b/": {"s3://bucket/a", "b"},
		"gs://bucket/a": {"gs://bucket", "a"},
	} {
		if dir, base := Dir(name), Base(name); dir != want[0] || base != want[1] {
			t.Errorf("%s is %s and %s; want %v", name, dir, base, want)
		}
	}
}

func TestResolveAndClean(t *testing.T) {
	for path, want := range map[string]string{
		"a/../b": "dir/b", "/a/./b/": "/a/b", "s3://bucket/a/": "s3://bucket/a",
		"gs://bucket/a/../b": "gs://bucket/a/../b",
		"":                   "dir",
	} {
		if got := Resolve("dir", path); got != want {
			t.Errorf("%s is %s; want %s", path, got, want)
		}
	}
	if got := Clean("a//b/"); got != "a/b" {
		t.Errorf("a//b/ is %s", got)
	}
}
