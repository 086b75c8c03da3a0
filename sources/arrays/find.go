package arrays

import (
	"tfr-build/order"
	"tfr-build/sources/input"
)

// Footprint is what mapping all files takes. An array that is compressed can only
// be read from its beginning.
func (in *arraysInput) Footprint() (p input.Footprint) {
	for i := range in.files {
		p.Maps++
		p.Bytes += in.listing.Files[i].Size
	}
	for i := range in.arrays {
		p.Streamed = p.Streamed || in.arrays[i].packed
	}
	p.Text = (in.to - in.from) * int64(in.size)
	return p
}

// RowSize is 0: rows have to be measured.
func (in *arraysInput) RowSize(int) int64 { return 0 }

// Texts are none: rows are found by their number.
func (in *arraysInput) Texts() [][]byte { return nil }

// Find maps all files. Where rows stand is arithmetic.
func (in *arraysInput) Find(int) (input.Search, error) {
	for i := range in.files {
		var err error
		if in.files[i].data, err = input.Map(in.files[i].path, &in.listing.Files[i]); err != nil {
			return nil, err
		}
	}
	return &search{in}, nil
}

// Release unmaps the files.
func (in *arraysInput) Release() {
	for i := range in.files {
		input.Unmap(in.files[i].data)
		in.files[i].data = nil
	}
}

// A search is the number of rows.
type search struct{ in *arraysInput }

func (s *search) Steps() int { return 0 }
func (s *search) Step(int)   {}

// Finish knows the rows, all of which are of the first file.
func (s *search) Finish(file int) input.Found {
	if file > 0 {
		return input.Found{}
	}
	return input.Found{Rows: int(s.in.to - s.in.from)}
}

// chunkRows is how many rows count as a chunk.
const chunkRows = 1 << 16

// Chunks are the rows by their numbers.
func (s *search) Chunks() []order.Chunk {
	var chunks []order.Chunk
	for from := s.in.from; from < s.in.to; from += chunkRows {
		starts := make([]uint32, min(chunkRows, s.in.to-from))
		for i := range starts {
			starts[i] = uint32(i)
		}
		chunks = append(chunks, order.Chunk{Offset: from, Starts: starts})
	}
	return chunks
}
