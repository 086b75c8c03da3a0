// Package excerpt extracts the line that an error is about.
package excerpt

import (
	"bytes"
	"unicode/utf8"
)

// An Excerpt is a line in three parts, each of at maxPart 200 bytes. The zero Excerpt has no line.
type Excerpt struct {
	Before string // the text before the error
	Marked string // the text that the error is about; empty if the error is at the beginning of After
	After  string // the text after the error

	CutBefore, CutAfter bool // the line has more text there
}

// maxPart is the largest size of a part, in bytes.
const maxPart = 200

// At returns the line of text that has the byte at offset at. size is the number of bytes that the
// error is about, or 0 if it is unknown. For a blank line, At returns the zero Excerpt.
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
	e.Before, e.CutBefore = lastPart(before)
	if size > maxPart { // more does not fit any terminal
		size, rest = maxPart, rest[:maxPart]
		e.CutAfter = true
	}
	e.Marked = string(rest[:size])
	after, cut := firstPart(rest[size:])
	e.After, e.CutAfter = after, e.CutAfter || cut
	return e
}

// firstPart returns the beginning of text, in complete characters.
func firstPart(text []byte) (part string, cut bool) {
	if len(text) <= maxPart {
		return string(text), false
	}
	end := maxPart
	for end > maxPart-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return string(text[:end]), true
}

// lastPart returns the end of text, in complete characters.
func lastPart(text []byte) (part string, cut bool) {
	if len(text) <= maxPart {
		return string(text), false
	}
	from := len(text) - maxPart
	for from < len(text)-maxPart+utf8.UTFMax && !utf8.RuneStart(text[from]) {
		from++
	}
	return string(text[from:]), true
}
