package expr

import (
	"bytes"
	"cmp"
	"strconv"

	"tfr-build/schema"
)

// How a part of an expression is computed: with the kind that is wanted of it. Each
// reports whether there is a value; if not, the Evaluator has the error.
type (
	intFn   func(e *eval) (int64, bool)
	floatFn func(e *eval) (float64, bool)
	numFn   func(e *eval) (num, bool)
	textFn  func(e *eval) ([]byte, bool)
	boolFn  func(e *eval) (bool, bool)
	anyFn   func(e *eval) (datum, bool)
)

// A num is an int64 or a float64.
type num struct {
	int     int64
	float   float64
	isFloat bool
}

// asFloat is x as a float64.
func (x num) asFloat() float64 {
	if x.isFloat {
		return x.float
	}
	return float64(x.int)
}

// A datum is a value of any kind.
type datum struct {
	is    kinds // one of them
	num   num   // of isInt and isFloat; of isBool int is 1 for true
	text  []byte
	value *schema.Value // that of a column; nil for what was computed
}

// value is that of a column in the row.
func (e *eval) value(column int) *schema.Value {
	v := &e.vals[e.slots[column]]
	if e.hasNulls || v.Kind >= schema.List {
		return e.meant(column, v)
	}
	return v
}

// meant is the value that v, of a column, stands for: the one of a list of one,
// nothing for a text that means that.
func (e *eval) meant(column int, v *schema.Value) *schema.Value {
	v = v.Lone()
	if v.Kind != schema.Text && v.Kind != schema.String {
		return v
	}
	for _, null := range e.nulls[column] {
		if string(v.Text) == null {
			e.none.At = v.At
			return &e.none
		}
	}
	return v
}

// columnNum is the value of a column as a number.
func (e *eval) columnNum(n *node) (num, bool) {
	return e.toNum(n, e.value(n.column))
}

// toNum is v as a number.
func (e *eval) toNum(n *node, v *schema.Value) (x num, ok bool) {
	if v.Kind == schema.Text || v.Kind == schema.Number {
		if x.int, x.float, x.isFloat, ok = schema.ReadNumber(v.Text); ok {
			return x, true
		}
	}
	if v.Kind == schema.Array && v.Len() == 1 && v.Elem != schema.BoolType {
		x.int, x.float, x.isFloat = v.NumberAt(0)
		if x.float-x.float == 0 {
			return x, true
		}
	}
	e.notNumber(n, v)
	return num{}, false
}

// notNumber says why v is no number.
func (e *eval) notNumber(n *node, v *schema.Value) {
	switch {
	case v.Kind == schema.Missing:
		e.missing(n, v)
	case v.Kind == schema.Text:
		e.failValue(n, v, codeNumber, schema.Quote(v.Text)+" is not a number")
		e.err.Hint = cmp.Or(schema.NullHint(v), spacedHint(v.Text))
	case v.Kind == schema.Number:
		e.failValue(n, v, codeOverflow, schema.Quote(v.Text)+" is beyond the largest float64")
	case v.Kind == schema.Array && v.Len() == 1 && v.Elem != schema.BoolType:
		e.failValue(n, v, codeNumber, "nan and inf are no numbers here")
	default:
		e.failValue(n, v, codeType, "found "+describe(v)+"; expected a number")
		if v.Kind == schema.String && n.op == opColumn {
			e.err.Hint = "float(" + n.part() + ")"
		}
	}
}

// spacedHint proposes to cut the spaces around a text that is a number without them.
func spacedHint(text []byte) string {
	trimmed := bytes.Trim(text, " \t")
	if _, ok := readNum(trimmed); ok && len(trimmed) < len(text) {
		return schema.TrimHint
	}
	return ""
}

// missing says that there is no value where one is needed.
func (e *eval) missing(n *node, v *schema.Value) {
	e.failValue(n, v, codeMissing, "the value is missing")
	if n.op == opColumn {
		e.err.Hint = "missing(" + n.part() + ") ? … : …"
	}
}

