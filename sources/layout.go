package sources

import (
	"cmp"
	"fmt"
	"slices"

	"tfr-build/pixels/convert"
	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
)

// A Layout has the origin of each column of a source's rows. Each column is a slot of a row:
// first the requested columns, then those that joins, loads, and JSON cells need.
type Layout struct {
	s       *Source
	columns []string      // by slot; empty for a JSON value, whose string has another slot
	own     input.Layout  // of the columns of the source type
	bound   []input.Bound // the columns of own
	file    []fileColumn  // columns with one value per file
	consts  []constColumn // columns with one value for all rows
	joins   []boundJoin
	loads   []boundLoad
	follows []boundConversion
	derives []boundDerive
	cells   []jsonCell
	split   int  // slot of @split; -1 if it is not requested
	step    int  // slot of @step, or -1
	steps   int  // slot of @steps, or -1
	offset  int  // slot of @offset, or -1
	id      int  // slot of @id, or -1
	arrays  bool // derived numbers are Arrays
	names   bool // files are not read if their names are enough
	files   bool // images are as their files have them
}

type fileColumn struct {
	slot  int
	group int // index of the column of from_path; -1 for @file
}

type constColumn struct {
	slot int
	text []byte
}

// NamesOnly makes readers not read a file that is a row if no column needs its content. It is for
// collecting names before the files are read.
func (l *Layout) NamesOnly() { l.names = true }

// Unconverted makes readers return images as their files have them, without the conversion of the
// source. They do not check an image if only its bytes are requested.
func (l *Layout) Unconverted() { l.files = true }

// ReadsSplit reports whether a column is `@split`, or is computed from it.
func (l *Layout) ReadsSplit() bool { return l.split >= 0 }

// ReadsStep reports whether a column is `@step` or `@steps`, or is computed from them.
func (l *Layout) ReadsStep() bool { return l.step >= 0 || l.steps >= 0 }

// Slot returns the slot of a column, or -1 if it was not requested.
func (l *Layout) Slot(name string) int { return slices.Index(l.columns, name) }

// newValues returns the slots of a row, with the constants filled in.
func (l *Layout) newValues() []schema.Value {
	vals := make([]schema.Value, len(l.columns))
	for _, c := range l.consts {
		vals[c.slot] = schema.Value{Kind: schema.Text, Text: c.text}
	}
	return vals
}

// Bind returns the layout of rows with these columns, in order of their slots. Rows may have more
// slots. ReadHeads must have been called. A source can be bound several times, for readers of
// different columns.
func (s *Source) Bind(columns []schema.Column) (*Layout, error) {
	return s.bind(columns, false)
}

// BindAll is Bind for rows that are encoded, whose matches are counted: it also binds the join columns of joins that
// no column needs. Derived numbers are Arrays. They are not where rows are compared: there 0.1 is a decimal, and not
// the float64 next to it.
func (s *Source) BindAll(columns []schema.Column) (*Layout, error) {
	return s.bind(columns, true)
}

func (s *Source) bind(columns []schema.Column, all bool) (*Layout, error) {
	b := &binder{s: s, slots: make(map[string]int, len(columns)), replaced: map[string]int{}}
	b.l = &Layout{s: s, split: -1, step: -1, steps: -1, offset: -1, id: -1, arrays: all}
	b.named, b.bound = map[*convert.Spec]convert.NamedBy{}, map[*convert.Key]bool{}
	// All requested columns have slots before any is bound, since binding adds slots of other columns.
	for _, c := range columns {
		if c.JSON { // without a name: another feature may read the string itself
			b.l.columns = append(b.l.columns, "")
		} else {
			b.reserve(c.Name)
		}
	}
	for i, c := range columns {
		if err := b.bind(c, i); err != nil {
			return nil, err
		}
	}
	if all {
		if err := b.bindAllKeys(); err != nil {
			return nil, err
		}
	}
	if b.unknown.Any() {
		return nil, b.unknown.Err()
	}
	// An expression or a join may use a column of an earlier one, in any order of requests.
	slices.SortFunc(b.l.derives, func(a, c boundDerive) int { return a.index - c.index })
	slices.SortFunc(b.l.joins, func(x, y boundJoin) int { return cmp.Compare(x.index, y.index) })
	var err error
	b.l.bound, _ = input.CutTransforms(b.own)
	b.l.own, err = s.Input.Bind(b.own)
	return b.l, err
}

// An inputColumn is a column that a step reads.
type inputColumn struct {
	name   string
	slot   int
	nulls  []string // strings that mean missing
	isList bool     // it is known to have lists
	isOwn  bool     // its values are in the row itself
	hint   string   // of a load, for a missing value: the column that has lists
}

// inputOf returns a column that a step needs. The column must exist before that step.
func (b *binder) inputOf(name string, step column.Step, index int) (inputColumn, error) {
	slot, err := b.slotFor(name, step, index)
	c, _ := b.s.columns.FindBefore(name, step, index)
	return inputColumn{name: name, slot: slot, nulls: c.Nulls, isList: b.s.columns.IsList(&c),
		isOwn: c.Step == column.Own}, err
}

