package sources

import (
	"cmp"
	"fmt"
	"slices"

	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
)

// A Layout says where each column of a source's rows comes from. Columns are
// slots of a row: first those that were asked for, then those that joins, loads and
// cells of JSON need.
type Layout struct {
	s       *Source
	columns []string      // by slot; empty for one of JSON, which has another for its text
	own     input.Layout  // what the kind reads
	bound   []input.Bound // the columns of that
	file    []fileColumn  // what is the same for all rows of a file
	consts  []constColumn // what is the same for all rows
	joins   []boundJoin
	loads   []boundLoad
	derives []boundDerive
	cells   []jsonCell
	split   int  // slot of @split; -1 where nobody asked for it
	names   bool // files whose names are enough are not read
}

type fileColumn struct {
	slot  int
	group int // of from_path; -1 for @file
}

type constColumn struct {
	slot int
	text []byte
}

// NamesOnly makes readers leave a file unread that is a row, if no column needs
// its content: for collecting names before the files are read for good.
func (l *Layout) NamesOnly() { l.names = true }

// Slot is the slot of a column; -1 where it was not asked for.
func (l *Layout) Slot(name string) int { return slices.Index(l.columns, name) }

// newValues is a row of the layout with the constant slots filled.
func (l *Layout) newValues() []schema.Value {
	vals := make([]schema.Value, len(l.columns))
	for _, c := range l.consts {
		vals[c.slot] = schema.Value{Kind: schema.Text, Text: c.text}
	}
	return vals
}

// Bind says which columns rows shall have, in order of slots; more may follow
// in a row. The heads must have been read. A source can be bound more than
// once, for readers of different columns.
func (s *Source) Bind(columns []schema.Column) (*Layout, error) {
	b := &binder{s: s, l: &Layout{s: s, split: -1}, slots: make(map[string]int, len(columns))}
	for _, c := range columns {
		if c.JSON {
			b.l.columns = append(b.l.columns, "")
		} else {
			b.reserve(c.Name)
		}
	}
	for i, c := range columns {
		if err := b.want(c, i); err != nil {
			return nil, err
		}
	}
	if b.unknown.Any() {
		return nil, b.unknown.Err()
	}
	slices.SortFunc(b.l.derives, func(a, c boundDerive) int { return a.index - c.index })
	// One may be on a column of one before it, whichever was asked for first.
	slices.SortFunc(b.l.joins, func(x, y boundJoin) int { return cmp.Compare(x.index, y.index) })
	var err error
	b.l.bound = b.own
	b.l.own, err = s.Input.Bind(b.own)
	return b.l, err
}

// A binder finds the origin of each column that was asked for.
type binder struct {
	s     *Source
	l     *Layout
	slots map[string]int
	own   []input.Bound

	unknown input.Fits // columns that no row has
}

// want tells where the column that was asked for comes from.
func (b *binder) want(c schema.Column, slot int) error {
	if !c.JSON {
		return b.origin(c.Name, slot)
	}
	text, err := b.slot(c.Name)
	b.l.cells = append(b.l.cells, jsonCell{column: c.Name, nulls: c.Nulls(), from: text, to: slot})
	return err
}

// reserve gives name the next slot.
func (b *binder) reserve(name string) int {
	i := len(b.l.columns)
	b.l.columns = append(b.l.columns, name)
	b.slots[name] = i
	return i
}

// slot is where column name stands in a row; it is added if nobody asked for
// it before.
func (b *binder) slot(name string) (int, error) {
	if i, ok := b.slots[name]; ok {
		return i, nil
	}
	i := b.reserve(name)
	return i, b.origin(name, i)
}

// needed is the slot of a column that a step needs, which must be there when the
// step begins.
func (b *binder) needed(name string, step column.Step, index int) (int, error) {
	c, ok := b.s.columns.Find(name)
	switch {
	case ok && c.Before(step, index):
		return b.slot(name)
	case ok:
		return 0, b.collides(name, &c, step, index)
	}
	return 0, b.s.unknown(name, true)
}

// collides is the fault of a step that needs a column of the rows, whose name a later step
// takes, or the step itself.
func (b *binder) collides(name string, c *column.Column, step column.Step, index int) error {
	fault := &input.FitError{Path: b.s.Listing().Label, Column: name, Hint: c.OtherName()}
	switch {
	case c.Step != step || c.Index != index:
		fault.Text = fmt.Sprintf("column %s comes from %s, which is later than the step that needs it", schema.Quote(name), c.From)
	case b.s.columns.Open:
		fault.Text = fmt.Sprintf("column %s comes from the %s itself and from %s", schema.Quote(name), b.s.spec.Kind.Name, c.From)
	default:
		fault.Text, fault.Hint = fmt.Sprintf("%s needs the column %s, which only %[1]s makes", c.From, schema.Quote(name)), ""
	}
	return fault
}

// lacks notes that no row has a column that was asked for. Where nearly all are
// lacking for one reason it is told once.
func (b *binder) lacks(name string) error {
	if b.unknown.Full() {
		return nil
	}
	fault := b.s.unknown(name, !b.unknown.Any())
	if fault.Whole {
		return fault
	}
	return b.unknown.Add(fault)
}

// origin tells where column name comes from and notes it for its slot.
func (b *binder) origin(name string, slot int) error {
	c, ok := b.s.columns.Find(name)
	if !ok {
		return b.lacks(name)
	}
	b.s.watch(name, &c)
	constant := func(text string) { b.l.consts = append(b.l.consts, constColumn{slot, []byte(text)}) }
	switch c.Step {
	case column.Own:
		b.own = append(b.own, input.Bound{Name: c.Name, Slot: slot})
	case column.FromPath:
		b.l.file = append(b.l.file, fileColumn{slot, c.Index})
	case column.FileName:
		b.l.file = append(b.l.file, fileColumn{slot, -1})
	case column.Constant:
		constant(b.s.spec.Set[c.Index].Value)
	case column.Source:
		constant(b.s.spec.Name)
	case column.Split:
		b.l.split = slot
	case column.Join:
		return b.join(&c, slot)
	case column.Load:
		return b.load(&c, slot)
	case column.Computed:
		return b.derive(&c, slot)
	}
	return nil
}
