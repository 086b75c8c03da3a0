package sink

import (
	"fmt"
	"path/filepath"
	"unicode/utf8"

	"tfr-build/internal/store"

	"github.com/zeebo/xxh3"
)

// MaxName is how many bytes a name can have on most file systems.
const MaxName = 255

// around is a name that tells of another one: before + name + after. Where that is
// longer than a name can be, the end of name gives way to its digest.
func around(before, name, after string) string {
	if len(before)+len(name)+len(after) <= MaxName {
		return before + name + after
	}
	after = fmt.Sprintf("~%016x%s", xxh3.HashString(name), after)
	end := MaxName - len(before) - len(after)
	for end > 0 && !utf8.RuneStart(name[end]) { // some file systems take no part of a character
		end--
	}
	return before + name[:end] + after
}

// StagingPath is the folder beside the output in which a run works. For an output in
// a bucket it is what a run keeps there; it works in a local folder.
func StagingPath(output string) string {
	return store.Join(store.Dir(output), around(".", store.Base(output), ".tfr"))
}

// tempName is the name of a file in a folder until it is whole. Nothing that is
// published begins with a dot, so it is nobody else's.
func tempName(dir, name string) string { return filepath.Join(dir, around(".", name, ".tmp")) }
