package expr

import (
	"bytes"
	"unicode/utf8"
)

// textOfValue computes text.
func textOfValue(e *eval, n *node) datum {
	d := e.compute(n.args[0])
	return textOf(e.format(n.args[0], d))
}

// sizeOf computes size: the characters of a string, or the elements of a list.
func sizeOf(e *eval, n *node) datum {
	d := e.compute(n.args[0])
	switch {
	case d.is&likeText != 0:
		return numberOf(Number{int: int64(utf8.RuneCount(d.text))})
	case d.is == isList && d.value.Len() >= 0:
		return numberOf(Number{int: int64(d.value.Len())})
	case n.args[0].isRead():
		if of := e.listRead(n.args[0]); of != nil { // that the row has once as one value
			return numberOf(Number{int: int64(of.Len())})
		}
	}
	e.failKind(n.args[0], d, "a string or a list")
	return numberOf(Number{})
}

// mapCase returns a function that converts the case of a string. The result has at most twice its size.
func mapCase(convert func(rune) rune) func(e *eval, n *node) datum {
	return func(e *eval, n *node) datum {
		x := e.text(n.args[0])
		start := len(e.made)
		if e.room(n, 2*len(x)) {
			e.made = appendCase(e.made, x, convert)
		}
		return textOf(e.made[start:])
	}
}

func trim(e *eval, n *node) datum { return textOf(bytes.TrimSpace(e.text(n.args[0]))) }

// compareTexts returns a function of two strings.
func compareTexts(f func(a, b []byte) bool) func(e *eval, n *node) datum {
	return func(e *eval, n *node) datum {
		x := e.text(n.args[0])
		return boolOf(f(x, e.text(n.args[1])))
	}
}

// matches searches a string for the pattern.
func matches(e *eval, n *node) datum { return boolOf(n.pattern.Match(e.text(n.args[0]))) }

// substr returns characters from start on: length of them, or all. start counts from 0, or from the end
// if it is negative. As in SQL, characters before the string count toward the length.
func substr(e *eval, n *node) datum {
	x := e.text(n.args[0])
	from := e.int(n.args[1])
	if from < 0 {
		from += int64(utf8.RuneCount(x))
	}
	x = x[prefixSize(x, from):]
	if len(n.args) == 2 {
		return textOf(x)
	}
	count := e.int(n.args[2])
	if count < 0 {
		e.fail(n.args[2], codeDomain, "a length below 0", "")
	}
	return textOf(x[:prefixSize(x, count+min(0, from))])
}

// prefixSize returns the bytes of the first count characters of text, or of all.
func prefixSize(text []byte, count int64) int {
	at := 0
	for ; count > 0 && at < len(text); count-- {
		_, size := utf8.DecodeRune(text[at:])
		at += size
	}
	return at
}
