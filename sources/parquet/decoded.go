package parquet

import (
	"sync"
	"sync/atomic"

	"tfr-build/internal/hugepage"
	"tfr-build/internal/order"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A decodedFile is the decoded row groups of a file.
type decodedFile struct{ groups []decodedGroup }

// A decodedGroup is a row group. Each column is decoded on its own. The columns are then copied
// to rows, one batch at a time:
//
//	column ──┐
//	column ──┼─► batch, batch, … ─► row buffer
//	column ──┘
type decodedGroup struct {
	first     int64 // number of the first row
	columns   []decodedColumn
	once      sync.Once
	rowBuffer *rowBuffer   // set with the first batch
	left      atomic.Int32 // batches that are not copied yet
}

// A decodedColumn is a column, decoded by the first caller that needs it.
type decodedColumn struct {
	once  sync.Once
	block *block // nil after all its values are copied to rows
	err   error
}

// batchRows is the number of rows that a step copies.
const batchRows = 1 << 16

// batches returns the number of batches of a row group.
func (g *group) batches() int { return int((g.rows + batchRows - 1) / batchRows) }

// prepareGroups allocates the decoded groups, still without columns.
func (in *parquetInput) prepareGroups() {
	in.found = make([][]int, len(in.shapes))
	for i, s := range in.shapes {
		in.found[i] = in.requestedLeaves(s)
	}
	in.decoded = make([]decodedFile, len(in.files))
	for i := range in.files {
		f := &in.files[i]
		in.decoded[i].groups = make([]decodedGroup, len(f.groups))
		for k := range f.groups {
			h := &in.decoded[i].groups[k]
			h.first, h.columns = f.groups[k].first, make([]decodedColumn, len(in.found[f.shape.number]))
			h.left.Store(int32(f.groups[k].batches()))
		}
	}
}

// decodeOnce returns a column of a row group, by its position in the found leaves. Only fillBatch
// may use the block, which the last batch of the group releases.
func (in *parquetInput) decodeOnce(file, group, position int, decomp *decompressor) *decodedColumn {
	h := &in.decoded[file].groups[group].columns[position]
	h.once.Do(func() {
		h.block, h.err = in.decode(file, group, in.found[in.files[file].shape.number][position], decomp)
	})
	return h
}

// fillBatch copies a batch of a row group to the row buffer. The last batch releases the columns.
func (in *parquetInput) fillBatch(file, group, batch int, decomp *decompressor) error {
	h, g := &in.decoded[file].groups[group], &in.files[file].groups[group]
	columns := make([]*block, len(h.columns))
	for i := range columns {
		c := in.decodeOnce(file, group, i, decomp)
		if c.err != nil {
			return c.err
		}
		columns[i] = c.block
	}
	h.once.Do(func() { h.rowBuffer = newRowBuffer(in.found[in.files[file].shape.number], columns, int(g.rows)) })
	from := batch * batchRows
	h.rowBuffer.fill(columns, from, min(from+batchRows, int(g.rows)))
	if h.left.Add(-1) > 0 {
		return nil
	}
	for i := range h.columns {
		h.columns[i].block = nil
	}
	return nil
}

// decode decodes a leaf of a row group.
func (in *parquetInput) decode(file, group, leaf int, decomp *decompressor) (*block, error) {
	f := &in.files[file]
	g, l := &f.groups[group], &f.shape.leaves[leaf]
	h, err := in.Handle(file)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	section := h.Section(g.chunks[leaf].at, g.chunks[leaf].size)
	defer section.Close()
	d := newDecoder(l, &g.chunks[leaf], section, decomp, in.limits.Record)
	d.reserve()
	if err := guard(func() error { return d.decodeAll(g.rows) }); err != nil {
		return nil, in.fileError(file, inGroup(err, group, schema.Quote(l.name)))
	}
	b := d.block
	return &b, nil
}

// reserve allocates room for all values. The system backs only the pages that are written.
func (d *decoder) reserve() {
	n := int(d.chunk.values)
	switch {
	case d.width > 0 && d.width <= 1<<14:
		d.fixed = hugepage.Make[byte](n * d.width)[:0]
	case d.width == 0:
		d.views, d.blob = hugepage.Make[view](n)[:0], hugepage.Make[byte](int(min(d.chunk.plain, maxBlob)))[:0]
	}
	if d.max.def > 0 {
		d.defs = make([]byte, 0, n)
	}
	if d.max.rep > 0 {
		d.reps = make([]byte, 0, n)
	}
}

// Find returns a search with a step per requested leaf of each row group, followed by a step per
// batch of the row group's rows.
func (in *parquetInput) Find(int) (input.Search, error) {
	in.prepareGroups()
	s := &search{in: in}
	for i := range in.files {
		for k := range in.files[i].groups {
			for n := range in.decoded[i].groups[k].columns {
				s.steps = append(s.steps, step{file: i, group: k, column: n, batch: -1})
			}
			for n := range in.files[i].groups[k].batches() {
				s.steps = append(s.steps, step{file: i, group: k, batch: n})
			}
		}
	}
	s.errors = make([]error, len(s.steps))
	return s, nil
}

// Release frees what Find decoded.
func (in *parquetInput) Release() { in.decoded, in.found, in.findError = nil, nil, nil }

// A search decodes columns. The footers list its rows, and decoding checks their number.
type search struct {
	in     *parquetInput
	steps  []step
	errors []error
	free   sync.Pool // of *unpacker
}

// A step decodes a column if batch is negative. Otherwise it copies a batch of rows.
type step struct{ file, group, column, batch int }

func (s *search) Steps() int { return len(s.steps) }

// Step decodes a column of a row group, or copies a batch of its rows.
func (s *search) Step(i int) {
	u, _ := s.free.Get().(*decompressor)
	if u == nil {
		u = new(decompressor)
	}
	if at := s.steps[i]; at.batch < 0 {
		s.errors[i] = s.in.decodeOnce(at.file, at.group, at.column, u).err
	} else {
		s.errors[i] = s.in.fillBatch(at.file, at.group, at.batch, u)
	}
	s.free.Put(u)
}

// Finish returns the number of rows of a file.
func (s *search) Finish(file int) input.Found {
	return input.Found{Rows: int(s.in.files[file].rows)}
}

// Chunks returns all rows by their numbers. If a step failed, it returns a single row of that
// file, and reading the row returns the error.
func (s *search) Chunks() (list []order.Chunk) {
	for i, err := range s.errors {
		if err != nil {
			s.in.findError = err
			return []order.Chunk{{File: s.steps[i].file, Starts: []uint32{0}}}
		}
	}
	for i := range s.in.files {
		list = input.AppendNumbered(list, order.Chunk{File: i}, s.in.files[i].rows)
	}
	return list
}
