package parquet

import (
	"sync"

	"tfr-build/order"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A heldFile is what is decoded of a file, by row group and leaf.
type heldFile struct{ groups []heldGroup }

type heldGroup struct {
	first   int64 // row
	columns []heldColumn
	sizes   rowSizes
}

// RowSizes tell how long the rows of a row group are as text.
type rowSizes struct {
	once    sync.Once
	base    int      // of what is as long in each row
	varying []*block // of what is not
	err     error
}

// A heldColumn is a column, once it was asked for.
type heldColumn struct {
	once  sync.Once
	block *block
	err   error
}

// hold makes room for what is going to be decoded.
func (in *parquetInput) hold() {
	in.held = make([]heldFile, len(in.files))
	for i := range in.files {
		f := &in.files[i]
		in.held[i].groups = make([]heldGroup, len(f.groups))
		for k := range f.groups {
			in.held[i].groups[k].first, in.held[i].groups[k].columns = f.groups[k].first, make([]heldColumn, len(f.shape.leaves))
		}
	}
}

// decoded is a leaf of a row group, which the first to ask for it decodes.
func (in *parquetInput) decoded(file, group, leaf int, unpack *unpacker) (*block, error) {
	h := &in.held[file].groups[group].columns[leaf]
	h.once.Do(func() { h.block, h.err = in.decode(file, group, leaf, unpack) })
	return h.block, h.err
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
	d := newDecoder(l, &g.chunks[leaf], section, unpack)
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
		d.views, d.blob = make([]view, 0, n), make([]byte, 0, min(d.chunk.plain, mostBlob))
	}
	if d.most.def > 0 {
		d.defs = make([]byte, 0, n)
	}
	if d.most.rep > 0 {
		d.reps = make([]byte, 0, n)
	}
}

// Find makes a step of each wanted leaf of each row group. What is bound only later is
// decoded when it is asked for.
func (in *parquetInput) Find(int) (input.Search, error) {
	in.hold()
	s := &search{in: in}
	for i := range in.files {
		leaves := in.leavesOf(in.files[i].shape)
		if !in.bound {
			leaves = nil
		}
		for k := range in.files[i].groups {
			for _, leaf := range leaves {
				s.steps = append(s.steps, step{i, k, leaf})
			}
		}
	}
	s.faults = make([]error, len(s.steps))
	return s, nil
}

// Texts are none: rows are found by their number.
func (in *parquetInput) Texts() [][]byte { return nil }

// Release forgets what was decoded.
func (in *parquetInput) Release() { in.held, in.fault = nil, nil }

// A search decodes columns. Its rows are known from the footers, and held against what
// was decoded.
type search struct {
	in     *parquetInput
	steps  []step
	faults []error
	free   sync.Pool // of *unpacker
}

type step struct{ file, group, leaf int }

func (s *search) Steps() int { return len(s.steps) }

// Step decodes a leaf of a row group.
func (s *search) Step(i int) {
	u, _ := s.free.Get().(*unpacker)
	if u == nil {
		u = new(unpacker)
	}
	_, s.faults[i] = s.in.decoded(s.steps[i].file, s.steps[i].group, s.steps[i].leaf, u)
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
