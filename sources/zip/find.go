package zip

import (
	"tfr-build/internal/order"
	"tfr-build/sources/input"
)

// Find maps the archives. The offsets of their rows are known.
func (in *zipInput) Find(int) (input.Search, error) { return &search{in: in}, in.Map() }

// A search returns the members of the directories as rows.
type search struct {
	input.Ready
	in *zipInput
}

// Finish returns the number of rows of an archive.
func (s *search) Finish(file int) input.Found { return input.Found{Rows: len(s.in.archives[file])} }

// The largest number of rows in a chunk, and the largest distance between their offsets.
const (
	chunkRows = 1 << 14
	chunkSize = order.MaxMarked
)

// Chunks returns the members.
func (s *search) Chunks() []order.Chunk {
	var chunks []order.Chunk
	for file, members := range s.in.archives {
		first := len(chunks)
		for i := range members {
			at := members[i].At
			c := len(chunks) - 1
			if c < first || at-chunks[c].Offset >= chunkSize || len(chunks[c].Starts) == chunkRows {
				chunks = append(chunks, order.Chunk{File: file, Offset: at})
				c++
			}
			chunks[c].Starts = append(chunks[c].Starts, uint32(at-chunks[c].Offset))
		}
	}
	return chunks
}
