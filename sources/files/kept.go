package files

import (
	"slices"
	"strings"
)

// A keptTree is the listing of all files below a directory, whose path ends with a slash.
type keptTree struct {
	dir   string
	files []File
}

// KeepTree makes walks of a directory, or of one below it, select from a listing of all its files. It is for a program
// that lists directories again with other selections. Call it before other goroutines use s.
func (s *System) KeepTree(dir string, all *Tree) {
	s.kept = append(s.kept, keptTree{below(dir), all.Files})
}

// walkKept selects files from a listing that is kept. It returns nil if none has files of the directory: links and
// hidden directories are in no listing of the directory above them.
func (s *System) walkKept(w *Walk) *Tree {
	for _, kept := range s.kept {
		rel, isBelow := strings.CutPrefix(below(w.Dir), kept.dir)
		if !isBelow {
			continue
		}
		tree, isFound := &Tree{}, false
		compare := func(f File, at string) int { return strings.Compare(f.Name, at) }
		from, _ := slices.BinarySearchFunc(kept.files, rel, compare)
		for _, f := range kept.files[from:] {
			if f.Name, isBelow = strings.CutPrefix(f.Name, rel); !isBelow {
				break
			}
			if isFound = true; w.Takes(&tree.Skipped, f.Name) {
				tree.Files = append(tree.Files, f)
			}
		}
		if isFound {
			return tree
		}
	}
	return nil
}
