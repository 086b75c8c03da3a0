package jsonl

import (
	"bytes"

	"tfr-build/sources/input"
	"tfr-build/sources/lines"
)

// Describe describes the source type.
func Describe() *input.Description {
	return &input.Description{
		Reads: "JSON Lines", Noun: "JSON Lines file", Rows: input.Objects, AnyLine: true, ImageDepth: 2,
		Extensions: []string{"jsonl", "ndjson"},
		Recognize:  recognize,
		Object:     func(_ input.Options, row []byte) []byte { return row },
	}
}

// recognize recognizes JSON by the names of files, or by their first object.
func recognize(h *input.FileHead) input.Match {
	isLines := beginsObject(h)
	switch h.Ext {
	case "jsonl", "ndjson":
		isLines = true
	case "json", "geojson":
		isLines = !IsDocument(h)
	}
	return input.Written.If(isLines)
}

// IsDocument reports whether the name of a file says JSON, and the file is one document. A single
// line is a document unless the directory has other files, which then are lines too.
func IsDocument(h *input.FileHead) bool {
	if h.Ext != "json" && h.Ext != "geojson" {
		return false
	}
	isLine := !bytes.Contains(bytes.TrimSpace(h.Bytes), []byte("\n"))
	return !AreLines(h) || isLine && !h.Several
}

// AreLines reports whether a file begins with an object on one line. An error in a document of several lines does not
// make these rows.
func AreLines(h *input.FileHead) bool {
	first, err := Start(h.Bytes, h.Complete)
	return err == nil && !goesOn(h.Bytes[first:])
}

// beginsObject reports whether a file begins with an object, whose first line may be cut off.
func beginsObject(h *input.FileHead) bool {
	const space = " \t\r\n"
	text, isObject := bytes.CutPrefix(bytes.TrimLeft(h.Bytes[lines.First(h.Bytes):], space), []byte("{"))
	next := bytes.TrimLeft(text, space)
	return isObject && len(next) > 0 && (next[0] == '"' || next[0] == '}' && AreLines(h))
}
