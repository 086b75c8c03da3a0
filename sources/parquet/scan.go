package parquet

import (
	"encoding/binary"
	"sort"
	"unicode/utf8"

	"tfr-build/internal/room"
	"tfr-build/schema"
	"tfr-build/sources/files"
	"tfr-build/sources/images"
	"tfr-build/sources/input"
)

// A layout is the bound columns.
type layout struct {
	in         *parquetInput
	slots      [][]int       // by shape: the slot of each column
	ofImage    []input.Bound // without the name of the image
	transforms bool          // coordinates move to the image
	leaves     [][]int       // by shape: the leaves of the columns, then of the image
}

// Bind finds the leaves of the columns in each shape. It returns all missing columns as one
// error.
func (in *parquetInput) Bind(columns []input.Bound) (input.Layout, error) {
	l := &layout{in: in, slots: make([][]int, len(in.shapes)), leaves: make([][]int, len(in.shapes))}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.bound = true
	var fits input.Mismatches
	columns, transforms := input.CutTransforms(columns)
	l.transforms = transforms != nil
	for _, c := range columns {
		if name, is := in.options.imageColumn(c.Name); is {
			l.ofImage = append(l.ofImage, input.Bound{Name: name, Slot: c.Slot})
			continue
		}
		in.request(c.Name)
		for i, s := range in.shapes {
			leaf, ok := s.byName[c.Name]
			if !ok {
				// Add keeps a *MismatchError, and returns only other errors
				_ = fits.Add(in.missingColumnError(i, c.Name))
				continue
			}
			l.slots[i], l.leaves[i] = append(l.slots[i], c.Slot), append(l.leaves[i], leaf)
		}
	}
	if l.readsImage() {
		_ = fits.Add(l.bindImage()) // nil or a *MismatchError
	}
	if fits.Any() {
		return nil, fits.Err()
	}
	return l.newScanner, nil
}

// readsImage reports whether a column of the image is bound, or coordinates move to it.
func (l *layout) readsImage() bool { return len(l.ofImage) > 0 || l.transforms }

// missingColumnError returns the error of the first file with a shape without a column of
// other files.
func (in *parquetInput) missingColumnError(shape int, name string) error {
	return &input.MismatchError{Path: in.firstPath(shape),
		Text: "no column " + schema.Quote(name) + ", which other files have", Code: input.MissingColumn, Column: name}
}

// firstPath returns the path of the first file with a shape.
func (in *parquetInput) firstPath(shape int) string {
	for i := range in.files {
		if in.files[i].shape.number == shape {
			return in.Path(i)
		}
	}
	return ""
}

// A scanner builds the values of rows.
type scanner struct {
	*layout
	parsed    []*parsed     // by shape, for serialized rows; nil before the first one
	positions [][]int       // by shape: fields of the layout's leaves in a row buffer; nil before the first row
	last      groupPosition // row group of the last scanned row
	ahead     groupPosition // row group of the last prefetched row
	queue     [queueLength]prefetchedRow
	turn      uint
	text      []byte    // values that are formatted as strings
	room      room.Room // for list elements

	*images.Examiner // nil without an image
	images           images.Filler
	isNull           bool // the row has no image
}

func (l *layout) newScanner(observed *input.Observations, namesOnly bool) input.Scanner {
	s := &scanner{layout: l, parsed: make([]*parsed, len(l.in.shapes)),
		positions: make([][]int, len(l.in.shapes))}
	if l.readsImage() {
		s.Examiner = images.NewExaminer(l.in.options, l.in.options.Convert)
		s.images = images.NewFiller(s.Examiner, "image", l.ofImage, l.in.limits, observed, namesOnly)
	}
	return s
}

// A cells is a row whose values are accessed by the positions of leaves in a layout.
type cells struct {
	fields    []field
	positions []int // by leaf of the layout: index in fields
	data      []byte
	row       int // index in the blocks
}

// Scan sets vals to the values of a row. If data is nil, it reads the row with the number offset
// from the decoded columns. Otherwise data is the serialized row. It returns the size of the
// serialized row.
func (s *scanner) Scan(file int, offset int64, data []byte, vals []schema.Value) (n int, err error) {
	s.text = s.text[:0]
	s.room.Reset()
	shape := s.in.files[file].shape.number
	var c cells
	if data != nil {
		n, err = s.parse(file, shape, data, &c)
	} else {
		n, err = s.readDecoded(file, shape, offset, &c)
	}
	if err != nil {
		return n, err
	}
	for i, slot := range s.slots[shape] {
		if err := s.setValue(&vals[slot], &c, i); err != nil {
			return n, err
		}
	}
	if s.Examiner == nil {
		return n, nil
	}
	err = s.scanImage(&c, len(s.slots[shape]), vals)
	if bad, ok := err.(*schema.RowError); ok && bad.Column == "" {
		bad.Column = s.in.options.Image
	}
	return n, err
}

