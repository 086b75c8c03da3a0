package input

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"tfr-build/internal/plural"
	"tfr-build/sources/files"
)

// A Listing is the list of the files of a source. The files have not been read.
type Listing struct {
	Files   []files.File // in the order of rows: byte order of their names
	Paths   []string     // of Files; nil if a file's path is its name below Dir
	Skipped files.Skipped

	Label string // name of all files together in messages

	// Sized says that each file is a row. So the listing has their sizes, and the ID of a row
	// does not depend on the rows before it.
	Sized bool

	// Heads has a description of each file's header, in a form of the source type. It is nil if
	// headers have not been read or have no information. With Heads, no header is read again.
	Heads []string

	Inputs  []string    // paths that are read: files, or their common directory
	Dirs    []string    // directories whose files all are rows: a file written there would become input
	Watched []Directory // directories in which a new or removed file changes the listing
}

// A Directory is a directory with Depth levels below it, or all levels if Depth is files.AnyDepth.
type Directory struct {
	Path  string
	Depth int
}

// Skips returns warnings about the files that the listing skipped. It does not count hidden files:
// systems add them to any directory, and they are not input.
func (l *Listing) Skips() []Warning {
	s := &l.Skipped
	list := AppendRemark(nil, s.Links, "link", "skipped (follow_links is false)", "")
	list = AppendRemark(list, s.Deep, "link", "to a directory skipped: ** follows none", "")
	list = AppendRemark(list, s.Loops, "link", "back to a directory around it skipped", "")
	list = AppendRemark(list, s.Extensions, "file", "of another extension skipped", "")
	list = AppendRemark(list, s.Empty, "directory", "without a file for the source", "CLASS_EMPTY")
	list = AppendRemark(list, s.Duplicates, "file", "under a second name; both are rows", "SAME_FILE")
	for _, pattern := range slices.Sorted(maps.Keys(s.Excluded)) {
		if s.Excluded[pattern] == 0 {
			list = append(list, Warning{Text: fmt.Sprintf("exclude: the pattern %+q matches no file", pattern)})
		}
	}
	return list
}

// AppendRemark appends a warning about n things, if n is not 0. code may be empty.
func AppendRemark(list []Warning, n int, noun, text, code string) []Warning {
	if n == 0 {
		return list
	}
	return append(list, Warning{Code: code, Text: plural.Of(n, noun) + " " + text})
}

// HiddenText says how many hidden files the listing skipped; it is empty if it skipped nothing.
func (s *Listing) HiddenText() string {
	if s.Skipped.Hidden == 0 {
		return ""
	}
	return plural.Of(s.Skipped.Hidden, "hidden file") + " skipped"
}

// Denied returns an error with the first ten inputs that cannot be read, each an Error.
func Denied(denied []files.Denied) error {
	var list []error
	for _, d := range denied {
		list = append(list, &Error{Path: d.Path, Err: d.Err})
	}
	slices.SortFunc(list, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	const most = 10
	if more := len(list) - most; more > 0 {
		list = append(list[:most], &Error{Err: fmt.Errorf("and %d more cannot be read", more)})
	}
	return errors.Join(list...)
}

// Walk lists the files of a directory, all of which must be readable.
func Walk(ctx context.Context, sys *files.System, walk *files.Walk) (*files.Tree, error) {
	all, err := sys.Walk(ctx, walk)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, &Error{Path: walk.Dir, Err: err}
	case len(all.Denied) > 0:
		return nil, Denied(all.Denied)
	}
	return all, nil
}
