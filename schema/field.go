package schema

import (
	"errors"
	"unicode/utf8"
)

// A field is a Feature, compiled.
type field struct {
	Feature
	entry

	to     conversion // of a value
	index  int        // in the schema
	slots  []int      // of Columns
	repeat int        // slot of Repeat
	form   form

	lowest, highest int64 // of an integer type
	size, inner     int   // of the shape, see shapeSize
	separator       []byte
	classes         *classTable
	collects        bool // names of classes are collected, not looked up

	absent    []byte // the entry of a feature without a value
	hasAbsent bool   // a feature may be without
	element   []byte // converted, the default or the constant
}

// A form says how values come together.
type form uint8

const (
	formOne      form = iota // one column, one value
	formConstant             // no column
	formList                 // one column, a list
	formColumns              // several columns, one value each
	formRepeated             // one value, repeated
)

// compile sets the field up from f; slot gives the place of a column in a row.
func (x *field) compile(f *Feature, slot func(Column) int) error {
	var faults []error
	bad := func(format string, args ...any) {
		faults = append(faults, featureError(f.Key, format, args...))
	}
	stored := f.storage(ExampleMessage)
	if f.check(bad); stored.to == toNothing && f.Type != 0 {
		bad("%s cannot be stored in an Example", f.Type.withArticle())
	}
	if faults != nil {
		return errors.Join(faults...)
	}
	x.Feature = *f
	x.entry = newEntry(f.Key, stored.list)
	x.to = stored.to
	x.size, x.inner = shapeSize(f.Shape)
	x.lowest, x.highest = f.Type.limits()
	if f.Classes != nil {
		x.classes, x.to = newClassTable(f.Classes), toClass
	}
	x.separator = []byte(f.Separator)
	for _, column := range f.Columns {
		x.slots = append(x.slots, slot(Column{Name: column, JSON: f.Encoding == JSON}))
	}
	if f.Repeat != "" {
		x.repeat = slot(Column{Name: f.Repeat})
	}
	x.setForm()
	x.setAbsent(bad)
	return errors.Join(faults...)
}

func (x *field) setForm() {
	switch {
	case x.Repeat != "":
		x.form = formRepeated
	case x.Constant != nil:
		x.form = formConstant
	case len(x.Columns) > 1:
		x.form = formColumns
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
		x.absent = x.appendEntry(nil, x.element)
	case x.OnMissing == MissingOmit:
		x.hasAbsent = true
	case x.OnMissing == MissingEmptyList:
		x.absent, x.hasAbsent = x.appendEntry(nil, nil), true
	case x.OnMissing == MissingDefault && x.size > 0:
		x.absent, x.hasAbsent = x.appendEntry(nil, repeated(x.element, x.size)), true
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
	return e.body, nil
}

// expected names what a value of the field is.
func (x *field) expected() string {
	switch x.to {
	case toClass:
		return "a class's name"
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
