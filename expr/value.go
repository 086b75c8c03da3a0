package expr

import (
	"bytes"
	"cmp"
	"strconv"

	"tfr-build/schema"
)

// These functions compute a node, with a specific kind of result. Without a value they return
// false, and the error is in eval.err.
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

// asFloat converts x to a float64.
func (x num) asFloat() float64 {
	if x.isFloat {
		return x.float
	}
	return float64(x.int)
}

// A datum is a value of any kind.
type datum struct {
	is    kinds // exactly one kind
	num   num   // for isInt and isFloat; for isBool, int 1 is true
	text  []byte
	value *schema.Value // the value in a column; nil if it was computed
}

// value returns the value of a column in the row.
func (e *eval) value(column int) *schema.Value {
	v := &e.vals[e.slots[column]]
	if e.hasNulls || v.Kind >= schema.List {
		return e.resolve(column, v)
	}
	return v
}

// resolve returns the only element of a list that is accepted as one value, and a missing value for
// a string that means missing. It returns other values unchanged.
func (e *eval) resolve(column int, v *schema.Value) *schema.Value {
	v = v.Single()
	if v.Kind != schema.Text && v.Kind != schema.String {
		return v
	}
	if schema.HasWord(e.nulls[column], v.Text) {
		e.none.At = v.At
		return &e.none
	}
	return v
}

// columnNum returns the value of a column as a number.
func (e *eval) columnNum(n *node) (num, bool) {
	return e.toNum(n, e.value(n.column))
}

// toNum converts v to a number.
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
	e.failNumber(n, v)
	return num{}, false
}

// failNumber records why v is not a number.
func (e *eval) failNumber(n *node, v *schema.Value) {
	switch {
	case v.Kind == schema.Missing:
		e.failMissing(n, v)
	case v.Kind == schema.Text:
		e.failValue(n, v, codeNumber, schema.Quote(v.Text)+" is not a number")
		e.err.Hint = cmp.Or(schema.NullHint(v), spacedHint(v.Text))
	case v.Kind == schema.Number:
		e.failValue(n, v, codeOverflow, schema.Quote(v.Text)+" is beyond the largest float64")
	case v.Kind == schema.Array && v.Len() == 1 && v.Elem != schema.BoolType:
		e.failValue(n, v, codeNumber, "nan and inf are no numbers here")
	default:
		e.failValue(n, v, codeType, "found "+describe(v)+"; expected a number")
		if v.Kind == schema.String && n.isRead() {
			e.err.Hint = "float(" + n.snippet() + ")"
		}
	}
}

// spacedHint suggests trimming if text is a number without the spaces around it.
func spacedHint(text []byte) string {
	trimmed := bytes.Trim(text, " \t")
	if _, ok := readNum(trimmed); ok && len(trimmed) < len(text) {
		return schema.TrimHint
	}
	return ""
}

// failMissing records that a required value is missing.
func (e *eval) failMissing(n *node, v *schema.Value) {
	e.failValue(n, v, codeMissing, "the value is missing")
	if n.isRead() {
		e.err.Hint = "missing(" + n.snippet() + ") ? … : …"
	}
}

// describe returns a noun phrase for a value of the wrong kind.
func describe(v *schema.Value) string {
	switch v.Kind {
	case schema.Missing:
		return "nothing"
	case schema.Text, schema.String:
		return "the string " + schema.Quote(v.Text)
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

// describe returns a noun phrase for a value that was computed or is in a column.
func (d *datum) describe() string {
	if d.value != nil {
		return describe(d.value)
	}
	switch d.is {
	case isMissing:
		return "nothing"
	case isText:
		return "the string " + schema.Quote(d.text)
	case isBool:
		return "the bool " + strconv.FormatBool(d.num.int == 1)
	}
	return "the number " + string(d.num.append(nil))
}

// append appends the decimal string of a number.
func (x num) append(dst []byte) []byte {
	if x.isFloat {
		return schema.AppendFloat(dst, x.float)
	}
	return strconv.AppendInt(dst, x.int, 10)
}

// toText converts v to a string. v must be a Text or a String.
func (e *eval) toText(n *node, v *schema.Value) ([]byte, bool) {
	switch v.Kind {
	case schema.Text, schema.String:
		return v.Text, true
	case schema.Missing:
		e.failMissing(n, v)
	default:
		e.failValue(n, v, codeType, "found "+describe(v)+"; expected a string")
		if v.Kind == schema.Number && n.isRead() {
			e.err.Hint = "text(" + n.snippet() + ")"
		}
	}
	return nil, false
}

// toBool converts v to a bool. v must be a bool of JSON, or a cell with true, false, 1, or 0.
func (e *eval) toBool(n *node, v *schema.Value) (x, ok bool) {
	switch v.Kind {
	case schema.Text, schema.Bool:
		if x, ok = schema.ReadBool(v.Text); ok {
			return x, true
		}
		e.failValue(n, v, codeType, schema.Quote(v.Text)+" is not true, false, 1 or 0")
	case schema.Missing:
		e.failMissing(n, v)
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

// toDatum converts v to a datum of its kind.
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
		d.is = isList // an object or the content of a file fails like a list
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

// isRead reports whether n is a value of the row or of a list, and not a computed one.
func (n *node) isRead() bool { return n.op == opColumn || n.op == opVariable || n.op == opElement }

// toValue returns d, the value of n, as a value of a row or of a list.
func (e *eval) toValue(n *node, d *datum) (schema.Value, bool) {
	switch {
	case d.is == isMissing:
		return schema.Value{}, true
	case d.is == isList && d.value.Len() >= 0, d.value != nil && d.is != isList && d.value.Kind != schema.Array:
		return *d.value, true
	case d.is == isBool:
		return schema.Value{Kind: schema.Bool, Text: boolTexts[d.num.int]}, true
	case d.is&numeric != 0:
		start := len(e.digits)
		e.digits = d.num.append(e.digits)
		return schema.Value{Kind: schema.Number, Text: e.digits[start:]}, true
	}
	text, ok := e.format(n, d)
	return schema.Value{Kind: schema.String, Text: text}, ok
}

// kind returns isInt or isFloat.
func (x num) kind() kinds {
	if x.isFloat {
		return isFloat
	}
	return isInt
}