// describe names a value that is of the wrong kind.
func describe(v *schema.Value) string {
	switch v.Kind {
	case schema.Missing:
		return "nothing"
	case schema.Text, schema.String:
		return "the text " + schema.Quote(v.Text)
	case schema.Number:
		return "the number " + schema.Quote(v.Text)
	case schema.Bool:
		return "the bool " + schema.Quote(v.Text)
	case schema.Bytes:
		return "the content of a file"
	case schema.List, schema.Array:
		if v.Len() == 1 {
			return "a list of 1 element"
		}
		return "a list of " + strconv.Itoa(v.Len()) + " elements"
	}
	return "an object"
}

// describe names a value that was computed or stands in a column.
func (d *datum) describe() string {
	if d.value != nil {
		return describe(d.value)
	}
	switch d.is {
	case isMissing:
		return "nothing"
	case isText:
		return "the text " + schema.Quote(d.text)
	case isBool:
		return "the bool " + strconv.FormatBool(d.num.int == 1)
	}
	return "the number " + string(d.num.append(nil))
}

// append appends the text of a number.
func (x num) append(dst []byte) []byte {
	if x.isFloat {
		return schema.AppendFloat(dst, x.float)
	}
	return strconv.AppendInt(dst, x.int, 10)
}

// toText is v as a text: a cell or a JSON string.
func (e *eval) toText(n *node, v *schema.Value) ([]byte, bool) {
	switch v.Kind {
	case schema.Text, schema.String:
		return v.Text, true
	case schema.Missing:
		e.missing(n, v)
	default:
		e.failValue(n, v, codeType, "found "+describe(v)+"; expected a text")
		if v.Kind == schema.Number && n.op == opColumn {
			e.err.Hint = "text(" + n.part() + ")"
		}
	}
	return nil, false
}

// toBool is v as a bool: one of JSON, or a cell that says true, false, 1 or 0.
func (e *eval) toBool(n *node, v *schema.Value) (x, ok bool) {
	switch v.Kind {
	case schema.Text, schema.Bool:
		if x, ok = schema.ReadBool(v.Text); ok {
			return x, true
		}
		e.failValue(n, v, codeType, schema.Quote(v.Text)+" is not true, false, 1 or 0")
	case schema.Missing:
		e.missing(n, v)
	case schema.Array:
		if v.Elem == schema.BoolType && v.Len() == 1 {
			i, _, _ := v.NumberAt(0)
			return i != 0, true
		}
		fallthrough
	default:
		e.failValue(n, v, codeType, "found "+describe(v)+"; expected true or false")
	}
	return false, false
}

// toDatum is v as what it is.
func (e *eval) toDatum(n *node, v *schema.Value) (d datum, ok bool) {
	d.value = v
	switch v.Kind {
	case schema.Missing:
		d.is = isMissing
	case schema.Text:
		d.is, d.text = isCell, v.Text
	case schema.String:
		d.is, d.text = isText, v.Text
	case schema.Number:
		return e.numberDatum(n, v)
	case schema.Bool:
		d.is = isBool
		if x, _ := schema.ReadBool(v.Text); x {
			d.num.int = 1
		}
	case schema.Array:
		if v.Len() == 1 && v.Elem == schema.BoolType {
			d.is = isBool
			d.num.int, _, _ = v.NumberAt(0)
			return d, true
		}
		if v.Len() == 1 {
			return e.numberDatum(n, v)
		}
		d.is = isList
	default:
		d.is = isList // or an object or the content of a file, which are as little
	}
	return d, true
}

func (e *eval) numberDatum(n *node, v *schema.Value) (d datum, ok bool) {
	d.value = v
	if d.num, ok = e.toNum(n, v); !ok {
		return d, false
	}
	d.is = d.num.kind()
	return d, true
}

// kind is what x is.
func (x num) kind() kinds {
	if x.isFloat {
		return isFloat
	}
	return isInt
}
