package input

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"tfr-build/internal/plural"
	"tfr-build/sources/files"
)

// A Listing is what was found where a source looks for files. Nothing of the
// files has been read.
type Listing struct {
	Files   []files.File // in the order of rows: byte order of their names
	Paths   []string     // beside Files; nil where a file stands below Dir under its name
	Skipped files.Skipped

	Label string // how messages about all of it name it

	// Sized says that files are rows, so that the listing tells their sizes and
	// a row's address does not depend on what stands before it.
	Sized bool

	// Heads are what the heads of the files told, beside Files, in words of the kind of the
	// source; nil where they are not read, or tell nothing. Whoever has them reads no head.
	Heads []string

	Inputs  []string // paths that are read: files, or the folder of all of them
	Dirs    []string // folders all of whose files are rows: what is written there would become input
	Watched []Folder // folders where a file that comes or goes changes the listing
}

// A Folder is a folder and so many levels below it; any number where Depth is
// files.AnyDepth.
type Folder struct {
	Path  string
	Depth int
}

// Skips are sentences about what the listing skipped.
func (l *Listing) Skips() []string {
	s := &l.Skipped
	var list []string
	say := func(n int, noun, text string) { list = AppendRemark(list, n, noun, text) }
	coded := func(n int, noun, text, code string) { say(n, noun, text+" ["+code+"]") }
	say(s.Hidden, "hidden file", "skipped")
	say(s.Links, "link", "skipped (follow_links is false)")
	say(s.Loops, "link", "back to a folder around it skipped")
	say(s.Extensions, "file", "of another extension skipped")
	coded(s.Empty, "folder", "without a file that is asked for", "CLASS_EMPTY")
	coded(s.Duplicates, "file", "under a second name; both are rows", "SAME_FILE")
	for _, pattern := range slices.Sorted(maps.Keys(s.Excluded)) {
		if s.Excluded[pattern] == 0 {
			list = append(list, fmt.Sprintf("exclude: the pattern %+q matches no file", pattern))
		}
	}
	return list
}

// AppendRemark appends a sentence about n things, if there is one.
func AppendRemark(list []string, n int, noun, text string) []string {
	if n == 0 {
		return list
	}
	return append(list, plural.Of(n, noun)+" "+text)
}

// Denied names the first ten inputs that cannot be read, each an Error.
func Denied(denied []files.Denied) error {
	var list []error
	for _, d := range denied {
		list = append(list, &Error{d.Path, d.Err})
	}
	slices.SortFunc(list, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	const most = 10
	if more := len(list) - most; more > 0 {
		list = append(list[:most], &Error{"", fmt.Errorf("and %d more cannot be read", more)})
	}
	return errors.Join(list...)
}
