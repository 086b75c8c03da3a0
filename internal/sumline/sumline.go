// Package sumline seals a text with its checksum, in a line: what tells of finished work
// is read again after any crash, and may be cut short or damaged then.
//
//	e3069283 {"sealed":"…"}\n
//	└──┬───┘ └─────┬──────┘
//	   │           the text: no byte of it is a newline, where lines follow one another
//	   its CRC32C, in eight hex digits; a space
//
// The journal of a staging folder is such lines. Each file of a work folder but the spill
// runs begins with one, and so does the claim of tasks.
package sumline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
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

// Encode is the line of a value, as JSON.
func Encode(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return Append(nil, text), nil
}

// Decode decodes the value of a line. ok is false where the line is not whole, where it
// has a key that v does not have, and where anything follows the value.
func Decode(line []byte, v any) (ok bool) {
	text, ok := Text(line)
	if !ok {
		return false
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if dec.Decode(v) != nil {
		return false
	}
	_, err := dec.Token()
	return err == io.EOF
}
