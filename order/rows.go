package order

import (
	"context"
	"fmt"
	"math"
)

// A Mode is what the rows of a dataset are ordered by.
type Mode uint8

const (
	// Shuffled is ascending key of the address.
	Shuffled Mode = iota
	// Source is source order: by file, then by offset.
	Source
	// Keyed is ascending key of something else in the row, and source order
	// where keys are equal.
	Keyed
)

// Rows are all rows that were found, ready to be put in order.
type Rows struct {
	Mode     Mode
	Shuffle  Shuffle
	Space    *Space
	Sequence *Sequence // for Source and Keyed
	Splits   int       // how many there are, at most NoSplit; with Keyed, at least
	Chunks   []Chunk   // for Source best in source order, which saves a sort

	// Keys, for Keyed, sets keys and splits to those of the rows from, from+1 …
	// of a chunk: the key of a column is Shuffle.Key(HashText(cell)), and a row
	// that cannot be read has NoSplit. Splits that are found only now may be
	// above Splits. Keys is called once for each row; by several goroutines,
	// though by one at a time for each number of a worker. It has to recover
	// what may panic in it.
	Keys func(worker, chunk, from int, keys []uint64, splits []uint8) error

	// Deal, for Keyed, may be nil. Else it brings the rows of a split, which are
	// sorted then, into another order: swap exchanges two of the n.
	Deal func(n int, swap func(i, j int))
}

// A Chunk is what was found in one piece of the input. Workers take whole
// chunks, so that a few thousand rows are a good size.
type Chunk struct {
	File   int
	Offset int64    // of the piece in its file
	Starts []uint32 // where rows begin, from Offset; read them with Start once marked
	Whole  bool     // rows are whole files: Starts are counted in files, from File
	Split  uint8    // of all rows, where there are no Cuts and no marks; not for Keyed
	Cuts   *Cuts    // the splits by the rows' addresses; not for Keyed

	marked bool // the high bits of Starts hold the splits
}

// MaxMarked is the length of the longest chunk that can be marked.
const MaxMarked = 1 << markShift

const markShift = 24

// Mark notes the split of each row, which may be NoSplit, in place of Split
// and Cuts. It keeps them within Starts and so takes no memory; splits can be
// used again.
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

// Start is where row i begins, as Starts was before it was marked.
func (c *Chunk) Start(i int) uint32 {
	if c.marked {
		return c.Starts[i] % MaxMarked
	}
	return c.Starts[i]
}

// Index puts the rows in order, with so many workers, and returns the index
// of each split. All goroutines have ended when it returns; that they are
// several changes nothing of the result.
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
		return fmt.Errorf("files of %d bytes together are more than %d, and cannot be ordered by a key", r.Sequence.end(), uint64(maxPlaces))
	}
	for i := range r.Chunks {
		c := &r.Chunks[i]
		if len(c.Starts) > math.MaxInt32 {
			return fmt.Errorf("chunk %d has %d rows", i, len(c.Starts))
		}
		if r.Mode == Keyed {
			continue // Keys says the splits
		}
		if c.Cuts == nil && !c.marked && int(c.Split) >= r.Splits {
			return fmt.Errorf("chunk %d is of split %d of %d", i, c.Split, r.Splits)
		}
		if c.Cuts == nil {
			continue
		}
		for _, s := range c.Cuts.split {
			if int(s) >= r.Splits {
				return fmt.Errorf("chunk %d is cut for split %d of %d", i, s, r.Splits)
			}
		}
	}
	return nil
}
