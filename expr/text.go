package expr

import "strconv"

// concat returns x followed by y.
func (e *eval) concat(n *node, x, y []byte) []byte {
	if !e.room(n, len(x)+len(y)) {
		return nil
	}
	start := len(e.made)
	e.made = append(append(e.made, x...), y...)
	return e.made[start:]
}

// format returns the string of a value that is not missing. The value of a column is returned
// unchanged.
func (e *eval) format(n *node, d datum) []byte {
	start := len(e.made)
	switch {
	case d.is&likeText != 0:
		return d.text
	case d.is == 0:
		e.failKind(n, d, aNumber)
	case d.is&(isMissing|isList) != 0:
		e.failKind(n, d, "a string, a number, or a bool")
	case d.value != nil && len(d.value.Text) > 0 && d.value.Elem == 0:
		return d.value.Text
	case d.is == isBool:
		e.made = strconv.AppendBool(e.made, d.num.int != 0)
	default:
		e.made = d.num.append(e.made)
	}
	return e.made[start:]
}
