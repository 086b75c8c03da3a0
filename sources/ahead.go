package sources

import "tfr-build/sources/input"

// Fetches reports whether rows name files that come from afar, so that Ahead helps.
func (r *Reader) Fetches() bool {
	if r.l.s.Listing().Sized { // a row is a file itself, and told by Source.Teller
		return false
	}
	for i := range r.loads {
		if r.l.s.env.Files.Fetches(r.loads[i].load.dir) {
			return true
		}
	}
	return false
}

// Prefetch asks for the memory of a row that is going to be read, where the kind knows
// it.
func (r *Reader) Prefetch(file int, offset int64) {
	if r.ahead != nil {
		r.ahead.Prefetch(file, offset)
	}
}

// Ahead says that a row is going to be read, after those that were told before: the
// files that it names are on their way then. What is wrong with the row Read says.
func (r *Reader) Ahead(file int, offset int64, data []byte) {
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
			l.root.Ahead(name, l.limit)
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
