// Package excerpt cuts the line that an error is about out of a text.
package excerpt

import (
	"bytes"
	"unicode/utf8"
)

// An Excerpt is a line in three pieces, each of at most 200 bytes. The zero Excerpt has
// no line.
type Excerpt struct {
	Before string // what precedes the error
	Marked string // what the error is about; empty if the error is at the beginning of After
	After  string // what follows

	CutBefore, CutAfter bool // the line has more there
}

// most is the number of bytes of a piece.
const most = 200

// At returns the line of text that has the byte at offset at. size is the number of
// bytes that the error is about, 0 if that is not known. A blank line gives no Excerpt.
func At(text []byte, at, size int) Excerpt {
	at = min(max(at, 0), len(text))
	before, rest := text[bytes.LastIndexByte(text[:at], '\n')+1:at], text[at:]
	if end := bytes.IndexByte(rest, '\n'); end >= 0 {
		rest = rest[:end]
	}
	rest = bytes.TrimSuffix(rest, []byte("\r"))
	if len(bytes.TrimSpace(before))+len(bytes.TrimSpace(rest)) == 0 {
		return Excerpt{}
	}
	size = min(size, len(rest))
	var e Excerpt
	e.Before, e.CutBefore = lastOf(before)
	if size > most { // what follows is beyond any terminal
		size, rest = most, rest[:most]
		e.CutAfter = true
	}
	e.Marked = string(rest[:size])
	after, cut := firstOf(rest[size:])
	e.After, e.CutAfter = after, e.CutAfter || cut
	return e
}

// firstOf returns the beginning of text, in whole characters.
func firstOf(text []byte) (piece string, cut bool) {
	if len(text) <= most {
		return string(text), false
	}
	end := most
	for end > most-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return string(text[:end]), true
}

// lastOf returns the end of text, in whole characters.
func lastOf(text []byte) (piece string, cut bool) {
	if len(text) <= most {
		return string(text), false
	}
	from := len(text) - most
	for from < len(text)-most+utf8.UTFMax && !utf8.RuneStart(text[from]) {
		from++
	}
	return string(text[from:]), true
}
