package pipeline

import (
	"tfr-build/order"
	"tfr-build/sources"
)

// A row is where a row stands and, of a table, the text that begins with it.
type row struct {
	file   int // number among all input files
	offset int64
	data   []byte
	split  uint8
	bad    string // the code of what the cutter found wrong; data is not all of it
}

// cutCode is the code of what the cutter found wrong with a row; empty if nothing.
func cutCode(rec *sources.Record) string {
	if rec.Bad == nil {
		return ""
	}
	return rec.Bad.Code
}

func (r *row) place() order.Place { return order.Place{File: r.file, Offset: r.offset} }

// before reports whether r stands before p in source order.
func (r *row) before(p order.Place) bool {
	return r.file < p.File || r.file == p.File && r.offset < p.Offset
}

// ranked are the rows of a split by their rank in its order. There are two
// kinds: an index over mapped files, and a part in memory.
type ranked interface {
	// append appends the rows of the ranks from … to-1. Their data holds as
	// long as the mapping or the part does. It may be called from several
	// goroutines.
	append(dst []row, from, to int) []row
}

// An indexed split is read where its rows stand.
type indexed struct {
	j     *job
	index *order.Index
	split uint8
}

func (x indexed) append(dst []row, from, to int) []row {
	var places [lookAhead]order.Place
	for from < to {
		n := min(to-from, lookAhead)
		for _, p := range x.index.Places(places[:0], from, from+n) {
			dst = append(dst, x.j.rowAt(p, x.split))
		}
		from += n
	}
	return dst
}

// rowAt is the row of a split that begins at p of a mapped table, or is a file.
func (j *job) rowAt(p order.Place, split uint8) row {
	r := row{file: p.File, offset: p.Offset, split: split}
	if data := j.mapped[p.File]; data != nil {
		r.data = data[p.Offset:]
	}
	return r
}
