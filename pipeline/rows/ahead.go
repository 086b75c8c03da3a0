package rows

import "tfr-build/sources/input"

// ReadAhead asks for the files of rows before they are read. It belongs to one goroutine.
type ReadAhead struct {
	set  *Set
	list []input.ReadAhead // by source; nil for a source without read-ahead
}

// NewReadAhead returns the read-ahead of a set's sources, or nil if none has any.
func NewReadAhead(s *Set) *ReadAhead {
	a, helps := &ReadAhead{set: s, list: make([]input.ReadAhead, len(s.Sources))}, false
	for i, src := range s.Sources {
		a.list[i] = src.ReadAhead()
		helps = helps || a.list[i] != nil
	}
	if !helps {
		return nil
	}
	return a
}

// Helps reports whether read-ahead helps now; that changes. files is the number of files
// read since the last call, or, in the first call, the number that will be added.
func (a *ReadAhead) Helps(files int) (helps bool) {
	for _, of := range a.list {
		if of != nil && of.Helps(files) { // call every one: each counts the files
			helps = true
		}
	}
	return helps
}

// Add adds the file of a row, and returns its size in bytes.
func (a *ReadAhead) Add(r *Row) (size int64) {
	f := &a.set.files[r.File]
	of := a.list[f.source.Number]
	if of == nil {
		return 0
	}
	of.Add(f.local)
	return f.source.Listing().Files[f.local].Size
}

// Start asks for the files that were added.
func (a *ReadAhead) Start() {
	for _, of := range a.list {
		if of != nil {
			of.Start()
		}
	}
}
