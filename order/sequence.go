package order

import (
	"fmt"
	"math/bits"
	"slices"
)

// A Sequence numbers the rows in source order: the place of a row is its
// offset in all files, laid one after another. It is not changed once made,
// and safe for use by several goroutines.
type Sequence struct {
	starts []uint64 // by file, and the end of the last
}

// NewSequence lays files one after another as listed, which is to be
// source order: sources as in the config, files in order of their names.
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

// Place is the place of the row that begins at offset of file.
func (q *Sequence) Place(file int, offset int64) uint64 { return q.starts[file] + uint64(offset) }

// end is the place after all rows.
func (q *Sequence) end() uint64 { return q.starts[len(q.starts)-1] }

// Locate is the inverse of Place. Beyond the last file it counts on in
// that; file is -1 where there is none at all.
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

// locateFrom is Locate for places that mostly lie in hint or the file after.
func (q *Sequence) locateFrom(hint int, place uint64) (file int, offset int64) {
	if hint+2 < len(q.starts) && q.starts[hint+1] <= place {
		hint++
	}
	if q.starts[hint] <= place && place < q.starts[hint+1] {
		return hint, int64(place - q.starts[hint])
	}
	return q.Locate(place)
}
