package order

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// maxTries bounds the search for room. Only files that fill a good part of
// the whole space need more than a few.
const maxTries = 1000

// last is the file's last address if it begins at base; ok is false where the
// stretch would go beyond the end of the space.
func (f *File) last(base uint64) (last uint64, ok bool) {
	last = base + (f.span() - 1)
	return last, last >= base
}

// disjoint tells whether the stretches, ascending by base, share no address
// and end within the space.
func disjoint(files []File, stretches []stretch) bool {
	for i, s := range stretches {
		last, ok := files[s.file].last(s.base)
		if !ok || i+1 < len(stretches) && stretches[i+1].base <= last {
			return false
		}
	}
	return true
}

// A resolver finds room for files whose stretches overlap, as if all files were
// placed one after another in order of their names. To move few of them, it
// leaves those that overlap no other where they are, and places one anew only
// when a file of an earlier name takes its stretch.
type resolver struct {
	files   []File
	hash    func([]byte) uint64
	placed  []stretch // ascending, disjoint
	waiting []uint32  // by name; whoever is placed and has an earlier name stays
}

// resolve changes the bases of s so that no two files overlap.
func resolve(files []File, hash func([]byte) uint64, s *Space) error {
	w := &resolver{files: files, hash: hash}
	w.sort(s.stretch)
	for len(w.waiting) > 0 {
		file := w.waiting[0]
		if w.waiting = w.waiting[1:]; len(w.waiting) > 0 && w.compare(file, w.waiting[0]) == 0 {
			return &DuplicateError{files[file], int(min(file, w.waiting[0])), int(max(file, w.waiting[0]))}
		}
		if err := w.place(file); err != nil {
			return err
		}
	}
	for _, p := range w.placed {
		s.base[p.file] = p.base
	}
	return nil
}

// sort parts the stretches, ascending by base, into those that overlap no
// other and those that wait.
func (w *resolver) sort(stretches []stretch) {
	reach, any := uint64(0), false // the last address so far, if there was any file
	for i, s := range stretches {
		last, ok := w.files[s.file].last(s.base)
		if !ok {
			last = math.MaxUint64
		}
		overlaps := any && s.base <= reach || i+1 < len(stretches) && stretches[i+1].base <= last
		if ok && !overlaps {
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

// place gives file the first of its bases at which it overlaps no file of
// an earlier name; those of later names that it overlaps have to wait.
func (w *resolver) place(file uint32) error {
	f := &w.files[file]
	var name []byte
	for try := range maxTries {
		name = f.appendName(name[:0], try)
		base := w.hash(name)
		last, ok := f.last(base)
		if !ok {
			continue
		}
		from, to := w.between(base, last)
		others := w.placed[from:to]
		if slices.ContainsFunc(others, func(s stretch) bool { return w.compare(s.file, file) < 0 }) {
			continue
		}
		for _, s := range others {
			i, _ := slices.BinarySearchFunc(w.waiting, s.file, w.compare)
			w.waiting = slices.Insert(w.waiting, i, s.file)
		}
		w.placed = slices.Replace(w.placed, from, to, stretch{base, file})
		return nil
	}
	return fmt.Errorf("file %q of %d bytes finds no room among the addresses of the others", f.Name, f.Size)
}

// between gives the range of placed stretches that have an address from base
// to last.
func (w *resolver) between(base, last uint64) (from, to int) {
	compare := func(s stretch, a uint64) int { return cmp.Compare(s.base, a) }
	from, _ = slices.BinarySearchFunc(w.placed, base, compare)
	if from > 0 {
		before := w.placed[from-1]
		if end, _ := w.files[before.file].last(before.base); end >= base {
			from--
		}
	}
	to, found := slices.BinarySearchFunc(w.placed, last, compare)
	if found {
		to++
	}
	return from, to
}
