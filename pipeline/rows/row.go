package rows

import (
	"tfr-build/internal/order"
	"tfr-build/sources/input"
)

// A Row is the position of a row and, for rows of text, its text.
type Row struct {
	File   int    // number among all input files
	Offset int64  // in bytes, or as the source counts
	Data   []byte // nil if the source reads the row by its position; may extend past the row
	Split  uint8
	Window int    // with groups: the number of a window from 1, and Data is a Group; 0 for a row
	Bad    string // the error code of a row whose end could not be found; Data is then incomplete
}

// Of returns the row that a source's Rows found. Its Data is valid as long as rec.Raw.
func Of(file int, rec *input.Record) Row {
	return Row{File: file, Offset: rec.Offset, Data: rec.Raw, Bad: rec.BadCode()}
}

// Locator returns the row's locator.
func (r *Row) Locator() order.Position { return order.Position{File: r.File, Offset: r.Offset} }

// Ranked returns the rows of a split by their rank. It has two implementations: an index over rows
// that are read in place, and a spill file in memory.
type Ranked interface {
	// Append appends the rows with ranks from ≤ rank < to. Their Data is valid as long as the
	// mapping or the loaded spill file. Several goroutines may call it at once.
	Append(dst []Row, from, to int) []Row
}

// Ahead is the number of rows that are prefetched before they are encoded.
const Ahead = 16
