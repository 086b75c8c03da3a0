package expr

import (
	"bytes"
	"cmp"
	"strconv"

	"tfr-build/internal/plural"
	"tfr-build/schema"
)

// A Number is an int64, or a finite float64.
type Number struct {
	int     int64
	float   float64
	isFloat bool
}

// asFloat converts x to a float64.
func (x Number) asFloat() float64 {
	if x.isFloat {
		return x.float
	}
	return float64(x.int)
}

// append appends the decimal string of a number.
func (x Number) append(dst []byte) []byte {
	if x.isFloat {
		return schema.AppendFloat(dst, x.float)
	}
	return strconv.AppendInt(dst, x.int, 10)
}

// A datum is a value of any kind.
type datum struct {
	is    kinds  // exactly one kind, or numeric; 0 for a number that is too large, or not finite
	num   Number // for numeric; for isBool, int 1 is true
	text  []byte
	value *schema.Value // the value in a column; nil if it was computed
}

func boolOf(x bool) datum {
	d := datum{is: isBool}
	if x {
		d.num.int = 1
	}
	return d
}

func numberOf(x Number) datum { return datum{is: numeric, num: x} }

func floatOf(x float64) datum { return numberOf(Number{float: x, isFloat: true}) }

func textOf(x []byte) datum { return datum{is: isText, text: x} }

func listOf(v *schema.Value) datum { return datum{is: isList, value: v} }

// datumOf returns a value of the row, or of a list. An object or the content of a file fails like a list.
func datumOf(v *schema.Value) (d datum) {
	switch {
	case v.Kind == schema.Missing:
		d.is = isMissing
	case v.Kind == schema.Text:
		d.is, d.text = isCell, v.Text
	case v.Kind == schema.String:
		d = textOf(v.Text)
	case v.Kind == schema.Bool:
		x, _ := schema.ReadBool(v.Text)
		d = boolOf(x)
	case v.Kind == schema.Array && v.Len() == 1 && v.Elem == schema.BoolType:
		d = boolOf(v.Text[0] != 0)
	case v.Kind == schema.Number || v.Kind == schema.Array && v.Len() == 1:
		x, ok := readNum(v)
		if d.num = x; ok {
			d.is = numeric
		}
	default:
		d.is = isList
	}
	d.value = v
	return d
}

// readNum returns the number that v is, or that its untyped string is.
func readNum(v *schema.Value) (x Number, ok bool) {
	switch {
	case v.Kind == schema.Text || v.Kind == schema.Number:
		return parseNum(v.Text)
	case v.Kind == schema.Array && v.Len() == 1 && v.Elem != schema.BoolType:
		return numberAt(v, 0)
	}
	return x, false
}

// numberAt returns a number of an Array, and whether it is finite.
func numberAt(v *schema.Value, i int) (x Number, ok bool) {
	x.int, x.float, x.isFloat = v.NumberAt(i)
	return x, x.float-x.float == 0
}

func parseNum(text []byte) (x Number, ok bool) {
	x.int, x.float, x.isFloat, ok = schema.ReadNumber(text)
	return x, ok
}

// number returns d as a number, and whether it is one.
func (d datum) number() (x Number, ok bool) {
	if d.is == isCell {
		return parseNum(d.text)
	}
	return d.num, d.is == numeric
}

// truth returns d as a bool, and whether it is one.
func (d datum) truth() (x, ok bool) {
	if d.is == isCell {
		return schema.ReadBool(d.text)
	}
	return d.num.int != 0, d.is == isBool
}

// value returns the value of a column in the row. It returns the only element of a list that is accepted as one
// value, and a missing value for a string that means missing.
func (e *eval) value(column int) *schema.Value {
	v := &e.vals[e.slots[column]]
	if !e.hasNulls && v.Kind < schema.List {
		return v
	}
	v = v.Single()
	if (v.Kind == schema.Text || v.Kind == schema.String) && schema.HasWord(e.nulls[column], v.Text) {
		e.none.At = v.At
		return &e.none
	}
	return v
}

// The values that operations expect, for messages.
const (
	aNumber = "a number"
	aText   = "a string"
	aBool   = "true or false"
	aList   = "a list"
)

// toNum converts d, the value of n, to a number.
func (e *eval) toNum(n *node, d datum) Number {
	switch {
	case d.value != nil:
		return e.readNum(n, d.value)
	case d.is != numeric:
		e.failKind(n, d, aNumber)
	}
	return d.num
}

