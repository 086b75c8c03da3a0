package schema

import (
	"errors"
	"unicode/utf8"

	"tfr-build/schema/date"
)

// A field is an entry of a message, compiled: that of a Feature, or one of several
// of a ragged Feature.
type field struct {
	Feature
	entry

	to     conversion // of a value
	width  int        // of a number as it is stored; 0 for a varint
	text   byte       // the tag of a text among others
	index  int        // in the schema
	slots  []int      // of Columns
	repeat int        // slot of Repeat
	form   form
	name   string // the key of the entry
	level  int    // of formLengths: from which lists the lengths are, 1 for those in the outermost
	steps  []byte // of a feature list: 0a n key

	lowest, highest int64 // of an integer type
	size, inner     int   // of the shape, see shapeSize
	separator       []byte
	classes         *classTable
	collects        bool // names of classes are collected, not looked up
	mapped          *mapping
	dates           *date.Parser
	takesEmpty      bool // an empty Text is a value

	absent    []byte // the entry of a feature without a value
	hasAbsent bool   // a feature may be without
	element   []byte // converted, the default or the constant
	values    []byte // of absent
}

// A form says how values come together.
type form uint8

const (
	formOne      form = iota // one column, one value
	formConstant             // no column
	formList                 // one column, a list
	formColumns              // several columns, one value each
	formRepeated             // one value, repeated
	formRagged               // one column, lists of lists
	formLengths              // the lengths of these lists
)

// A place is where a feature stands: in which message, and whether in one of its
// feature lists.
type place struct {
	message Message
	steps   bool
}

// A compiler makes fields of features.
type compiler struct {
	place
	slot     func(Column) int // of a row
	collects bool             // the names of classes are not known yet
}

// fields returns the entries that a message has of f.
func (c *compiler) fields(f *Feature) ([]field, error) {
	var faults []error
	bad := func(format string, args ...any) {
		faults = append(faults, featureError(f.Key, format, args...))
	}
	if f.check(c.place, bad); faults != nil {
		return nil, errors.Join(faults...)
	}
	x := c.field(f)
	x.setForm()
	x.convertMap(bad)
	x.setAbsent(bad)
	if faults != nil {
		return nil, errors.Join(faults...)
	}
	return x.withLengths(c.message), nil
}

// field sets up what does not need a conversion.
func (c *compiler) field(f *Feature) *field {
	x := &field{Feature: *f, name: f.Keys()[0], collects: c.collects, separator: []byte(f.Separator)}
	stored := f.storage(c.message)
	x.to, x.width = stored.to, stored.width
	x.entry, x.text = newEntry(x.name, stored.tag(c.message)), tag1
	if f.Tensor {
		x.text = tagString
	}
	if c.steps {
		x.steps, x.key = x.key, nil
	}
	x.size, x.inner = shapeSize(f.Shape)
	x.lowest, x.highest = f.Type.Limits()
	x.takesEmpty = x.to == toBytes || x.to == toString
	if f.Classes != nil {
		x.classes = newClassTable(f.Classes)
		if !f.Classes.Numbers {
			x.to = toClass
		} else if !c.collects {
			x.lowest, x.highest = f.Classes.First, f.Classes.First+int64(len(f.Classes.Names))-1
		}
	}
	for _, column := range f.Columns {
		x.slots = append(x.slots, c.slot(f.column(column)))
	}
	if f.Date != nil {
		x.to = toDate
		x.dates, _ = f.Date.Parser() // which check has compiled
	}
	if f.Repeat != "" {
		x.repeat = c.slot(Column{Name: f.Repeat})
	}
	return x
}

func (x *field) setForm() {
	switch {
	case x.Repeat != "":
		x.form = formRepeated
	case x.Constant != nil:
		x.form = formConstant
	case len(x.Columns) > 1:
		x.form = formColumns
	case x.IsRagged():
		x.form = formRagged
	case len(x.Shape) > 0:
		x.form = formList
	}
}

// setAbsent converts the constant or default and makes the entries that are
// the same for every row.
func (x *field) setAbsent(bad func(format string, args ...any)) {
	value, what := x.Default, "default"
	if x.Constant != nil {
		value, what = x.Constant, "constant"
	}
	if value != nil {
		element, err := x.convert(value)
		if err != nil {
			bad("%s: %s", what, err.Message)
			return
		}
		x.element = element
	}
	switch {
	case x.form == formConstant:
		x.values = x.element
	case x.OnMissing == MissingOmit:
		x.hasAbsent = true
		return
	case x.OnMissing == MissingEmptyList:
		x.hasAbsent = true
	case x.OnMissing == MissingDefault && x.size > 0 && x.steps == nil:
		x.values, x.hasAbsent = repeated(x.element, x.size), true
	default:
		return
	}
	if x.absent = x.appendValues(nil, x.values); x.steps != nil {
		x.absent = x.closeSteps(nil, 0)
	}
}

// convert returns v, a default or constant, as a list has it.
func (x *field) convert(v *Value) ([]byte, *RowError) {
	e := Encoder{limit: maxExample, notices: make([]Notice, 1)}
	if x.isEmpty(v) {
		return nil, e.fault(x, v, "MISSING", "it is empty; expected "+x.expected(), "")
	}
	if x.to == toString && !utf8.Valid(v.Text) {
		return nil, e.notUTF8(x, v)
	}
	if err := e.convert(x, v); err != nil {
		return nil, err
	}
	return e.body, x.refuseOther(&e, v)
}

// refuseOther refuses a default or constant that is taken only because the column
// may hold others than the config names: it would become what those are.
func (x *field) refuseOther(e *Encoder, v *Value) *RowError {
	switch {
	case x.mapped != nil && x.mapped.values[string(v.Text)] == nil:
		return e.notMapped(x, v)
	case x.classes == nil || !x.Classes.Numbers || x.classes.strict:
		return nil
	}
	n, _, verdict := parseInt(v.Text)
	if verdict != numberFine || (n < x.lowest || n > x.highest) && n != x.classes.unknown {
		return e.notClassNumber(x, v)
	}
	return nil
}

// expected names what a value of the field is.
func (x *field) expected() string {
	switch x.to {
	case toClass:
		return "a class's name"
	case toMapped:
		return "a text of the map"
	case toDate:
		return "a date"
	case toBytes, toString:
		return "text"
	}
	return x.Type.withArticle()
}

func repeated(element []byte, n int) []byte {
	var all []byte
	for range n {
		all = append(all, element...)
	}
	return all
}
