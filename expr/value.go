package expr

import (
	"bytes"
	"cmp"
	"strconv"

	"tfr-build/schema"
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

// toNum converts v to a number.
func (e *eval) toNum(n *node, v *schema.Value) (x num) {
	if v.Kind == schema.Text || v.Kind == schema.Number {
		var ok bool
		if x.int, x.float, x.isFloat, ok = schema.ReadNumber(v.Text); ok {
			return x
		}
	}
	if v.Kind == schema.Array && v.Len() == 1 && v.Elem != schema.BoolType {
		x.int, x.float, x.isFloat = v.NumberAt(0)
		if x.float-x.float == 0 {
			return x
		}
	}
	e.failNumber(n, v)
	return num{}
}

// failNumber records why v is not a number.
func (e *eval) failNumber(n *node, v *schema.Value) {
	switch {
	case v.Kind == schema.Missing:
		e.failMissing(n, v)
	case v.Kind == schema.Text:
		e.failValue(n, v, codeNumber, schema.Quote(v.Text)+" is not a number", cmp.Or(schema.NullHint(v), spacedHint(v.Text)))
	case v.Kind == schema.Number:
		e.failValue(n, v, codeOverflow, schema.Quote(v.Text)+" is beyond the largest float64", "")
	case v.Kind == schema.Array && v.Len() == 1 && v.Elem != schema.BoolType:
		e.failValue(n, v, codeNumber, "nan and inf are no numbers here", "")
	default:
		e.failValue(n, v, codeType, "found "+describe(v)+"; expected a number", n.callHint(v, schema.String, "float"))
	}
}

// callHint suggests a function that converts a value of this kind, unless it was computed.
func (n *node) callHint(v *schema.Value, kind schema.Kind, function string) string {
	if v.Kind != kind || !n.isRead() {
		return ""
	}
	return function + "(" + n.snippet() + ")"
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
	hint := ""
	if n.isRead() {
		hint = "missing(" + n.snippet() + ") ? … : …"
	}
	e.failValue(n, v, codeMissing, "the value is missing", hint)
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
func (e *eval) toText(n *node, v *schema.Value) []byte {
	switch v.Kind {
	case schema.Text, schema.String:
		return v.Text
	case schema.Missing:
		e.failMissing(n, v)
	default:
		e.failValue(n, v, codeType, "found "+describe(v)+"; expected a string", n.callHint(v, schema.Number, "text"))
	}
	return nil
}

// toBool converts v to a bool. v must be a bool of JSON, or a cell with true, false, 1, or 0.
func (e *eval) toBool(n *node, v *schema.Value) bool {
	switch {
	case v.Kind == schema.Text || v.Kind == schema.Bool:
		x, ok := schema.ReadBool(v.Text)
		if !ok {
			e.failValue(n, v, codeType, schema.Quote(v.Text)+" is not true, false, 1 or 0", "")
		}
		return x
	case v.Kind == schema.Missing:
		e.failMissing(n, v)
	case v.Kind == schema.Array && v.Elem == schema.BoolType && v.Len() == 1:
		i, _, _ := v.NumberAt(0)
		return i != 0
	default:
		e.failValue(n, v, codeType, "found "+describe(v)+"; expected true or false", "")
	}
	return false
}

// toDatum converts v to a datum of its kind.
func (e *eval) toDatum(n *node, v *schema.Value) datum {
	d := datum{is: isList, value: v} // an object or the content of a file fails like a list
	switch v.Kind {
	case schema.Missing:
		d.is = isMissing
	case schema.Text:
		d.is, d.text = isCell, v.Text
	case schema.String:
		d.is, d.text = isText, v.Text
	case schema.Bool:
		d.is = isBool
		if x, _ := schema.ReadBool(v.Text); x {
			d.num.int = 1
		}
	case schema.Number, schema.Array:
		switch {
		case v.Kind == schema.Array && v.Len() != 1:
		case v.Kind == schema.Array && v.Elem == schema.BoolType:
			d.is = isBool
			d.num.int, _, _ = v.NumberAt(0)
		default:
			d.num = e.toNum(n, v)
			d.is = d.num.kind()
		}
	}
	return d
}

// isRead reports whether n is a value of the row or of a list, and not a computed one.
func (n *node) isRead() bool { return n.op == opColumn || n.op == opVariable || n.op == opElement }

// toValue returns d, the value of n, as a value of a row or of a list.
func (e *eval) toValue(n *node, d *datum) schema.Value {
	switch {
	case d.is == isMissing || e.err != nil:
		return schema.Value{}
	case d.is == isList && d.value.Len() >= 0, d.value != nil && d.is != isList && d.value.Kind != schema.Array:
		return *d.value
	case d.is == isBool:
		return schema.Value{Kind: schema.Bool, Text: boolTexts[d.num.int]}
	case d.is&numeric != 0:
		start := len(e.digits)
		e.digits = d.num.append(e.digits)
		return schema.Value{Kind: schema.Number, Text: e.digits[start:]}
	}
	return schema.Value{Kind: schema.String, Text: e.format(n, d)}
}

// kind returns isInt or isFloat.
func (x num) kind() kinds {
	if x.isFloat {
		return isFloat
	}
	return isInt
}
