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
	return &input.FitError{Path: in.firstOf(shape), Text: "no column " + schema.Quote(name) + ", which other files have", Code: "SCHEMA_MISSING_COLUMN", Column: name}
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
	unpack unpacker
	rows   [][]block  // by shape and leaf, of rows that have a text; nil until there is one
	parsed [][]*block // by shape: of the layout's leaves
	wanted [][]int    // by shape: the leaves whose values a text has
	last   blocks     // of the row that was scanned last
	ahead  blocks     // of the row that was asked for last
	text   []byte     // of values that are written as text
	stack  []schema.Value
	inner  []schema.Value // elements of lists
	image  *imageScanner
}

func (l *layout) newScanner(facts *input.Facts, _ bool) input.Scanner {
	s := &scanner{layout: l, facts: facts, rows: make([][]block, len(l.in.shapes)), parsed: make([][]*block, len(l.in.shapes))}
	for _, of := range l.in.shapes {
		s.wanted = append(s.wanted, l.in.leavesOf(of))
	}
	if len(l.images) > 0 {
		s.image = newImageScanner(l, facts)
	}
	return s
}

func (s *scanner) Close() {}

// Scan reads a row from what is decoded by its number; with data, from its text.
func (s *scanner) Scan(file int, offset int64, data []byte, vals []schema.Value) (n int, err error) {
	s.text, s.stack, s.inner = s.text[:0], s.stack[:0], s.inner[:0]
	shape := s.in.files[file].shape.number
	var row int
	var list []*block
	if data != nil {
		if n, err = s.parse(file, shape, data); err != nil {
			return n, err
		}
		list = s.parsed[shape]
	} else {
		if row, err = s.find(&s.last, file, offset); err == nil {
			n, err = s.size(file, shape, row)
		}
		if err != nil {
			return 0, err
		}
		list = s.last.list
	}
	for i, slot := range s.slots[shape] {
		if vals[slot], err = s.value(list[i], row); err != nil {
			return n, err
		}
	}
	if s.image == nil {
		return n, nil
	}
	return n, s.scanImage(list[len(s.slots[shape]):], row, vals)
}

// Blocks are those of the leaves of a layout in a row group.
type blocks struct {
	file, group int
	list        []*block // nil before the first row
}

// find makes l the blocks of a row, and finds it in them.
func (s *scanner) find(l *blocks, file int, offset int64) (row int, err error) {
	if s.in.fault != nil {
		return 0, s.in.fault
	}
	groups := s.in.held[file].groups
	has := func(i int) bool {
		return i < len(groups) && groups[i].first <= offset && (i+1 == len(groups) || offset < groups[i+1].first)
	}
	if l.list == nil || l.file != file || !has(l.group) {
		l.file = file
		if !has(l.group) {
			l.group = sort.Search(len(groups), func(i int) bool { return groups[i].first > offset }) - 1
		}
		if err := s.enter(l); err != nil {
			return 0, err
		}
	}
	return int(offset - groups[l.group].first), nil
}

// enter takes the blocks of a row group.
func (s *scanner) enter(l *blocks) error {
	list := l.list[:0]
	l.list = nil
	shape := s.in.files[l.file].shape.number
	for _, leaf := range s.leaves[shape] {
		b, err := s.in.decoded(l.file, l.group, leaf, &s.unpack)
		if err != nil {
			return err
		}
		list = append(list, b)
	}
	if list == nil {
		list = []*block{}
	}
	l.list = list
	return nil
}

// size is how many bytes the text of a row has.
func (s *scanner) size(file, shape, row int) (int, error) {
	sizes := &s.in.held[file].groups[s.last.group].sizes
	sizes.once.Do(func() { sizes.err = s.measure(sizes, file, shape) })
	size := sizes.base
	for _, b := range sizes.varying {
		size += b.rowSize(row)
	}
	return size, sizes.err
}

// measure finds out how long the rows of the row group are.
func (s *scanner) measure(sizes *rowSizes, file, shape int) error {
	wanted := s.wanted[shape]
	sizes.base = lengthSize(uint32(len(wanted)))
	for _, leaf := range wanted {
		b, err := s.in.decoded(file, s.last.group, leaf, &s.unpack)
		if err != nil {
			return err
		}
		sizes.base += lengthSize(uint32(leaf))
		if b.width > 0 && b.valid == nil && len(b.lists) == 0 {
			sizes.base += b.rowSize(0)
		} else {
			sizes.varying = append(sizes.varying, b)
		}
	}
	return nil
}

