package order

import (
	"cmp"
	"fmt"
	"math"
	"slices"
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

// A resolver finds free intervals for files that overlap. The result is as if all files were
// placed one after another in the order of their names. To move few files, the resolver keeps
// files that overlap no other. It moves such a file only when a file with an earlier name takes
// its interval.
type resolver struct {
	files   []File
	hash    func([]byte) uint64
	fixed   uint32     // this file and later ones are placed
	placed  []interval // sorted by base, disjoint
	waiting []uint32   // sorted by name; placed files with earlier names stay where they are
}

// resolve changes the bases in s so that files do not overlap.
func resolve(files []File, hash func([]byte) uint64, fixed uint32, s *Space) error {
	w := &resolver{files: files, hash: hash, fixed: fixed}
	w.classify(s.intervals)
	for len(w.waiting) > 0 {
		file := w.waiting[0]
		if w.waiting = w.waiting[1:]; len(w.waiting) > 0 && w.compare(file, w.waiting[0]) == 0 {
			return &DuplicateError{files[file], int(min(file, w.waiting[0])), int(max(file, w.waiting[0]))}
		}
		if err := w.assignBase(file); err != nil {
			return err
		}
	}
	for _, p := range w.placed {
		s.base[p.file] = p.base
	}
	return nil
}

// classify puts intervals that overlap no other into placed, and the files of all others into
// waiting. The intervals must be sorted by base.
func (w *resolver) classify(intervals []interval) {
	reach, any := uint64(0), false // the last address so far, if there was a file
	for i, s := range intervals {
		last, ok := w.files[s.file].lastAddress(s.base)
		if !ok {
			last = math.MaxUint64
		}
		overlaps := any && s.base <= reach || i+1 < len(intervals) && intervals[i+1].base <= last
		if ok && !overlaps || s.file >= w.fixed {
			w.placed = append(w.placed, s)
		} else {
			w.waiting = append(w.waiting, s.file)
		}
		reach, any = max(reach, last), true
	}
	slices.SortFunc(w.waiting, w.compare)
}

func (w *resolver) compare(a, b uint32) int {
	f, g := &w.files[a], &w.files[b]
	return cmp.Or(cmp.Compare(f.Source, g.Source), cmp.Compare(f.Name, g.Name))
}

// assignBase gives a file the first of its bases at which it overlaps no file with an earlier
// name. Overlapping files with later names have to wait.
func (w *resolver) assignBase(file uint32) error {
	f := &w.files[file]
	var name []byte
	for try := range maxTries {
		name = f.appendName(name[:0], try)
		base := w.hash(name)
		last, ok := f.lastAddress(base)
		if !ok {
			continue
		}
		from, to := w.overlapping(base, last)
		others := w.placed[from:to]
		if slices.ContainsFunc(others, func(s interval) bool {
			return s.file >= w.fixed || w.compare(s.file, file) < 0
		}) {
			continue
		}
		for _, s := range others {
			i, _ := slices.BinarySearchFunc(w.waiting, s.file, w.compare)
			w.waiting = slices.Insert(w.waiting, i, s.file)
		}
		w.placed = slices.Replace(w.placed, from, to, interval{base, file})
		return nil
	}
	return fmt.Errorf("file %q of %d bytes finds no room among the addresses of the others", f.Name, f.Size)
}

// overlapping returns the range of placed intervals that overlap the addresses from base to last.
func (w *resolver) overlapping(base, last uint64) (from, to int) {
	from, _ = search(w.placed, base)
	if from > 0 {
		before := w.placed[from-1]
		if end, _ := w.files[before.file].lastAddress(before.base); end >= base {
			from--
		}
	}
	to, found := search(w.placed, last)
	if found {
		to++
	}
	return from, to
}
