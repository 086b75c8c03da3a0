package rows

import (
	"slices"

	"github.com/zeebo/xxh3"

	"tfr-build/sources/input"
)

// Candidates are files that may have the content of another file. All other rows are different, so
// they need not be read.
type Candidates struct {
	set *Set
	is  []bool // by file
}

// has reports whether a file is a candidate. With nil, all are.
func (c *Candidates) has(file int) bool { return c == nil || c.is[file] }

// NewCandidates returns the files that have the size of another one. It returns nil if a rule compares other
// rows, too, or if the content of files is not compared.
func (s *Set) NewCandidates(rule int) *Candidates {
	unsized := func(src *Source) bool { return !src.comparisons[rule].sized }
	if of := s.Rules[rule]; !of.KeepsFirst || of.Keeps || slices.ContainsFunc(s.Sources, unsized) {
		return nil
	}
	repeated := map[int64]bool{} // true from the second file of a size on
	for i := range s.files {
		size := s.listed(i).Size
		_, known := repeated[size]
		repeated[size] = known
	}
	c := &Candidates{s, make([]bool, len(s.files))}
	for i := range c.is {
		c.is[i] = repeated[s.listed(i).Size]
	}
	return c
}

// firstBytes is the number of bytes at the beginning of files that are compared first. Headers and
// the first pixels of most images differ in it.
const firstBytes = 4 << 10

// A beginning is what files of equal content have in common.
type beginning struct {
	size  int64
	first uint64 // hash of the first bytes
}

// Narrow keeps those candidates that also begin like another one. It reads the first bytes of local
// files; remote ones take as long to read completely. each calls do with 0 … n-1, on several workers.
func (c *Candidates) Narrow(workers int, each func(n int, do func(worker, i int) error) error) error {
	if c == nil || slices.ContainsFunc(c.set.Sources, func(src *Source) bool { return src.FirstReader() == nil }) {
		return nil
	}
	var list []int
	for i, is := range c.is {
		if is {
			list = append(list, i)
		}
	}
	readers := make([][]input.FirstReader, workers) // by worker and source
	defer func() {
		for _, r := range slices.Concat(readers...) {
			r.Close()
		}
	}()
	all, unknown := make([]beginning, len(list)), make([]bool, len(list))
	err := each(len(list), func(worker, n int) error {
		if readers[worker] == nil {
			for _, src := range c.set.Sources {
				readers[worker] = append(readers[worker], src.FirstReader())
			}
		}
		src, local := c.set.File(list[n])
		data, ok := readers[worker][src.Number].ReadFirst(local, firstBytes)
		all[n], unknown[n] = beginning{c.set.listed(list[n]).Size, xxh3.Hash(data)}, !ok
		return nil
	})
	if err != nil {
		return err
	}
	repeated, sizes := map[beginning]bool{}, map[int64]bool{} // sizes of files that could not be read
	for n, of := range all {
		_, known := repeated[of]
		repeated[of] = known
		if unknown[n] {
			sizes[of.size] = true
		}
	}
	for n, i := range list {
		c.is[i] = repeated[all[n]] || sizes[all[n].size]
	}
	return nil
}
