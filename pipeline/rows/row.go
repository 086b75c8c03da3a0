package rows

import (
	"tfr-build/order"
	"tfr-build/sources/input"
)

// A Row is where a row stands and, where it has one, the text that begins with
// it.
type Row struct {
	File   int // number among all input files
	Offset int64
	Data   []byte
	Split  uint8
	Bad    string // the code of what the cutter found wrong; Data is not all of it
}

// Of is a row as a source's Rows found it. What rec holds it holds, too.
func Of(file int, rec *input.Record) Row {
	return Row{File: file, Offset: rec.Offset, Data: rec.Raw, Bad: rec.BadCode()}
}

// Place is the row's locator.
func (r *Row) Place() order.Place { return order.Place{File: r.File, Offset: r.Offset} }

// At is the row of a split that begins at p, to be read where it stands.
func (s *Set) At(p order.Place, split uint8) Row {
	r := Row{File: p.File, Offset: p.Offset, Split: split}
	if data := s.texts[p.File]; data != nil {
		r.Data = data[p.Offset:]
	}
	return r
}

// Ranked are the rows of a split by their rank in its order. There are two
// kinds: an index over rows that are read where they stand, and a spill run in
// memory.
type Ranked interface {
	// Append appends the rows of the ranks from … to-1. Their data holds as
	// long as the mapping or the run does. It may be called from several
	// goroutines.
	Append(dst []Row, from, to int) []Row
}

// Ahead is how many rows are read ahead of those that are encoded.
const Ahead = 16
