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

// A OneRow has the single row of a file.
type OneRow struct {
	Record input.Record
	read   bool
}

// Next returns the row, and then io.EOF.
func (r *OneRow) Next() (*input.Record, error) {
	if r.read {
		return nil, io.EOF
	}
	r.read = true
	return &r.Record, nil
}

// Blank returns 0: rows have no lines between them.
func (r *OneRow) Blank() int { return 0 }

// Close does nothing.
func (r *OneRow) Close() error { return nil }
