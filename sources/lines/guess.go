package lines

import (
	"bytes"
	"unicode/utf8"
)

// Guess is about how many lines text has, by those at its beginning: a list
// that has to grow is copied again and again, into new memory.
func Guess(text []byte) int {
	const seen = 4 << 10
	if len(text) <= seen {
		return bytes.Count(text, []byte{'\n'}) + 1
	}
	return (bytes.Count(text[:seen], []byte{'\n'}) + 1) * (len(text) / seen) * 9 / 8
}

// FirstInvalid is the offset of the first byte of text that is not UTF-8; its
// length where all are.
func FirstInvalid(text []byte) int {
	for p := 0; p < len(text); {
		r, size := utf8.DecodeRune(text[p:])
		if r == utf8.RuneError && size <= 1 {
			return p
		}
		p += size
	}
	return len(text)
}
