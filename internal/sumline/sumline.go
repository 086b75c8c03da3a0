// Package sumline seals a text with its checksum, in a line: what tells of finished work
// is read again after any crash, and may be cut short or damaged then.
//
//	e3069283 {"sealed":"…"}\n
//	└──┬───┘ └─────┬──────┘
//	   │           the text: no byte of it is a newline, where lines follow one another
//	   its CRC32C, in eight hex digits; a space
//
// The journal of a staging folder is such lines, and a note of a task is one.
package sumline

import (
	"fmt"
	"strconv"

	"tfr-build/internal/crc32c"
)

const (
	digits = 8
	least  = digits + len(" ") + len("\n")
)

// Append appends the line of a text to dst.
func Append(dst, text []byte) []byte {
	return fmt.Appendf(dst, "%08x %s\n", crc32c.Checksum(text), text)
}

// Text is the text of a line, a part of it; ok is false where the line is not whole.
func Text(line []byte) (text []byte, ok bool) {
	end := len(line) - 1
	if len(line) < least || line[digits] != ' ' || line[end] != '\n' {
		return nil, false
	}
	text = line[digits+1 : end]
	sum, err := strconv.ParseUint(string(line[:digits]), 16, 32)
	return text, err == nil && uint32(sum) == crc32c.Checksum(text)
}
