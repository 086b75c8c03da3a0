package expr

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/rangetable"
)

// appendCase appends a string in the case to which convert converts a character. Bytes that are not
// UTF-8 do not change.
func appendCase(dst, text []byte, convert func(rune) rune) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		to := convert(r)
		if to == r || r >= utf8.RuneSelf && !(unicode.Is(known, r) && unicode.Is(known, to)) {
			dst = append(dst, text[:size]...)
		} else {
			dst = utf8.AppendRune(dst, to)
		}
		text = text[size:]
	}
	return dst
}

// known has the characters of Unicode 15.0. Go's tables follow the versions of Unicode, which never
// change a pair of characters, but add some: a new version of Go must not change the results of
// expressions.
var known = rangetable.Assigned("15.0.0")
