package order

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"
)

// CompressedSize is the size of a compressed file in a Space: its real size is unknown until it
// is read. Rows beyond this size have no addresses.
const CompressedSize = 1 << 40

// A File is an input file.
type File struct {
	Source string // name of the source; may be empty
	Name   string // relative to the source's root, with slashes
	// Size is in bytes after decompression, or CompressedSize. The size of an array is in rows; a
	// file that is one row has 1.
	Size int64
}

// span returns the number of addresses of the file. An empty file has one.
func (f *File) span() uint64 { return uint64(max(f.Size, 1)) }

func (f *File) check() error {
	switch {
	case f.Size < 0:
		return fmt.Errorf("file %q has the size %d", f.Name, f.Size)
	case strings.IndexByte(f.Source, 0) >= 0 || strings.IndexByte(f.Name, 0) >= 0:
		return fmt.Errorf("the name of file %q of source %q holds a NUL", f.Name, f.Source)
	}
	return nil
}

// appendName appends the bytes that are hashed for the file's base. At the first try they are
// SOURCE NUL NAME; later, NUL and the number of the try follow.
func (f *File) appendName(dst []byte, try int) []byte {
	dst = append(dst, f.Source...)
	dst = append(dst, 0)
	dst = append(dst, f.Name...)
	if try > 0 {
		dst = fmt.Appendf(dst, "\x00%d", try)
	}
	return dst
}

// A DuplicateError says that two files have the same source and name.
type DuplicateError struct {
	File          File
	First, Second int // their indexes, ascending
}

func (e *DuplicateError) Error() string {
	if e.File.Source == "" {
		return fmt.Sprintf("duplicate file %q", e.File.Name)
	}
	return fmt.Sprintf("duplicate file %q of source %q", e.File.Name, e.File.Source)
}

// A Space assigns an interval of 64-bit addresses to every file. It is immutable and safe for
// concurrent use.
type Space struct {
	base      []uint64   // by file
	intervals []interval // sorted by base, disjoint
	first     []uint32   // intervals[first[t]:first[t+1]] have the top bits t
	shift     uint       // address >> shift are the top bits; below 64
}

type interval struct {
	base uint64
	file uint32
}

// NewSpace returns the space of files in any order: file i is files[i]. If two files have the
// same source and name, the error is a *DuplicateError. The last files begin at the bases, where they overlap
// no other; others are placed as if these had the first names.
func NewSpace(files []File, bases ...uint64) (*Space, error) {
	return newSpace(files, xxh3.Hash, bases...)
}

func newSpace(files []File, hash func([]byte) uint64, bases ...uint64) (*Space, error) {
	if len(files) > math.MaxInt32 {
		return nil, fmt.Errorf("%d files are more than %d", len(files), math.MaxInt32)
	}
	s, fixed := &Space{base: make([]uint64, len(files))}, len(files)-len(bases)
	copy(s.base[fixed:], bases)
	var name []byte
	for i := range files {
		if err := files[i].check(); err != nil {
			return nil, err
		}
		if i < fixed {
			name = files[i].appendName(name[:0], 0)
			s.base[i] = hash(name)
		}
	}
	s.buildIndex()
	if areDisjoint(files, s.intervals) {
		return s, nil
	}
	if err := resolve(files, hash, fixed, s); err != nil {
		return nil, err
	}
	s.buildIndex()
	return s, nil
}

// buildIndex sorts the intervals by base. There is about one interval for each value of the top
// bits, because bases are hashes. So counting sort does nearly all of the work, and Locate does not
// search: with 200,000 files that would take 8 % of a build.
func (s *Space) buildIndex() {
	top := max(1, bits.Len(uint(len(s.base))))
	s.shift = uint(64 - top)
	s.first = make([]uint32, 1<<top+1)
	for _, b := range s.base {
		s.first[b>>s.shift+1]++
	}
	for t := range 1 << top {
		s.first[t+1] += s.first[t]
	}
	s.intervals = make([]interval, len(s.base))
	next := slices.Clone(s.first)
	for i, b := range s.base {
		t := b >> s.shift
		s.intervals[next[t]] = interval{b, uint32(i)}
		next[t]++
	}
	for t := range 1 << top {
		if some := s.intervals[s.first[t]:s.first[t+1]]; len(some) > 1 {
			slices.SortFunc(some, func(a, b interval) int { return cmp.Compare(a.base, b.base) })
		}
	}
}

// Address returns the address of the row that begins at offset of file.
func (s *Space) Address(file int, offset int64) uint64 { return s.base[file] + uint64(offset) }

// Locate is the inverse of Address. It returns the last file that begins at or before the
// address. That file has the address, if any does. file is -1 if no file begins before it.
func (s *Space) Locate(address uint64) (file int, offset int64) {
	t := address >> s.shift
	low, i := s.first[t], s.first[t+1]
	// There is about one interval with these top bits; otherwise it is the interval before.
	for i > low && s.intervals[i-1].base > address {
		i--
	}
	if i == 0 {
		return -1, 0
	}
	found := s.intervals[i-1]
	return int(found.file), int64(address - found.base)
}
