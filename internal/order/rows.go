package order

import (
	"context"
	"fmt"
)

// A Mode is the order of the rows of a dataset.
type Mode uint8

const (
	// Shuffled is the order of ascending keys of addresses.
	Shuffled Mode = iota
	// Source is source order: by file, then by offset.
	Source
	// Keyed is the order of ascending keys of a column, and source order for equal keys.
	Keyed
)

// Rows have all rows of the input, to be put in order.
type Rows struct {
	Mode     Mode
	Shuffle  Shuffle
	Space    *Space
	Sequence *Sequence // for Source and Keyed
	Splits   int       // number of splits, at most NoSplit; for Keyed, a minimum
	Chunks   []Chunk   // for Source preferably in source order, which saves a sort

	// Keys sets keys and splits for the rows from, from+1 … of a chunk; only for Keyed. The key
	// of a column is Shuffle.Key(HashText(cell)). A row that cannot be read has NoSplit. A split
	// may be Splits or higher. Keys is called once per row, by several goroutines, but by one at
	// a time for each worker. It must not panic.
	Keys func(worker, chunk, from int, keys []uint64, splits []uint8) error

	// Deal changes the order of the sorted rows of a split; only for Keyed; it may be nil. swap
	// exchanges two of the n rows.
	Deal func(n int, swap func(i, j int))
}

// A Chunk has the rows in one range of the input. Workers process complete chunks, so a few
// thousand rows are a good size.
type Chunk struct {
	File   int
	Offset int64    // of the range in its file
	Starts []uint32 // starts of rows, relative to Offset; read them with Start after Mark
	Files  bool     // rows are complete files: Starts count files, relative to File
	Split  uint8    // of all rows, without Cuts and marks; not for Keyed
	Cuts   *Cuts    // splits by the addresses of rows; not for Keyed

	marked bool // the high bits of Starts store the splits
}

// MaxMarked is the maximum length of a chunk that can be marked.
const MaxMarked = 1 << markShift

const markShift = 24

// Mark sets the split of each row, which may be NoSplit. These replace Split and Cuts. Mark
// stores them in Starts and needs no memory; the caller may reuse splits.
func (c *Chunk) Mark(splits []uint8) error {
	if c.marked || len(splits) != len(c.Starts) {
		return fmt.Errorf("%d splits for %d rows, marked before: %t", len(splits), len(c.Starts), c.marked)
	}
	for _, s := range c.Starts {
		if s >= MaxMarked {
			return fmt.Errorf("a row at %d of its chunk is beyond %d", s, MaxMarked)
		}
	}
	for i, s := range splits {
		c.Starts[i] |= uint32(s) << markShift
	}
	c.marked = true
	return nil
}

// Start returns the start of row i, as it was in Starts before Mark.
func (c *Chunk) Start(i int) uint32 {
	if c.marked {
		return c.Starts[i] % MaxMarked
	}
	return c.Starts[i]
}

// Index puts the rows in order and returns the index of each split. All its goroutines have ended
// when it returns. The result does not depend on the number of workers.
func (r *Rows) Index(ctx context.Context, workers int) ([]*Index, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	return newSorter(r, workers).sort(ctx)
}

func (r *Rows) check() error {
	if r.Splits < 0 || r.Splits > NoSplit {
		return fmt.Errorf("%d splits are more than %d", r.Splits, NoSplit)
	}
	if r.Mode == Keyed && r.Sequence.end() > maxPlaces {
		return fmt.Errorf("files of %d bytes together are more than %d, and cannot be ordered by a key",
			r.Sequence.end(), uint64(maxPlaces))
	}
	return nil
}
