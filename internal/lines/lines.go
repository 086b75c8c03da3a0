// Package lines knows about the lines of a text what CSV and JSON lines have in
// common:
//
//	starts = slices.Grow(starts[:0], lines.Guess(chunk))
package lines

import "bytes"

// Guess is about how many lines text has, by those at its beginning: a list
// that has to grow is copied again and again, into new memory.
func Guess(text []byte) int {
	const seen = 4 << 10
	if len(text) <= seen {
		return bytes.Count(text, []byte{'\n'}) + 1
	}
	return (bytes.Count(text[:seen], []byte{'\n'}) + 1) * (len(text) / seen) * 9 / 8
}
