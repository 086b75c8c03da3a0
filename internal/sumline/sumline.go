// Package sumline writes data with its checksum, in a line. Records of finished work are read
// again after a crash, which may have truncated or damaged them.
//
//	e3069283 {"sealed":"…"}\n
//	└──┬───┘ └─────┬──────┘
//	   │           the data: without newlines if several lines follow one another
//	   its CRC-32C in eight hexadecimal digits; a space
//
// The journal of a staging directory consists of such lines. Each file of a work directory except
// spill files begins with one, and so does the claim of tasks.
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
	digits  = 8
	minSize = digits + len(" ") + len("\n")
)

// Append appends the line with data text to dst.
func Append(dst, text []byte) []byte {
	return fmt.Appendf(dst, "%08x %s\n", crc32c.Checksum(text), text)
}

// Text returns the data of a line, which shares its memory. ok is false if the line is truncated or
// damaged.
func Text(line []byte) (text []byte, ok bool) {
	end := len(line) - 1
	if len(line) < minSize || line[digits] != ' ' || line[end] != '\n' {
		return nil, false
	}
	text = line[digits+1 : end]
	sum, err := strconv.ParseUint(string(line[:digits]), 16, 32)
	return text, err == nil && uint32(sum) == crc32c.Checksum(text)
}

// Encode returns the line of a value, as JSON.
func Encode(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return Append(nil, text), nil
}

// Decode decodes the value of a line. ok is false if the line is truncated or damaged, has a key
// that v does not have, or has data after the value.
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
