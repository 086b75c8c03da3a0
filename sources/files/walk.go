package files

import (
	"errors"
	"path"
	"slices"
	"strings"
)

// A Walk says which files below a folder are listed.
type Walk struct {
	Dir              string
	Extensions       map[string]bool // in lower case, without the dot; nil for any
	Include, Exclude []string        // patterns of relative names
	FollowLinks      bool
	Workers          int
}

// A Tree is what a Walk found.
type Tree struct {
	Files   []File   // in byte order of their names
	Linked  []string // folders that links lead to
	Denied  []Denied // what cannot be read; if there is one, the others do not count
	Skipped Skipped
}

// A Denied is a file or a folder that cannot be read.
type Denied struct {
	Path string
	Err  error
}

// Skipped counts what a listing skipped.
type Skipped struct {
	Hidden     int            // hidden files and the litter of desktops
	Links      int            // symbolic links, unless they are followed
	Loops      int            // links back to a folder that they lie in
	Extensions int            // files whose extension is not asked for
	Others     map[string]int // files of other extensions, by extension in lower case; nil if every file is taken
	Excluded   map[string]int // files by each pattern of Exclude that they match; of a whole listing, 0 for an idle one
	Empty      int            // folders without a file that is asked for
	Duplicates int            // files that the listing has under another name too; they are rows all the same
}

// Add adds what another part of the listing skipped.
func (s *Skipped) Add(other *Skipped) {
	s.Hidden += other.Hidden
	s.Links += other.Links
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

// NoteIdle notes patterns that excluded nothing, once all files are listed.
func (s *Skipped) NoteIdle(exclude []string) {
	for _, pattern := range exclude {
		addTo(&s.Excluded, pattern, 0)
	}
}

// addTo adds to a count of a map, which is made with its first count.
func addTo(counts *map[string]int, key string, n int) {
	if *counts == nil {
		*counts = map[string]int{}
	}
	(*counts)[key] += n
}

// ErrNotFolder is the error of listing what is none.
var ErrNotFolder = errors.New("not a folder")

// Takes reports whether a file of that name is asked for; skipped counts it where its
// extension is not, or a pattern excludes it.
func (w *Walk) Takes(skipped *Skipped, rel string) bool { return w.takesIn(skipped, "", rel) }

// takesIn is Takes of a file in the folder rel.
func (w *Walk) takesIn(skipped *Skipped, rel, name string) bool {
	if extension := strings.ToLower(strings.TrimPrefix(path.Ext(name), ".")); w.Extensions != nil && !w.Extensions[extension] {
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
	fits := func(p string) bool { return Match(p, full) }
	if len(w.Include) > 0 && !slices.ContainsFunc(w.Include, fits) {
		return false
	}
	excluded := false
	for _, pattern := range w.Exclude {
		if fits(pattern) {
			excluded = true
			addTo(&skipped.Excluded, pattern, 1)
		}
	}
	return !excluded
}

func sortByName(list []File) {
	slices.SortFunc(list, func(a, b File) int { return strings.Compare(a.Name, b.Name) })
}

// room is memory for all files of the lists, which was written to. Where the garbage
// collector is at work, append reads what it writes over: a page that is read before
// anything is written to it is taken from all processors again when it is, and each is
// interrupted for that.
func room(lists [][]File) []File {
	n := 0
	for _, list := range lists {
		n += len(list)
	}
	if n == 0 {
		return nil
	}
	files := make([]File, n)
	for i := range files {
		files[i].Regular = false
	}
	return files[:0]
}

// joinByName joins lists that are sorted, each of the files of one folder and none of
// them empty. Mostly folders hold files or folders and not both: then it is enough to
// sort the lists.
func joinByName(lists [][]File) []File {
	slices.SortFunc(lists, func(a, b []File) int { return strings.Compare(a[0].Name, b[0].Name) })
	files := room(lists)
	for _, list := range lists {
		files = append(files, list...)
	}
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
