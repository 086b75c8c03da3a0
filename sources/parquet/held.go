package parquet

import (
	"sync"
	"sync/atomic"

	"tfr-build/order"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A heldFile is what is decoded of a file, by row group.
type heldFile struct{ groups []heldGroup }

// A heldGroup is a row group. Its columns are decoded each by itself, and then put into
// rows, a stretch at a time:
//
//	column ──┐
//	column ──┼─► stretch, stretch, … ─► sheet
//	column ──┘
type heldGroup struct {
	first   int64 // row
	columns []heldColumn
	once    sync.Once
	sheet   *sheet       // once a stretch was put together
	left    atomic.Int32 // stretches that are not
}

// A heldColumn is a column, which whoever needs it first decodes.
type heldColumn struct {
	once  sync.Once
	block *block // nil once all of it stands in rows
	err   error
}

// stretchRows is how many rows are put together in a step.
const stretchRows = 1 << 16

// stretches is how many stretches a row group has.
func (g *group) stretches() int { return int((g.rows + stretchRows - 1) / stretchRows) }

// hold makes room for what is going to be decoded.
func (in *parquetInput) hold() {
	in.found = make([][]int, len(in.shapes))
	for i, s := range in.shapes {
		in.found[i] = in.leavesOf(s)
	}
	in.held = make([]heldFile, len(in.files))
	for i := range in.files {
		f := &in.files[i]
		in.held[i].groups = make([]heldGroup, len(f.groups))
		for k := range f.groups {
			h := &in.held[i].groups[k]
			h.first, h.columns = f.groups[k].first, make([]heldColumn, len(in.found[f.shape.number]))
			h.left.Store(int32(f.groups[k].stretches()))
		}
	}
}

// decoded is a column of a row group, by its place among those that are found. Its
// block is for gather alone, which may forget it at any time after.
func (in *parquetInput) decoded(file, group, place int, unpack *unpacker) *heldColumn {
	h := &in.held[file].groups[group].columns[place]
	h.once.Do(func() {
		h.block, h.err = in.decode(file, group, in.found[in.files[file].shape.number][place], unpack)
	})
	return h
}

// gather puts a stretch of a row group together. The last one forgets the columns.
func (in *parquetInput) gather(file, group, stretch int, unpack *unpacker) error {
	h, g := &in.held[file].groups[group], &in.files[file].groups[group]
	columns := make([]*block, len(h.columns))
	for i := range columns {
		c := in.decoded(file, group, i, unpack)
		if c.err != nil {
			return c.err
		}
		columns[i] = c.block
	}
	h.once.Do(func() { h.sheet = newSheet(in.found[in.files[file].shape.number], columns, int(g.rows)) })
	from := stretch * stretchRows
	h.sheet.fill(columns, from, min(from+stretchRows, int(g.rows)))
	if h.left.Add(-1) > 0 {
		return nil
	}
	for i := range h.columns {
		h.columns[i].block = nil
	}
	return nil
}

// decode decodes a leaf of a row group.
func (in *parquetInput) decode(file, group, leaf int, unpack *unpacker) (*block, error) {
	f := &in.files[file]
	g, l := &f.groups[group], &f.shape.leaves[leaf]
	h, err := in.sys.Open(in.Path(file), &in.Listing().Files[file])
	if err != nil {
		return nil, in.faultOf(file, err)
	}
	defer h.Close()
	section := h.Section(g.chunks[leaf].at, g.chunks[leaf].size)
	defer section.Close()
	d := newDecoder(l, &g.chunks[leaf], section, unpack, in.limits.Record)
	d.reserve()
	if err := guard(func() error { return d.all(g.rows) }); err != nil {
		return nil, in.faultOf(file, inGroup(err, group, schema.Quote(l.name)))
	}
	b := d.block
	return &b, nil
}

// reserve makes room for all values. What nobody writes to takes no memory.
func (d *decoder) reserve() {
	n := int(d.chunk.values)
	switch {
	case d.width > 0 && d.width <= 1<<14:
		d.fixed = make([]byte, 0, n*d.width)
	case d.width == 0:
		d.views, d.blob = make([]view, 0, n), make([]byte, 0, int(min(d.chunk.plain, mostBlob)))
	}
	if d.most.def > 0 {
		d.defs = make([]byte, 0, n)
	}
	if d.most.rep > 0 {
		d.reps = make([]byte, 0, n)
	}
}

// Find makes a step of each wanted leaf of each row group, and then of each stretch of it.
func (in *parquetInput) Find(int) (input.Search, error) {
	in.hold()
	s := &search{in: in}
	for i := range in.files {
		for k := range in.files[i].groups {
			for n := range in.held[i].groups[k].columns {
				s.steps = append(s.steps, step{file: i, group: k, column: n, stretch: -1})
			}
			for n := range in.files[i].groups[k].stretches() {
				s.steps = append(s.steps, step{file: i, group: k, stretch: n})
			}
		}
	}
	s.faults = make([]error, len(s.steps))
	return s, nil
}

// Texts are none: rows are found by their number.
func (in *parquetInput) Texts() [][]byte { return nil }

// Release forgets what was decoded.
func (in *parquetInput) Release() { in.held, in.found, in.fault = nil, nil, nil }

// A search decodes columns. Its rows are known from the footers, and held against what
// was decoded.
type search struct {
	in     *parquetInput
	steps  []step
	faults []error
	free   sync.Pool // of *unpacker
}

// A step is a column, or a stretch of rows where that is not negative.
type step struct{ file, group, column, stretch int }

func (s *search) Steps() int { return len(s.steps) }

// Step decodes a column of a row group, or puts rows of it together.
func (s *search) Step(i int) {
	u, _ := s.free.Get().(*unpacker)
	if u == nil {
		u = new(unpacker)
	}
	if at := s.steps[i]; at.stretch < 0 {
		s.faults[i] = s.in.decoded(at.file, at.group, at.column, u).err
	} else {
		s.faults[i] = s.in.gather(at.file, at.group, at.stretch, u)
	}
	s.free.Put(u)
}

// Finish knows the rows of a file.
func (s *search) Finish(file int) input.Found {
	return input.Found{Rows: int(s.in.files[file].rows)}
}

// chunkRows is how many rows count as a chunk.
const chunkRows = 1 << 16

// Chunks are the rows by their numbers. Where a file is damaged, nothing is known of
// its rows: one stands for all, and whoever reads it gets the error.
func (s *search) Chunks() (list []order.Chunk) {
	for i, err := range s.faults {
		if err != nil {
			s.in.fault = err
			return []order.Chunk{{File: s.steps[i].file, Starts: []uint32{0}}}
		}
	}
	for i := range s.in.files {
		rows := s.in.files[i].rows
		for from := int64(0); from < rows; from += chunkRows {
			starts := make([]uint32, min(chunkRows, rows-from))
			for k := range starts {
				starts[k] = uint32(k)
			}
			list = append(list, order.Chunk{File: i, Offset: from, Starts: starts})
		}
	}
	return list
}
