package expr

import (
	"bytes"
	"unicode/utf8"

	"tfr-build/schema"
)

// parseDatum converts d to a number, and parses it if it is a string.
func parseDatum(e *eval, n *node, d *datum) (num, bool) {
	if d.is != isText {
		return e.datumNum(n, d)
	}
	x, ok := readNum(d.text)
	if !ok {
		e.failValue(n, d.value, codeNumber, schema.Quote(d.text)+" is not a number")
	}
	return x, ok
}

// toText compiles text.
func toText(n *node) textFn {
	a := anyOf(n.args[0])
	return func(e *eval) ([]byte, bool) {
		d, ok := a(e)
		if !ok {
			return nil, false
		}
		return e.format(n.args[0], &d)
	}
}

// sizeOf compiles size: the characters of a string, or the elements of a list.
func sizeOf(n *node) intFn {
	a := anyOf(n.args[0])
	return func(e *eval) (int64, bool) {
		d, ok := a(e)
		switch {
		case !ok:
			return 0, false
		case d.is&likeText != 0:
			return int64(utf8.RuneCount(d.text)), true
		case d.value != nil && d.value.Len() >= 0 && d.is == isList:
			return int64(d.value.Len()), true
		}
		return 0, e.failKind(n.args[0], &d, "a string or a list")
	}
}

// mapString compiles a function of one string. f appends the result to dst; the result has at most
// twice the size of text.
func mapString(f func(dst, text []byte) []byte) func(n *node) textFn {
	return func(n *node) textFn {
		a := textOf(n.args[0])
		return func(e *eval) ([]byte, bool) {
			x, ok := a(e)
			if !ok || !e.room(n, 2*len(x)) {
				return nil, false
			}
			start := len(e.made)
			e.made = f(e.made, x)
			return e.since(start), true
		}
	}
}

// trim compiles trim.
func trim(n *node) textFn {
	a := textOf(n.args[0])
	return func(e *eval) ([]byte, bool) {
		x, ok := a(e)
		return bytes.TrimFunc(x, isSpace), ok
	}
}

// isSpace reports whether r is white space in Unicode, which has not changed since version 6.3.
func isSpace(r rune) bool {
	switch {
	case '\t' <= r && r <= '\r', r == ' ', r == '\u0085', r == '\u00a0', r == '\u1680', '\u2000' <= r && r <= '\u200a':
		return true
	}
	return r == '\u2028' || r == '\u2029' || r == '\u202f' || r == '\u205f' || r == '\u3000'
}

func contains(text, part []byte) bool    { return bytes.Contains(text, part) }
func startsWith(text, start []byte) bool { return bytes.HasPrefix(text, start) }
func endsWith(text, end []byte) bool     { return bytes.HasSuffix(text, end) }

// compareStrings compiles a function of two strings.
func compareStrings(f func(a, b []byte) bool) func(n *node) boolFn {
	return func(n *node) boolFn {
		return binaryFn(textOf(n.args[0]), textOf(n.args[1]), func(_ *eval, x, y []byte) (bool, bool) { return f(x, y), true })
	}
}

// matches compiles matches, which searches a string for the pattern.
func matches(n *node) boolFn {
	a, pattern := textOf(n.args[0]), n.pattern
	return func(e *eval) (bool, bool) {
		x, ok := a(e)
		return ok && pattern.Match(x), ok
	}
}

// substr compiles substr, which returns characters from start on: length of them, or all. start
// counts from 0, or from the end if it is negative. As in SQL, characters before the string count
// toward the length.
func substr(n *node) textFn {
	text, start := textOf(n.args[0]), intOf(n.args[1])
	if len(n.args) == 2 {
		return func(e *eval) ([]byte, bool) {
			x, from, ok := suffix(e, text, start)
			return x[prefixSize(x, from):], ok
		}
	}
	length := intOf(n.args[2])
	return func(e *eval) ([]byte, bool) {
		x, from, ok := suffix(e, text, start)
		if !ok {
			return nil, false
		}
		count, ok := length(e)
		if !ok {
			return nil, false
		}
		if count < 0 {
			e.fail(n.args[2], codeDomain, "a length below 0")
			return nil, false
		}
		x = x[prefixSize(x, from):]
		return x[:prefixSize(x, count+min(0, from))], true
	}
}

// suffix computes a string and the start of a substring, in characters from its beginning. The
// start may be negative.
func suffix(e *eval, text textFn, start intFn) (x []byte, from int64, ok bool) {
	if x, ok = text(e); !ok {
		return nil, 0, false
	}
	if from, ok = start(e); ok && from < 0 {
		from += int64(utf8.RuneCount(x))
	}
	return x, from, ok
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
