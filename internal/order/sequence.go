package order

import (
	"fmt"
	"math/bits"
	"slices"
)

// A Sequence numbers the rows in source order. The position of a row is its offset in all files,
// one after another. A Sequence is immutable and safe for concurrent use.
type Sequence struct {
	starts []uint64 // by file, plus the end of the last file
}

// NewSequence returns the sequence of files in the given order, which must be source order:
// sources as in the config, and files sorted by name.
func NewSequence(files []File) (*Sequence, error) {
	q := &Sequence{make([]uint64, len(files)+1)}
	for i := range files {
		if err := files[i].check(); err != nil {
			return nil, err
		}
		end, carry := bits.Add64(q.starts[i], files[i].span(), 0)
		if carry != 0 {
			return nil, fmt.Errorf("the files up to %q are together longer than 2^64 bytes", files[i].Name)
		}
		q.starts[i+1] = end
	}
	return q, nil
}

// Position returns the position of the row that begins at offset of file.
func (q *Sequence) Position(file int, offset int64) uint64 { return q.starts[file] + uint64(offset) }

// end returns the position after all rows.
func (q *Sequence) end() uint64 { return q.starts[len(q.starts)-1] }

// Locate is the inverse of Position. A position beyond the last file counts as in that file. Without
// files, file is -1.
func (q *Sequence) Locate(place uint64) (file int, offset int64) {
	file, found := slices.BinarySearch(q.starts[:len(q.starts)-1], place)
	if !found {
		file--
	}
	if file < 0 {
		return -1, 0
	}
	return file, int64(place - q.starts[file])
}
