package order

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tidwall/btree"
)

// maxTries limits the search for a free interval. Only files that fill a large part of the space
// need more than a few tries.
const maxTries = 1000

// lastAddress returns the last address of a file that begins at base. ok is false if the interval
// exceeds the space.
func (f *File) lastAddress(base uint64) (last uint64, ok bool) {
	last = base + (f.span() - 1)
	return last, last >= base
}

// areDisjoint reports whether the intervals, sorted by base, do not overlap and end within the
// space.
func areDisjoint(files []File, intervals []interval) bool {
	for i, s := range intervals {
		last, ok := files[s.file].lastAddress(s.base)
		if !ok || i+1 < len(intervals) && intervals[i+1].base <= last {
			return false
		}
	}
	return true
}

// resolve changes the bases in s so that files do not overlap. The files from fixed on stay where they are.
// The others are placed one after another in the order of their names.
func resolve(files []File, hash func([]byte) uint64, fixed int, s *Space) error {
	placed := &placedFiles{files: files}
	for i := fixed; i < len(files); i++ {
		placed.byBase.Set(s.base[i], i)
	}
	turn := make([]int, fixed)
	for i := range turn {
		turn[i] = i
	}
	slices.SortFunc(turn, placed.compareNames)
	for n, i := range turn {
		if n+1 < len(turn) && placed.compareNames(i, turn[n+1]) == 0 {
			return &DuplicateError{files[i], min(i, turn[n+1]), max(i, turn[n+1])}
		}
		base, err := placed.freeBase(&files[i], hash)
		if err != nil {
			return err
		}
		placed.byBase.Set(base, i)
		s.base[i] = base
	}
	return nil
}

// placedFiles are the indexes of the files that have their intervals, by base.
type placedFiles struct {
	files  []File
	byBase btree.Map[uint64, int]
}

func (p *placedFiles) compareNames(i, j int) int {
	f, g := &p.files[i], &p.files[j]
	return cmp.Or(cmp.Compare(f.Source, g.Source), cmp.Compare(f.Name, g.Name))
}

// freeBase returns the first of a file's bases at which it overlaps no placed file.
func (p *placedFiles) freeBase(f *File, hash func([]byte) uint64) (uint64, error) {
	var name []byte
	for try := range maxTries {
		name = f.appendName(name[:0], try)
		base := hash(name)
		last, ok := f.lastAddress(base)
		p.byBase.Descend(last, func(below uint64, i int) bool {
			end, _ := p.files[i].lastAddress(below)
			ok = ok && end < base
			return false
		})
		if ok {
			return base, nil
		}
	}
	return 0, fmt.Errorf("file %q of %d bytes finds no room among the addresses of the others", f.Name, f.Size)
}
