package zip

import (
	"tfr-build/order"
	"tfr-build/sources/input"
	"tfr-build/sources/table"
)

// NewChunks finds nothing in a mapped archive: its directory says what is there.
func (in *zipInput) NewChunks([]byte, *table.Head, int, int) table.Chunks { return known{} }

type known struct{}

func (known) Find(int, int, int, *table.Scratch)     {}
func (known) Finish() (rows, blank int, check uint8) { return 0, 0, 0 }
func (known) Starts(int) []uint32                    { return nil }

// Find maps the archives. Where their rows stand is known.
func (in *zipInput) Find(step int) (input.Search, error) {
	if _, err := in.Files.Find(step); err != nil {
		return nil, err
	}
	return &search{in}, nil
}

// A search is the members of the directories.
type search struct{ in *zipInput }

func (s *search) Steps() int { return 0 }
func (s *search) Step(int)   {}

// Finish knows the rows.
func (s *search) Finish(file int) input.Found { return input.Found{Rows: len(s.in.archives[file])} }

// Rows in a chunk are at most so many, and so many bytes apart.
const (
	chunkRows = 1 << 14
	chunkSize = order.MaxMarked
)

// Chunks are the members.
func (s *search) Chunks() []order.Chunk {
	var chunks []order.Chunk
	for file, members := range s.in.archives {
		first := len(chunks)
		for i := range members {
			at := members[i].at
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
