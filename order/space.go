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

// CompressedSize is what a compressed file counts as: its real size is not
// known before it is read. One that turns out to be longer has no addresses.
const CompressedSize = 1 << 40

// A File is an input file as the order knows it.
type File struct {
	Source string // the name of its source, empty where that has none
	Name   string // relative to the source's root, with slashes
	Size   int64  // in bytes after decompression, or CompressedSize; of an array in rows; 1 for a file that is one row
}

// span is how many addresses the file takes: an empty file has one too.
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

// appendName appends what is hashed for the file's base: at the first try
// SOURCE NUL NAME, at the next ones NUL and the number of the try after it.
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
	First, Second int // their places among the files, ascending
}

func (e *DuplicateError) Error() string {
	if e.File.Source == "" {
		return fmt.Sprintf("duplicate file %q", e.File.Name)
	}
	return fmt.Sprintf("duplicate file %q of source %q", e.File.Name, e.File.Source)
}

// A Space gives every file a stretch of the 64-bit addresses. It is not
// changed once made, and safe for use by several goroutines.
type Space struct {
	base    []uint64  // by file
	stretch []stretch // ascending, disjoint
	first   []uint32  // stretch[first[t]:first[t+1]] have the top bits t
	shift   uint      // address >> shift are the top bits; below 64
}

type stretch struct {
	base uint64
	file uint32
}

// NewSpace places files, which it takes in any order and keeps the numbers
// of: file i is files[i]. Two files of the same source and name are a
// *DuplicateError.
func NewSpace(files []File) (*Space, error) { return newSpace(files, xxh3.Hash) }

func newSpace(files []File, hash func([]byte) uint64) (*Space, error) {
	if len(files) > math.MaxInt32 {
		return nil, fmt.Errorf("%d files are more than %d", len(files), math.MaxInt32)
	}
	s := &Space{base: make([]uint64, len(files))}
	var name []byte
	for i := range files {
		if err := files[i].check(); err != nil {
			return nil, err
		}
		name = files[i].appendName(name[:0], 0)
		s.base[i] = hash(name)
	}
	s.index()
	if disjoint(files, s.stretch) {
		return s, nil
	}
	if err := resolve(files, hash, s); err != nil {
		return nil, err
	}
	s.index()
	return s, nil
}

// index sorts the stretches by their bases, with about one for each value of
// the top bits: bases are hashes, so that counting sorts them nearly alone.
func (s *Space) index() {
	top := max(1, bits.Len(uint(len(s.base))))
	s.shift = uint(64 - top)
	s.first = make([]uint32, 1<<top+1)
	for _, b := range s.base {
		s.first[b>>s.shift+1]++
	}
	for t := range 1 << top {
		s.first[t+1] += s.first[t]
	}
	s.stretch = make([]stretch, len(s.base))
	next := slices.Clone(s.first)
	for i, b := range s.base {
		t := b >> s.shift
		s.stretch[next[t]] = stretch{b, uint32(i)}
		next[t]++
	}
	for t := range 1 << top {
		if some := s.stretch[s.first[t]:s.first[t+1]]; len(some) > 1 {
			slices.SortFunc(some, func(a, b stretch) int { return cmp.Compare(a.base, b.base) })
		}
	}
}

// Address is the address of the row that begins at offset of file.
func (s *Space) Address(file int, offset int64) uint64 { return s.base[file] + uint64(offset) }

// Locate is the inverse of Address. It gives the last file that begins at or
// before the address, which is the one that holds it if any does; file is -1
// where no file begins before it.
func (s *Space) Locate(address uint64) (file int, offset int64) {
	t := address >> (s.shift & 63)
	low, i := s.first[t], s.first[t+1]
	// Among the stretches of these top bits, about one; or else the one before.
	for i > low && s.stretch[i-1].base > address {
		i--
	}
	if i == 0 {
		return -1, 0
	}
	found := s.stretch[i-1]
	return int(found.file), int64(address - found.base)
}