// parse takes the text of a row apart.
func (s *scanner) parse(file, shape int, data []byte) (int, error) {
	leaves := s.in.shapes[shape].leaves
	if s.rows[shape] == nil {
		s.rows[shape] = make([]block, len(leaves))
		for i := range leaves {
			s.rows[shape][i] = newBlock(&leaves[i])
		}
		for _, leaf := range s.leaves[shape] {
			s.parsed[shape] = append(s.parsed[shape], &s.rows[shape][leaf])
		}
	}
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
			rest, ok = s.rows[shape][leaf].readRow(rest[n:])
		}
		if !ok {
			return 0, changed
		}
	}
	return len(data) - len(rest), nil
}

// value is what a row of a leaf holds.
func (s *scanner) value(b *block, row int) (schema.Value, error) {
	if len(b.lists) == 0 {
		if !b.has(row) {
			return schema.Value{}, nil
		}
		return s.atom(b, row)
	}
	t := lister{scanner: s, block: b, level: int(b.firsts[row]), value: int(b.starts[row])}
	return t.list(0, int(b.firsts[row+1]))
}

// atom is the i-th value.
func (s *scanner) atom(b *block, i int) (schema.Value, error) {
	switch b.kind {
	case number:
		return schema.Value{Kind: schema.Array, Elem: b.elem, Text: b.fixed[i*b.width : (i+1)*b.width]}, nil
	case boolean:
		if b.fixed[i] != 0 {
			return schema.Value{Kind: schema.Bool, Text: yes}, nil
		}
		return schema.Value{Kind: schema.Bool, Text: no}, nil
	}
	v := b.values.at(i)
	if b.width == 0 && len(v) > s.in.limits.Record {
		bad := input.LongFile(int64(len(v)), s.in.limits.Record)
		bad.Column = b.name
		return schema.Value{}, bad
	}
	switch b.kind {
	case content:
		return schema.Value{Kind: schema.Bytes, Text: v}, nil
	case text:
		if !utf8.Valid(v) {
			return schema.Value{}, &schema.RowError{Code: "UTF8_INVALID", At: -1, Column: b.name, Message: "the text is not UTF-8"}
		}
		return schema.Value{Kind: schema.String, Text: v}, nil
	}
	from := len(s.text)
	var ok bool
	if s.text, ok = b.appendText(s.text, v); !ok {
		return schema.Value{}, b.meaningless(v)
	}
	k := schema.String
	if b.kind == decimal32 || b.kind == decimal64 || b.kind == decimalBytes {
		k = schema.Number
	}
	return schema.Value{Kind: k, Text: s.text[from:len(s.text):len(s.text)]}, nil
}

var yes, no = []byte("true"), []byte("false")

// A lister makes lists of the levels of a row.
type lister struct {
	*scanner
	*block
	level int // the next
	value int // the next that is there
}

// list is the list that begins at the next level, and ends before another; depth lists
// are around it.
func (t *lister) list(depth, end int) (schema.Value, error) {
	l := t.lists[depth]
	if def := t.defs[t.level]; def < l.def {
		t.level++
		if def+1 == l.def {
			return schema.Value{Kind: schema.List, List: t.stack[len(t.stack):]}, nil
		}
		return schema.Value{}, nil
	}
	if depth+1 == len(t.lists) && t.elem != 0 {
		if v, ok := t.array(l, end); ok {
			return v, nil
		}
	}
	base := len(t.stack)
	for first := true; t.level < end && (first || t.reps[t.level] == l.rep); first = false {
		v, err := t.element(depth+1, end)
		if err != nil {
			return v, err
		}
		t.stack = append(t.stack, v)
	}
	from := len(t.inner)
	t.inner = append(t.inner, t.stack[base:]...)
	t.stack = t.stack[:base]
	return schema.Value{Kind: schema.List, List: t.inner[from:len(t.inner):len(t.inner)]}, nil
}

// element is an element of a list.
func (t *lister) element(depth, end int) (schema.Value, error) {
	if depth < len(t.lists) {
		return t.list(depth, end)
	}
	def := t.defs[t.level]
	t.level++
	if def < t.most.def {
		return schema.Value{}, nil
	}
	t.value++
	return t.atom(t.block, t.value-1)
}

// array is a list of numbers, none of which is missing.
func (t *lister) array(l level, end int) (v schema.Value, ok bool) {
	n := 0
	for i := t.level; i < end && (n == 0 || t.reps[i] == l.rep); i++ {
		if t.defs[i] < t.most.def {
			return v, false
		}
		n++
	}
	v = schema.Value{Kind: schema.Array, Elem: t.elem, Text: t.fixed[t.value*t.width : (t.value+n)*t.width]}
	t.level, t.value = t.level+n, t.value+n
	return v, true
}
