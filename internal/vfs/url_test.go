package vfs

import "testing"

func TestURLsAreJoinedAndSplit(t *testing.T) {
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
		if dir, base := Split(name); dir != want[0] || base != want[1] {
			t.Errorf("%s is %s and %s; want %v", name, dir, base, want)
		}
	}
}
