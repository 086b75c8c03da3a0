package arrays

import (
	"slices"
	"sync/atomic"

	"tfr-build/internal/order"
	"tfr-build/sources/input"
)

// Footprint returns what mapping all files takes.
func (in *arraysInput) Footprint() input.Footprint {
	p := in.Files.Footprint()
	p.Text = (in.to - in.from) * int64(in.size)
	return p
}

// Contents returns nil, because rows are found by their index.
func (in *arraysInput) Contents() [][]byte { return nil }

// Find maps all files. The offsets of rows are computed; the steps only read the arrays into
// memory.
func (in *arraysInput) Find(step int) (input.Search, error) {
	if err := in.Map(); err != nil {
		return nil, err
	}
	if err := in.verifyStored(); err != nil {
		return nil, err
	}
	in.mapped = in.Files.Contents()
	s := &search{in: in}
	for i := range in.arrays {
		a := &in.arrays[i]
		wanted := in.mapped[a.file][a.at+in.from*int64(a.stride) : a.at+in.to*int64(a.stride)]
		for piece := range slices.Chunk(wanted, max(step, pageSize)) {
			s.pieces = append(s.pieces, piece)
		}
	}
	return s, nil
}

// A search finds rows by their index.
type search struct {
	in     *arraysInput
	pieces [][]byte // of the mapped files

	touched atomic.Uint32 // result of the reads, without which a compiler could remove them
}

// pageSize is at most the size of a memory page, so that reading a byte in every pageSize bytes
// reads all pages.
const pageSize = 4 << 10

func (s *search) Steps() int { return len(s.pieces) }

// Step reads a range into memory, from its first page to the last. Later, rows are read in random
// order, which is slow on a disk.
func (s *search) Step(i int) {
	sum := byte(0)
	for piece := s.pieces[i]; len(piece) > 0; piece = piece[min(pageSize, len(piece)):] {
		sum += piece[0]
	}
	s.touched.Store(uint32(sum))
}

// Finish returns the rows, all of which belong to the first file.
func (s *search) Finish(file int) input.Found {
	if file > 0 {
		return input.Found{}
	}
	return input.Found{Rows: int(s.in.to - s.in.from)}
}

// Chunks returns the rows by their index.
func (s *search) Chunks() []order.Chunk {
	return input.AppendNumbered(nil, order.Chunk{Offset: s.in.from}, s.in.to-s.in.from)
}
