package schema

import (
	"math"
	"unicode/utf8"

	"tfr-build/schema/date"
)

// A field is a compiled entry of a message. A Feature has one entry, or several if it is ragged.
type field struct {
	Feature
	entry

	to     conversion // conversion of a value
	width  int        // bytes of a stored number; 0 for a varint
	text   byte       // tag of a string value, in a bytes_list or in string_val
	index  int        // index among all fields of the schema
	slots  []int      // indexes of Columns in a row
	repeat int        // index of Repeat in a row
	form   form
	name   string      // key of the entry
	level  int         // for formLengths: depth of the lists; 1 for the elements of the outermost list
	steps  []byte      // for a feature list: 0a n key
	fast   []fastField // for a feature list: the fast path of a step

	lowest, highest int64 // limits of an integer type
	size, inner     int   // sizes of the shape, see shapeSize
	separator       []byte
	classes         *classTable
	collects        bool // class names are collected, not looked up
	mapped          *mapping
	dates           *date.Parser
	marks           *marks // nil if numbers have no other mark than a point
	takesEmpty      bool   // an empty Text is a value, and not missing

	absent    []byte     // entry of a feature without a value
	hasAbsent bool       // absent is allowed
	element   []byte     // the converted default or constant
	values    []byte     // the values in absent
	pad       []byte     // the converted Pad
	finish    []finisher // what forms do to the converted values of a list

	isLabels bool   // the labels of a vector: a list, or one label
	labels   *field // with MultiHot: converts the labels to class numbers
	one      []byte // with MultiHot: a 1 as it is stored
	zeros    []byte // with MultiHot: the vector without labels
}

// A form is the way in which the values of a feature are collected.
type form uint8

const (
	formOne      form = iota // one column, one value
	formConstant             // the same in all rows
	formList                 // one column, a list
	formColumns              // several columns, one value each
	formRepeated             // one value, repeated
	formRagged               // one column, lists of lists
	formLengths              // the lengths of these lists
	formMultiHot             // a vector with a place for each class
)

// A target is where a feature is encoded: the message, and whether it is one of its feature lists.
type target struct {
	message Message
	steps   bool
}

// A compiler compiles features into fields.
type compiler struct {
	target
	reporter
	slot     func(Column) int // returns the index of a column in a row
	collects bool             // the class names are not known yet
	limit    int64            // bytes of a record
}

// fields returns the entries of a message that f produces; none if f has a problem, or its type is not known.
func (c *compiler) fields(f *Feature) []field {
	c.key = f.Key
	before := len(c.problems)
	if c.check(f); len(c.problems) > before || f.Type == 0 {
		return nil
	}
	if f.MultiHot != nil {
		return []field{*c.multiHotField(f)}
	}
	x := c.newField(f)
	x.setForm()
	c.convertMap(x)
	c.setAbsent(x)
	x.pad = c.convertSetting(x, "pad", f.Pad)
	c.checkFill(x, "pad", x.pad)
	if f.Pad != nil {
		x.finish = append(x.finish, (*gatherer).fill)
	}
	if len(c.problems) > before {
		return nil
	}
	return x.withLengths(c.message)
}

// setIndex sets the index of x among all fields.
func (x *field) setIndex(i int) {
	if x.index = i; x.labels != nil {
		x.labels.index = i
	}
}

// newField sets everything that needs no conversion.
func (c *compiler) newField(f *Feature) *field {
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
	if f.MemberKey {
		x.to, x.takesEmpty = toKey, false
	}
	if f.Date != nil {
		x.to = toDate
		x.dates, _ = f.Date.parser() // check has compiled it before
	}
	x.marks = newMarks(f, x.to)
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

// setAbsent converts the constant or default, and makes the entries that are the same for every
// row.
func (c *compiler) setAbsent(x *field) {
	if x.Constant != nil {
		x.element = c.convertSetting(x, "value", x.Constant)
	} else if x.element = c.convertSetting(x, "missing.default", x.Default); c.checkFill(x, "the default", x.element) {
		return
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

// convertSetting converts the value of a setting; the result is nil without a value.
func (c *compiler) convertSetting(x *field, setting string, v *Value) []byte {
	if v == nil {
		return nil
	}
	element, err := x.convertConfigured(v)
	if err != nil {
		hint := ""
		if err.Code == "FLOAT_NONFINITE" {
			hint = "nonfinite: allow"
		}
		c.reportWithHint(setting, hint, "%s", err.Message)
	}
	return element
}

// checkFill checks that lists of the shape in which each element is the same fit into a record, and reports whether
// they do not. So a shape cannot make the schema, and each worker, fill gigabytes. A dimension of any length counts as
// 1.
func (c *compiler) checkFill(x *field, what string, element []byte) bool {
	size := int64(len(element))
	for _, n := range x.Shape {
		if size <= c.limit {
			size *= int64(max(1, min(n, math.MaxInt32)))
		}
	}
	if size > c.limit {
		c.report("shape", "found %s; %s fills up to %d bytes, and limits.record allows %d", ShapeText(x.Shape), what,
			size, c.limit)
	}
	return size > c.limit
}

// convertConfigured converts v, a default, a constant, or a value of a map, to the bytes in a list.
func (x *field) convertConfigured(v *Value) ([]byte, *RowError) {
	c := converter{pos: new(position), warnings: make([]Warnings, 1)}
	if x.isEmpty(v) {
		return nil, c.pos.newError(x, v, "MISSING", "it is empty; expected "+x.expected(), "")
	}
	if x.to == toString && !utf8.Valid(v.Text) {
		return nil, c.pos.notUTF8(x, v)
	}
	plain := *x
	plain.marks = nil // the config has numbers without marks
	if err := c.convert(&plain, v); err != nil {
		return nil, err
	}
	return c.body, x.rejectUnlisted(c.pos, v)
}

// rejectUnlisted rejects a default or constant that is not listed in the map or classes. Without
// this check it would silently become the value of unknown strings or numbers.
func (x *field) rejectUnlisted(p *position, v *Value) *RowError {
	switch {
	case x.mapped != nil && x.mapped.values[string(v.Text)] == nil:
		return p.notMapped(x, v)
	case x.classes == nil || !x.Classes.Numbers || x.classes.strict:
		return nil
	}
	n, _, result := parseInt(v.Text)
	if result != numberOK || (n < x.lowest || n > x.highest) && n != x.classes.unknown {
		return p.notClassNumber(x, v)
	}
	return nil
}

// expected returns a noun phrase for the values of the field.
func (x *field) expected() string {
	switch x.to {
	case toClass:
		return "a class's name"
	case toMapped:
		return "a string of the map"
	case toDate:
		return "a date"
	case toBytes, toString, toKey:
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