// readDecoded sets c to a decoded row, and returns the size it has when serialized.
func (s *scanner) readDecoded(file, shape int, offset int64, c *cells) (size int, err error) {
	row, err := s.findRow(&s.last, file, offset)
	if err != nil {
		return 0, err
	}
	if s.positions[shape] == nil {
		if s.positions[shape], err = positionsOf(s.leaves[shape], s.in.found[shape]); err != nil {
			return 0, err
		}
	}
	t := s.last.rowBuffer
	*c = cells{t.fields, s.positions[shape], t.row(row), row}
	size = t.size(row, c.data)
	if size*t.maxCost > s.in.limits.Record {
		err = t.checkLimit(row, c.data, s.in.limits.Record)
	}
	return size, err
}

// A groupPosition is the row group in which the last row was found.
type groupPosition struct {
	file, group int
	rowBuffer   *rowBuffer // nil before the first row
}

// findRow moves at to the row group of a row, and returns the row's index in the group.
func (s *scanner) findRow(at *groupPosition, file int, offset int64) (row int, err error) {
	if s.in.findError != nil {
		return 0, s.in.findError
	}
	groups := s.in.decoded[file].groups
	has := func(i int) bool {
		return i < len(groups) && groups[i].first <= offset && (i+1 == len(groups) || offset < groups[i+1].first)
	}
	if at.rowBuffer == nil || at.file != file || !has(at.group) {
		if !has(at.group) {
			at.group = sort.Search(len(groups), func(i int) bool { return groups[i].first > offset }) - 1
		}
		at.file, at.rowBuffer = file, groups[at.group].rowBuffer
	}
	return int(offset - groups[at.group].first), nil
}

// A parsed has a parsed row: a block of one row for each leaf.
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

// parse parses a serialized row, and returns its size.
func (s *scanner) parse(file, shape int, data []byte, c *cells) (int, error) {
	leaves := s.in.shapes[shape].leaves
	if s.parsed[shape] == nil {
		s.parsed[shape] = newParsed(leaves)
	}
	p := s.parsed[shape]
	*c = cells{fields: p.fields, positions: s.leaves[shape]}
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

// setValue sets v to the value of the i-th leaf of the layout. It writes to the final position:
// copying a new value takes as long as building it.
func (s *scanner) setValue(v *schema.Value, c *cells, i int) error {
	f := &c.fields[c.positions[i]]
	b := f.block
	switch {
	case b == nil && !f.has(c.data), b != nil && len(b.lists) == 0 && !b.has(c.row):
		*v = schema.Value{}
		return nil
	case b == nil:
		return s.setScalar(v, f.leaf, f.value(c.data))
	case len(b.lists) == 0:
		return s.setScalar(v, f.leaf, b.values.at(c.row))
	}
	t := lister{scanner: s, block: b, level: int(b.firsts[c.row]), value: int(b.starts[c.row])}
	return t.setList(v, 0, int(b.firsts[c.row+1]))
}

// set sets v to a value that is not a list.
func set(v *schema.Value, k schema.Kind, t schema.Type, text []byte) {
	v.Text, v.List, v.At, v.Kind, v.Elem = text, nil, 0, k, t
}

// setScalar sets v to the value of a leaf that is stored as data.
func (s *scanner) setScalar(v *schema.Value, l *leaf, data []byte) error {
	switch l.kind {
	case number:
		set(v, schema.Array, l.elem, data)
		return nil
	case boolean:
		set(v, schema.Bool, 0, truths[data[0]&1])
		return nil
	case rawBytes:
		set(v, schema.Bytes, 0, data)
		return nil
	case utf8String:
		if !utf8.Valid(data) {
			return &schema.RowError{Code: "UTF8_INVALID", At: -1, Column: l.name, Message: "the string is not UTF-8"}
		}
		set(v, schema.String, 0, data)
		return nil
	}
	return s.setFormatted(v, l, data)
}

// setFormatted sets v to a value that is formatted as a string.
func (s *scanner) setFormatted(v *schema.Value, l *leaf, data []byte) error {
	from := len(s.text)
	var ok bool
	if s.text, ok = l.appendString(s.text, data); !ok {
		return l.valueError(data)
	}
	k := schema.String
	if l.kind == decimal || l.kind == decimalBytes {
		k = schema.Number
	}
	set(v, k, 0, s.text[from:len(s.text):len(s.text)])
	return nil
}

var truths = [2][]byte{[]byte("false"), []byte("true")}