// readNum converts v, the value of n, to a number.
func (e *eval) readNum(n *node, v *schema.Value) Number {
	x, ok := readNum(v)
	switch {
	case !ok:
		e.failKind(n, datumOf(v), aNumber)
	case n.kinds&likeNumber == isFloat: // all numbers are floats, even if they are written as integers
		return Number{float: x.asFloat(), isFloat: true}
	}
	return x
}

// toText converts d, the value of n, to a string.
func (e *eval) toText(n *node, d datum) []byte {
	if d.is&likeText == 0 {
		e.failKind(n, d, aText)
	}
	return d.text
}

// readText returns the string v, the value of n.
func (e *eval) readText(n *node, v *schema.Value) []byte {
	if v.Kind != schema.Text && v.Kind != schema.String {
		e.failKind(n, datumOf(v), aText)
	}
	return v.Text
}

// toBool converts d, the value of n, to a bool.
func (e *eval) toBool(n *node, d datum) bool {
	x, ok := d.truth()
	if !ok {
		e.failKind(n, d, aBool)
	}
	return x
}

// failKind records that d, the value of n, is not what is expected.
func (e *eval) failKind(n *node, d datum, expected string) {
	code, message, hint := codeType, "found "+d.describe()+"; expected "+expected, ""
	switch snippet := n.snippet(); {
	case d.is == isMissing:
		code, message, hint = codeMissing, "the value is missing", "missing("+snippet+") ? … : …"
	case d.is == 0 && expected == aNumber && d.value.Kind == schema.Array:
		code, message = codeNumber, "nan and inf are no numbers here"
	case d.is == 0 && expected == aNumber:
		code, message = codeOverflow, schema.Quote(d.value.Text)+" is beyond the largest float64"
	case d.is == isCell && expected == aBool:
		message = schema.Quote(d.text) + " is not true, false, 1 or 0"
	case d.is == isCell && expected == aNumber:
		code, message = codeNumber, schema.Quote(d.text)+" is not a number"
	case d.is == isText && expected == aNumber:
		hint = "float(" + snippet + ")"
	case d.value != nil && d.value.Kind == schema.Number && expected == aText:
		hint = "text(" + snippet + ")"
	case d.is&likeText != 0 && expected == aList:
		hint = "split(" + snippet + `, ",")`
	}
	if !n.isRead() {
		hint = ""
	}
	if code == codeNumber && d.is == isCell {
		hint = cmp.Or(schema.NullHint(d.value), spacedHint(d.text))
	}
	e.failValue(n, d.value, code, message, hint)
}

// spacedHint suggests trimming if text is a number without the spaces around it.
func spacedHint(text []byte) string {
	trimmed := bytes.Trim(text, " \t")
	if _, ok := parseNum(trimmed); ok && len(trimmed) < len(text) {
		return schema.TrimHint
	}
	return ""
}

// describe returns a noun phrase for a value of the wrong kind.
func describe(v *schema.Value) string {
	switch v.Kind {
	case schema.Number:
		return "the number " + schema.Quote(v.Text)
	case schema.Bool:
		return "the bool " + schema.Quote(v.Text)
	case schema.Array:
		return "a list of " + plural.Of(v.Len(), "element")
	}
	return v.Describe()
}

// describe returns a noun phrase for a value that was computed or is in a column.
func (d datum) describe() string {
	switch {
	case d.value != nil:
		return describe(d.value)
	case d.is == isMissing:
		return "nothing"
	case d.is == isText:
		return "the string " + schema.Quote(d.text)
	case d.is == isBool:
		return "the bool " + strconv.FormatBool(d.num.int == 1)
	}
	return "the number " + string(d.num.append(nil))
}

// isRead reports whether n is a value of the row or of a list, and not a computed one.
func (n *node) isRead() bool { return n.op == opColumn || n.op == opVariable || n.op == opElement }

// toValue returns d, the value of n, as a value of a row or of a list.
func (e *eval) toValue(n *node, d datum) schema.Value {
	kind := schema.String
	switch {
	case d.is == isMissing || e.err != nil:
		return schema.Value{}
	case d.value != nil && (d.is == isList) == (d.value.Len() >= 0): // no object, and no number of an Array
		return *d.value
	case d.is == isBool:
		kind = schema.Bool
	case d.is == numeric:
		kind = schema.Number
	}
	return schema.Value{Kind: kind, Text: e.format(n, d)}
}
