package objects

import (
	"testing"

	"tfr-build/internal/store"
)

// TestCheckPath refuses what was meant to be a URL or the home directory, and would be a
// directory here.
func TestCheckPath(t *testing.T) {
	for path, want := range map[string]bool{
		"a/b": true, "s3://bucket/k": true, "gs://bucket": true, "file:///a": true, "./s3:/a": true, "s3x": true,
		"c:x":     true,
		"s3:/b/k": false, "gs:b": false, "s3:": false, "s3://": false, "http://a/b": false, "file://host/a": false,
		"~": false, "~/": false, "~/out": false, "./~": true, "./~/out": true, "a/~/b": true, "~a": true,
		"~$draft.csv": true,
		"":            true,
	} {
		if err := CheckPath(path); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
		if plain := Plain(path); want && plain != path || CheckPath(plain) != nil && !store.IsURL(path) {
			t.Errorf("%s is plainly %s", path, plain)
		}
	}
}
