package sources

import (
	"cmp"

	"tfr-build/pixels/convert"
	"tfr-build/pixels/header"
	"tfr-build/sources/images"
	"tfr-build/sources/input"
)

// Fetches reports whether rows name remote files, which Prefetch fetches.
func (r *Reader) Fetches() bool {
	if r.l.s.Listing().Sized { // the rows are files, which Source.ReadAhead reads ahead
		return false
	}
	for i := range r.loads {
		if r.l.s.env.Files.Fetches(r.loads[i].load.dir) {
			return true
		}
	}
	return false
}

// PrefetchMemory loads the memory of a row into the processor's cache, if the source type can.
func (r *Reader) PrefetchMemory(file int, offset int64) {
	if r.memory != nil {
		r.memory.PrefetchMemory(file, offset)
	}
}

// Prefetch begins to fetch the files that a row names. The caller prefetches rows in the order in
// which it reads them. Read reports the errors of the row.
func (r *Reader) Prefetch(file int, offset int64, data []byte) {
	// The caller still uses the values of the row that it reads, so the next rows need slots of their own.
	if r.prefetcher == nil {
		r.prefetcher = r.l.newReader()
	}
	p := r.prefetcher
	if file != p.file {
		p.setFile(file)
	}
	if r.l.split >= 0 {
		p.vals[r.l.split] = r.vals[r.l.split]
	}
	if _, err := p.own.Scan(file, offset, data, p.vals); err != nil {
		return
	}
	if _, err := p.applySteps(file, offset, nil); err != nil {
		return
	}
	for i := range r.loads {
		l := &r.loads[i]
		count, err := l.find(p.vals)
		for k := 0; k < count && err == nil; k++ {
			var name string
			if name, err = l.fileName(k); err == nil {
				l.root.Prefetch(name, l.limit)
			}
		}
	}
}

// newReader returns a Reader without the columns of files that rows name and of JSON cells.
func (l *Layout) newReader() *Reader {
	p := &Reader{l: l, vals: l.newValues(), file: -1, matches: true, Observed: input.NewObservations()}
	p.own = l.own(p.Observed, l.names)
	p.pixels = convert.Meter{Limit: cmp.Or(l.s.env.Limits.Pixels, header.DefaultPixels), Stopped: l.s.env.Stopped}
	if c, converts := p.own.(input.Converter); converts && l.files {
		c.KeepFiles()
	}
	if m, ok := p.own.(images.Measurer); ok {
		m.Measure(&p.pixels)
	}
	if l.s.fromPath != nil {
		p.groups = make([]string, len(l.s.fromPath.Columns()))
	}
	return p
}
