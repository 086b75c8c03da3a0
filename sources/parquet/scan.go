package parquet

import (
	"encoding/binary"
	"sort"
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// A layout is columns that were bound.
type layout struct {
	in     *parquetInput
	slots  [][]int // by shape, of columns
	images []imageCell
	leaves [][]int // by shape: those of the columns, then those of the image
}

// Bind finds the columns in each file.
func (in *parquetInput) Bind(columns []input.Bound) (input.Layout, error) {
	l := &layout{in: in, slots: make([][]int, len(in.shapes)), leaves: make([][]int, len(in.shapes))}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.bound = true
	var fits input.Fits
	for _, c := range columns {
		if name, is := in.options.imageColumn(c.Name); is {
			l.images = append(l.images, imageCell{name, c.Slot})
			continue
		}
		in.want(c.Name)
		for i, s := range in.shapes {
			leaf, ok := s.byName[c.Name]
			if !ok {
				_ = fits.Add(in.lacks(i, c.Name)) // which is a fault
				continue
			}
			l.slots[i], l.leaves[i] = append(l.slots[i], c.Slot), append(l.leaves[i], leaf)
		}
	}
	if len(l.images) > 0 {
		_ = fits.Add(l.bindImage()) // which is one
	}
	if fits.Any() {
		return nil, fits.Err()
	}
	return l.newScanner, nil
}

// lacks is the fault of the first file of a shape, which lacks a column that others
// have.
func (in *parquetInput) lacks(shape int, name string) error {
	return &input.FitError{Path: in.firstOf(shape), Text: "no column " + schema.Quote(name) + ", which other files have", Code: input.MissingColumn, Column: name}
}

// firstOf is the path of the first file of a shape.
func (in *parquetInput) firstOf(shape int) string {
	for i := range in.files {
		if in.files[i].shape.number == shape {
			return in.Path(i)
		}
	}
	return ""
}

// A scanner makes values of rows.
type scanner struct {
	*layout
	facts  *input.Facts
	parsed []*parsed // by shape, of rows that have a text; nil until there is one
	places [][]int   // by shape: where the layout's leaves are in a sheet; nil until a row is read
	last   found     // the row group of the row that was scanned last
	ahead  found     // of the row that was asked for last
	asked  [lag]asking
	turn   uint
	text   []byte     // of values that are written as text
	room   input.Room // of elements of lists
	image  *imageScanner
}

func (l *layout) newScanner(facts *input.Facts, _ bool) input.Scanner {
	s := &scanner{layout: l, facts: facts, parsed: make([]*parsed, len(l.in.shapes)), places: make([][]int, len(l.in.shapes))}
	if len(l.images) > 0 {
		s.image = newImageScanner(l, facts)
	}
	return s
}

func (s *scanner) Close() {}

// A cells is a row whose values are asked for by their places in a layout.
type cells struct {
	fields []field
	places []int // of the layout's leaves, of fields
	data   []byte
	row    int // of blocks
}

// Scan reads a row from what is decoded by its number; with data, from its text.
func (s *scanner) Scan(file int, offset int64, data []byte, vals []schema.Value) (n int, err error) {
	s.text = s.text[:0]
	s.room.Reset()
	shape := s.in.files[file].shape.number
	var c cells
	if data != nil {
		n, err = s.parse(file, shape, data, &c)
	} else {
		n, err = s.take(file, shape, offset, &c)
	}
	if err != nil {
		return n, err
	}
	for i, slot := range s.slots[shape] {
		if err := s.value(&vals[slot], &c, i); err != nil {
			return n, err
		}
	}
	if s.image == nil {
		return n, nil
	}
	return n, s.scanImage(&c, len(s.slots[shape]), vals)
}

// take takes a row that is decoded, and tells how long it is as text.
func (s *scanner) take(file, shape int, offset int64, c *cells) (size int, err error) {
	row, err := s.find(&s.last, file, offset)
	if err != nil {
		return 0, err
	}
	if s.places[shape] == nil {
		if s.places[shape], err = placesOf(s.leaves[shape], s.in.found[shape]); err != nil {
			return 0, err
		}
	}
	t := s.last.sheet
	*c = cells{t.fields, s.places[shape], t.row(row), row}
	size = t.size(row, c.data)
	if size*t.deep > s.in.limits.Record {
		err = t.check(row, c.data, s.in.limits.Record)
	}
	return size, err
}

// A found is a row group that a row was found in.
type found struct {
	file, group int
	sheet       *sheet // nil before the first row
}

// find makes at the row group of a row, and finds it in that.
func (s *scanner) find(at *found, file int, offset int64) (row int, err error) {
	if s.in.fault != nil {
		return 0, s.in.fault
	}
	groups := s.in.held[file].groups
	has := func(i int) bool {
		return i < len(groups) && groups[i].first <= offset && (i+1 == len(groups) || offset < groups[i+1].first)
	}
	if at.sheet == nil || at.file != file || !has(at.group) {
		if !has(at.group) {
			at.group = sort.Search(len(groups), func(i int) bool { return groups[i].first > offset }) - 1
		}
		at.file, at.sheet = file, groups[at.group].sheet
	}
	return int(offset - groups[at.group].first), nil
}

// A parsed is where the text of a row is taken apart: a block of one row of each leaf.
type parsed struct {
	blocks []block
	fields []field
}

func newParsed(leaves []leaf) *parsed {
	p := &parsed{make([]block, len(leaves)), make([]field, len(leaves))}
	for i := range leaves {
		p.blocks[i] = newBlock(&leaves[i])
		p.fields[i] = field{leaf: &leaves[i], block: &p.blocks[i]}
	}
	return p
}

// parse takes the text of a row apart.
func (s *scanner) parse(file, shape int, data []byte, c *cells) (int, error) {
	leaves := s.in.shapes[shape].leaves
	if s.parsed[shape] == nil {
		s.parsed[shape] = newParsed(leaves)
	}
	p := s.parsed[shape]
	*c = cells{fields: p.fields, places: s.leaves[shape]}
	changed := &input.Error{Path: s.in.Path(file), Err: files.ErrChanged}
	count, n := binary.Uvarint(data)
	if n <= 0 {
		return 0, changed
	}
	rest := data[n:]
	for range count {
		leaf, n := binary.Uvarint(rest)
		ok := n > 0 && leaf < uint64(len(leaves))
		if ok {
			rest, ok = p.blocks[leaf].readRow(rest[n:])
		}
		if !ok {
			return 0, changed
		}
	}
	return len(data) - len(rest), nil
}

// value makes v what a row holds of the i-th leaf of the layout. Values are made where
// they are going to be read: to copy one that has just been made takes as long as to make it.
func (s *scanner) value(v *schema.Value, c *cells, i int) error {
	f := &c.fields[c.places[i]]
	b := f.block
	switch {
	case b == nil && !f.has(c.data), b != nil && len(b.lists) == 0 && !b.has(c.row):
		*v = schema.Value{}
		return nil
	case b == nil:
		return s.atom(v, f.leaf, f.value(c.data))
	case len(b.lists) == 0:
		return s.atom(v, f.leaf, b.values.at(c.row))
	}
	t := lister{scanner: s, block: b, level: int(b.firsts[c.row]), value: int(b.starts[c.row])}
	return t.list(v, 0, int(b.firsts[c.row+1]))
}

// set makes v a value that is no list.
func set(v *schema.Value, k schema.Kind, t schema.Type, text []byte) {
	v.Text, v.List, v.At, v.Kind, v.Elem = text, nil, 0, k, t
}

// atom makes v the value of a leaf that has these bytes.
func (s *scanner) atom(v *schema.Value, l *leaf, data []byte) error {
	switch l.kind {
	case number:
		set(v, schema.Array, l.elem, data)
		return nil
	case boolean:
		set(v, schema.Bool, 0, truths[data[0]&1])
		return nil
	}
	switch l.kind {
	case content:
		set(v, schema.Bytes, 0, data)
		return nil
	case text:
		if !utf8.Valid(data) {
			return &schema.RowError{Code: "UTF8_INVALID", At: -1, Column: l.name, Message: "the text is not UTF-8"}
		}
		set(v, schema.String, 0, data)
		return nil
	}
	return s.written(v, l, data)
}

// written makes v a value that is written as text.
func (s *scanner) written(v *schema.Value, l *leaf, data []byte) error {
	from := len(s.text)
	var ok bool
	if s.text, ok = l.appendText(s.text, data); !ok {
		return l.meaningless(data)
	}
	k := schema.String
	if l.kind == decimal32 || l.kind == decimal64 || l.kind == decimalBytes {
		k = schema.Number
	}
	set(v, k, 0, s.text[from:len(s.text):len(s.text)])
	return nil
}

var truths = [2][]byte{[]byte("false"), []byte("true")}
