package expr

import "strconv"

// boolTexts are the strings of false and true.
var boolTexts = [2][]byte{[]byte("false"), []byte("true")}

// join compiles a + b for strings.
func join(n *node) textFn {
	return binaryFn(textOf(n.args[0]), textOf(n.args[1]), func(e *eval, x, y []byte) ([]byte, bool) { return e.concat(n, x, y) })
}

// joinAny is join for kinds that differ between rows.
func joinAny(e *eval, n *node, a, b *datum) ([]byte, bool) {
	x, ok := e.datumText(n.args[0], a)
	if !ok {
		return nil, false
	}
	y, ok := e.datumText(n.args[1], b)
	if !ok {
		return nil, false
	}
	return e.concat(n, x, y)
}

// concat returns x followed by y.
func (e *eval) concat(n *node, x, y []byte) ([]byte, bool) {
	if !e.room(n, len(x)+len(y)) {
		return nil, false
	}
	start := len(e.made)
	e.made = append(append(e.made, x...), y...)
	return e.since(start), true
}

// since returns the string that was built from start on.
func (e *eval) since(start int) []byte { return e.made[start:] }

// format returns the string of a value that is not missing. The value of a column is returned
// unchanged.
func (e *eval) format(n *node, d *datum) ([]byte, bool) {
	start := len(e.made)
	switch {
	case d.is&likeText != 0:
		return d.text, true
	case d.is == isMissing:
		e.failMissing(n, d.value)
		return nil, false
	case d.is == isList:
		e.failValue(n, d.value, codeType, "found "+d.describe()+"; expected a string, a number, or a bool")
		return nil, false
	case d.value != nil && len(d.value.Text) > 0 && d.value.Elem == 0:
		return d.value.Text, true
	case d.is == isBool:
		e.made = strconv.AppendBool(e.made, d.num.int != 0)
	default:
		e.made = d.num.append(e.made)
	}
	return e.since(start), true
}
