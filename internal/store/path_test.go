package store

import "testing"

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
		"a/b": {"a", "b"}, "b": {".", "b"}, "s3://bucket/a/b/": {"s3://bucket/a", "b"}, "gs://bucket/a": {"gs://bucket", "a"},
	} {
		if dir, base := Dir(name), Base(name); dir != want[0] || base != want[1] {
			t.Errorf("%s is %s and %s; want %v", name, dir, base, want)
		}
	}
}

func TestResolveAndClean(t *testing.T) {
	for path, want := range map[string]string{
		"a/../b": "dir/b", "/a/./b/": "/a/b", "s3://bucket/a/": "s3://bucket/a", "gs://bucket/a/../b": "gs://bucket/a/../b", "": "dir",
	} {
		if got := Resolve("dir", path); got != want {
			t.Errorf("%s is %s; want %s", path, got, want)
		}
	}
	if got := Clean("a//b/"); got != "a/b" {
		t.Errorf("a//b/ is %s", got)
	}
}
