package rows

import "tfr-build/sources/input"

// A Teller takes the rows that are going to be read, in that order, so that files which
// take long to come are on their way. It belongs to one goroutine.
type Teller struct {
	set  *Set
	list []input.Teller // by source; nil where it helps nobody
}

// NewTeller is a Teller of a set; nil where it helps nobody.
func NewTeller(s *Set) *Teller {
	t, helps := &Teller{set: s, list: make([]input.Teller, len(s.Sources))}, false
	for i, src := range s.Sources {
		t.list[i] = src.Teller()
		helps = helps || t.list[i] != nil
	}
	if !helps {
		return nil
	}
	return t
}

// Helps reports whether to tell rows helps for now, which changes. files is how many were
// read since it was asked before, or, at first, are going to be told.
func (t *Teller) Helps(files int) (helps bool) {
	for _, of := range t.list {
		if of != nil && of.Helps(files) { // each is asked
			helps = true
		}
	}
	return helps
}

// Tell tells a row, and says how large its file is.
func (t *Teller) Tell(r *Row) (size int64) {
	f := &t.set.files[r.File]
	of := t.list[f.source.Number]
	if of == nil {
		return 0
	}
	of.Tell(f.local)
	return f.source.RowSize(f.local)
}

// Ask says that no more are told for now.
func (t *Teller) Ask() {
	for _, of := range t.list {
		if of != nil {
			of.Ask()
		}
	}
}
