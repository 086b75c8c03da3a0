package files

import (
	"errors"
	"path"
	"slices"
	"strings"
)

// A Walk selects the files below a directory that a listing includes.
type Walk struct {
	Dir              string
	Extensions       map[string]bool // in lower case, without the dot; nil includes all
	Include, Exclude []string        // patterns of names relative to Dir
	FollowLinks      bool
	Workers          int // number of workers, at least 1
}

// A Tree is the result of a Walk.
type Tree struct {
	Files   []File   // in byte order of their names
	Linked  []string // links to directories
	Denied  []Denied // if it is not empty, the listing is incomplete
	Skipped Skipped
}

// A Denied is a file or directory that cannot be read.
type Denied struct {
	Path string
	Err  error
}

// Skipped counts what a listing skipped.
type Skipped struct {
	Hidden     int            // hidden files and directories, and files of desktops such as .DS_Store
	Links      int            // symbolic links, unless they are followed
	Deep       int            // links to directories below ** of a pattern, which does not follow them
	Loops      int            // links back to a directory that they are in
	Extensions int            // files with an extension that is not included
	Others     map[string]int // the same files by extension, in lower case; may be nil
	// files by each matching pattern of Exclude; after NoteIdle, 0 for a pattern without a match
	Excluded   map[string]int
	Empty      int // directories without an included file
	Duplicates int // files that are listed under another name too; they are rows nevertheless
}

// Add adds the counts of another part of the listing.
func (s *Skipped) Add(other *Skipped) {
	s.Hidden += other.Hidden
	s.Links += other.Links
	s.Deep += other.Deep
	s.Loops += other.Loops
	s.Extensions += other.Extensions
	s.Empty += other.Empty
	s.Duplicates += other.Duplicates
	for extension, n := range other.Others {
		addTo(&s.Others, extension, n)
	}
	for pattern, n := range other.Excluded {
		addTo(&s.Excluded, pattern, n)
	}
}

// NoteIdle adds a count of 0 for the patterns that excluded nothing. Call it when the listing is
// complete.
func (s *Skipped) NoteIdle(exclude []string) {
	for _, pattern := range exclude {
		addTo(&s.Excluded, pattern, 0)
	}
}

// addTo adds n to a count of a map, and creates the map if it is nil.
func addTo(counts *map[string]int, key string, n int) {
	if *counts == nil {
		*counts = map[string]int{}
	}
	(*counts)[key] += n
}

// ErrNotDirectory says that a file to list is not a directory.
var ErrNotDirectory = errors.New("not a directory")

// Takes reports whether the listing includes a file, by its name relative to Dir. In skipped it
// counts a file whose extension is not included or that a pattern excludes.
func (w *Walk) Takes(skipped *Skipped, rel string) bool { return w.includes(skipped, "", rel) }

// includes is Takes for a file in the directory rel.
func (w *Walk) includes(skipped *Skipped, rel, name string) bool {
	if extension := strings.ToLower(strings.TrimPrefix(path.Ext(name), ".")); w.Extensions != nil &&
		!w.Extensions[extension] {
		skipped.Extensions++
		addTo(&skipped.Others, extension, 1)
		return false
	}
	if len(w.Include) == 0 && len(w.Exclude) == 0 {
		return true
	}
	full := name
	if rel != "" {
		full = rel + "/" + name
	}
	matches := func(p string) bool { return Match(p, full) }
	if len(w.Include) > 0 && !slices.ContainsFunc(w.Include, matches) {
		return false
	}
	excluded := false
	for _, pattern := range w.Exclude {
		// All patterns, not the first alone: each reports how many files it excluded.
		if matches(pattern) {
			excluded = true
			addTo(&skipped.Excluded, pattern, 1)
		}
	}
	return !excluded
}

func sortByName(list []File) {
	slices.SortFunc(list, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
}

// joinByName joins sorted lists, each with the files of one directory, none of them empty. Most
// directories have either files or subdirectories, and then it is enough to sort the lists.
func joinByName(lists [][]File) []File {
	slices.SortFunc(lists, func(a, b []File) int { return strings.Compare(a[0].Name, b[0].Name) })
	files := slices.Concat(lists...)
	end := 0
	for _, list := range lists {
		if end > 0 && files[end-1].Name > list[0].Name {
			sortByName(files)
			break
		}
		end += len(list)
	}
	return files
}
