package sink

import (
	"fmt"
	"path/filepath"
	"unicode/utf8"

	"tfr-build/internal/store"

	"github.com/zeebo/xxh3"
)

// MaxName is the length in bytes that most file systems allow for a file name.
const MaxName = 255

// wrapName returns before + name + after. If that is longer than [MaxName], a digest of name
// replaces the end of name.
func wrapName(before, name, after string) string {
	if len(before)+len(name)+len(after) <= MaxName {
		return before + name + after
	}
	after = fmt.Sprintf("~%016x%s", xxh3.HashString(name), after)
	end := MaxName - len(before) - len(after)
	for end > 0 && !utf8.RuneStart(name[end]) { // some file systems reject an incomplete character
		end--
	}
	return before + name[:end] + after
}

// StagingPath returns the staging directory for an output, which is in the same directory as
// the output. For an output in a bucket, it is the prefix of the job object and of state.json:
// the build itself works in a local directory.
func StagingPath(output string) string {
	return store.Join(store.Dir(output), wrapName(".", store.Base(output), ".tfr"))
}

// tempSuffix ends the names of files that are not complete.
const tempSuffix = ".tmp"

// tempPath returns the path of a file until it is complete. Published names that begin with a dot
// do not end with tempSuffix, so they cannot conflict with it.
func tempPath(dir, name string) string { return filepath.Join(dir, wrapName(".", name, tempSuffix)) }
