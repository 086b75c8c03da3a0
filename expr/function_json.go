package expr

import (
	"bytes"

	"tfr-build/schema"
)

// toJSON computes json. Numbers and objects of the row stay as they are written, so that nothing of them is lost.
func toJSON(e *eval, n *node) datum {
	x, v := n.args[0], schema.Value{}
	for x.op == opCond {
		x = e.branch(x)
	}
	if x.isRead() {
		v = *e.read(x)
	} else {
		v = e.computeElement(x)
	}
	start := len(e.made)
	e.appendJSON(x, &v)
	return textOf(e.made[start:])
}

// appendJSON appends the JSON of v, which is the value of n or in it, to the strings of the row. NaN and infinities are
// written as Python does.
func (e *eval) appendJSON(n *node, v *schema.Value) {
	const longest = 6 // bytes of a character, as in \u0001
	if e.err != nil || !e.room(n, longest*(1+len(v.Text))) {
		return
	}
	switch {
	case v.Kind == schema.Missing:
		e.made = append(e.made, "null"...)
	case v.Kind == schema.Text || v.Kind == schema.String:
		e.made = schema.AppendJSONString(e.made, v.Text)
	case v.Kind == schema.Bytes:
		e.failValue(n, v, codeType, "found "+describe(v)+"; expected a value that JSON has", "")
	case v.Kind == schema.List || v.Kind == schema.Array && (v.Len() != 1 || v.List != nil):
		e.made = append(e.made, '[')
		for i := range v.Len() {
			if i > 0 {
				e.made = append(e.made, ',')
			}
			element := v.Element(i)
			e.appendJSON(n, &element)
		}
		e.made = append(e.made, ']')
	case v.Kind == schema.Array:
		digits, _ := v.AsText(nil)
		e.made = append(e.made, bytes.Replace(bytes.TrimPrefix(digits, []byte("+")), []byte("Inf"), []byte("Infinity"),
			1)...)
	default:
		e.made = append(e.made, v.Text...)
	}
}
