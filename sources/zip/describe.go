package zip

import (
	"bytes"
	"strings"

	"tfr-build/sources/input"
)

// Describe describes the source type.
func Describe() *input.Description {
	return &input.Description{Reads: "zip archives", Noun: "zip archive", Rows: input.FileRows, Recognize: recognize}
}

// recognize recognizes archives by their name too, since files of other programs are archives.
func recognize(h *input.FileHead) input.Match {
	return input.Begins.If(bytes.HasPrefix(h.Bytes, []byte("PK\x03\x04")) && strings.HasSuffix(h.Name, ".zip"))
}