// A binder finds the origin of each requested column.
type binder struct {
	s     *Source
	l     *Layout
	slots map[string]int
	own   []input.Bound
	named map[*convert.Spec]convert.NamedBy
	bound map[*convert.Key]bool

	replaced map[string]int   // slots of columns that a load replaces
	unknown  input.Mismatches // errors of columns that no row has
}

// bind finds the origin of a requested column.
func (b *binder) bind(c schema.Column, slot int) error {
	if !c.JSON {
		return b.bindSlot(c.Name, slot)
	}
	text, err := b.slotOf(c.Name)
	b.l.cells = append(b.l.cells, jsonCell{column: c.Name, nulls: c.Nulls(), from: text, to: slot})
	return err
}

// reserve returns a new slot for column name.
func (b *binder) reserve(name string) int {
	i := len(b.l.columns)
	b.l.columns = append(b.l.columns, name)
	b.slots[name] = i
	return i
}

// slotOf returns the slot of column name, which is added if it is new.
func (b *binder) slotOf(name string) (int, error) {
	if i, ok := b.slots[name]; ok {
		return i, nil
	}
	i := b.reserve(name)
	return i, b.bindSlot(name, i)
}

// slotFor returns the slot of a column that a step needs. The column must exist before that step.
func (b *binder) slotFor(name string, step column.Step, index int) (int, error) {
	c, ok := b.s.columns.FindBefore(name, step, index)
	switch now, _ := b.s.columns.Find(name); {
	case ok && now.Before(step, index):
		return b.slotOf(name)
	case ok && c.Before(step, index): // a load replaces it
		if slot, ok := b.replaced[name]; ok {
			return slot, nil
		}
		slot := len(b.l.columns)
		b.l.columns = append(b.l.columns, name)
		b.replaced[name] = slot
		return slot, b.bindColumn(name, &c, slot)
	case ok:
		return 0, b.collisionError(name, &c, step, index)
	}
	return 0, b.stepError(name, step, index, true)
}

// stepError returns the error of a step that needs a column that does not exist before it. With listed, it lists those
// that do.
func (b *binder) stepError(name string, step column.Step, index int, listed bool) *input.MismatchError {
	fit := b.s.unknownError(name, b.s.columns.NamesBefore(step, index), listed)
	fit.Key = b.s.spec.KeyOf(&column.Problem{Kind: column.NotFound, Step: step, Index: index})
	if c, ok := b.s.columns.Find(name); ok && step == column.Computed && c.Step == step && c.Index > index {
		fit.Hint = "write " + schema.Quote(name) + " above the column that needs it"
	}
	return fit
}

// collisionError returns the error of a step that needs a column whose name it sets itself, or a
// later step sets.
func (b *binder) collisionError(name string, c *column.Column, step column.Step, index int) error {
	fit := &input.MismatchError{Path: b.s.Listing().Label, Column: name, Hint: c.OtherName(),
		Key: b.s.spec.KeyOf(&column.Problem{Kind: column.NotFound, Step: step, Index: index})}
	switch {
	case c.Step != step || c.Index != index:
		fit.Text = fmt.Sprintf("column %s comes from %s, which is later than the step that needs it",
			schema.Quote(name), c.From)
	case b.s.columns.Open:
		fit.Text = fmt.Sprintf("column %s comes from the %s itself and from %s", schema.Quote(name), b.s.spec.Kind.Name,
			c.From)
	default:
		fit.Text, fit.Hint = fmt.Sprintf("%s needs the column %s, which only %[1]s makes", c.From,
			schema.Quote(name)), ""
	}
	return fit
}

// addUnknown records the error of a column that no row has. If one cause explains nearly all missing
// columns, it returns that error alone.
func (b *binder) addUnknown(fit *input.MismatchError) error {
	switch {
	case b.unknown.Full():
		return nil
	case fit.All:
		return fit
	}
	return b.unknown.Add(fit)
}

// bindSlot finds the origin of column name and records it for its slot.
func (b *binder) bindSlot(name string, slot int) error {
	c, ok := b.s.columns.Find(name)
	if !ok {
		return b.addUnknown(b.s.unknownError(name, b.s.columns.Names(), !b.unknown.Any()))
	}
	return b.bindColumn(name, &c, slot)
}

// bindColumn records the origin of a column for its slot.
func (b *binder) bindColumn(name string, c *column.Column, slot int) error {
	b.s.forbidInJoins(name, c)
	if c.Follows {
		if err := b.bindFollowing(name); err != nil {
			return err
		}
	}
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
	case column.RecordStep:
		b.l.step = slot
	case column.RecordSteps:
		b.l.steps = slot
	case column.Offset:
		b.l.offset = slot
	case column.RowID:
		b.l.id = slot
	case column.Join:
		return b.bindJoin(c, slot)
	case column.Load:
		return b.bindLoad(c, slot)
	case column.Follow: // bound above
	case column.Computed:
		return b.bindDerive(c, slot)
	}
	return nil
}
