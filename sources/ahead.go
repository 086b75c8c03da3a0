package sources

import "tfr-build/sources/input"

// Fetches reports whether rows name remote files, which Prefetch fetches.
func (r *Reader) Fetches() bool {
	if r.l.s.Listing().Sized { // a row is a file itself, and read ahead by Source.ReadAhead
		return false
	}
	for i := range r.loads {
		if r.l.s.env.Files.Fetches(r.loads[i].load.dir) {
			return true
		}
	}
	return false
}

// PrefetchMemory prefetches the memory of a row into the processor's cache, if its source
// type can.
func (r *Reader) PrefetchMemory(file int, offset int64) {
	if r.memory != nil {
		r.memory.PrefetchMemory(file, offset)
	}
}

// Prefetch begins to fetch the files that a row names. Rows are prefetched in the order in
// which they are read. Errors of the row are left to Read.
func (r *Reader) Prefetch(file int, offset int64, data []byte) {
	if r.peek == nil {
		r.peek = r.l.newPeek()
	}
	p := r.peek
	if file != p.file {
		p.enter(file)
	}
	if r.l.split >= 0 {
		p.vals[r.l.split] = r.vals[r.l.split]
	}
	if _, err := p.own.Scan(file, offset, data, p.vals); err != nil {
		return
	}
	if _, err := p.derive(file, nil); err != nil {
		return
	}
	for i := range r.loads {
		l := &r.loads[i]
		if name, err := l.nameIn(p.vals); err == nil {
			l.root.Prefetch(name, l.limit)
		}
	}
}

// newPeek is a reader of all columns but those of files that rows name, and of cells.
func (l *Layout) newPeek() *Reader {
	p := &Reader{l: l, vals: l.newValues(), file: -1, fits: true, Facts: input.NewFacts()}
	p.own = l.own(p.Facts, l.names)
	if l.s.fromPath != nil {
		p.groups = make([]string, len(l.s.fromPath.Columns()))
	}
	return p
}
