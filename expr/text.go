package expr

import "strconv"

// maxMade is how many bytes of text an expression makes in a row.
const maxMade = 16 << 20

// room reports whether n may make a text of that many bytes more.
func (e *eval) room(n *node, size int) bool {
	if len(e.made)+size <= maxMade {
		return true
	}
	e.fail(n, codeLimit, "the texts made of one row are more than "+strconv.Itoa(maxMade)+" bytes")
	return false
}

// join computes a + b of texts.
func join(n *node) textFn {
	return inTurn(textOf(n.args[0]), textOf(n.args[1]), func(e *eval, x, y []byte) ([]byte, bool) { return e.both(n, x, y) })
}

// joined is join for values of which one is a text.
func joined(e *eval, n *node, a, b *datum) ([]byte, bool) {
	x, ok := e.datumText(n.args[0], a)
	if !ok {
		return nil, false
	}
	y, ok := e.datumText(n.args[1], b)
	if !ok {
		return nil, false
	}
	return e.both(n, x, y)
}

// both is x and then y.
func (e *eval) both(n *node, x, y []byte) ([]byte, bool) {
	if !e.room(n, len(x)+len(y)) {
		return nil, false
	}
	start := len(e.made)
	e.made = append(append(e.made, x...), y...)
	return e.since(start), true
}

// since is what was made from start on, with the room behind it: parsers look at it.
func (e *eval) since(start int) []byte { return e.made[start:] }

// written is the text of a value that is there: a column's as it stands.
func (e *eval) written(n *node, d *datum) ([]byte, bool) {
	start := len(e.made)
	switch {
	case d.is&likeText != 0:
		return d.text, true
	case d.is == isMissing:
		e.missing(n, d.value)
		return nil, false
	case d.is == isList:
		e.failValue(n, d.value, codeType, "found "+d.describe()+"; expected a text, a number or a bool")
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
