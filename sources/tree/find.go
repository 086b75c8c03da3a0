package tree

import (
	"io"

	"tfr-build/internal/order"
	"tfr-build/sources/input"
)

// A search returns the files of the listing as rows.
type search struct{ t *Files }

func (s *search) Steps() int             { return 0 }
func (s *search) Step(int)               {}
func (s *search) Finish(int) input.Found { return input.Found{Rows: 1} }

// chunkFiles is the number of files per chunk.
const chunkFiles = 1 << 16

// Chunks returns the files, chunkFiles at a time.
func (s *search) Chunks() []order.Chunk {
	files := len(s.t.listing.Files)
	var chunks []order.Chunk
	for from := 0; from < files; from += chunkFiles {
		starts := make([]uint32, min(chunkFiles, files-from))
		for i := range starts {
			starts[i] = uint32(i)
		}
		chunks = append(chunks, order.Chunk{File: from, Files: true, Starts: starts})
	}
	return chunks
}

// A oneRow has the single row of a file, without text and line.
type oneRow struct {
	rec  input.Record
	read bool
}

func (r *oneRow) Next() (*input.Record, error) {
	if r.read {
		return nil, io.EOF
	}
	r.read = true
	return &r.rec, nil
}

func (r *oneRow) Blank() int   { return 0 }
func (r *oneRow) Close() error { return nil }
