package statistics

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Append appends the document as JSON, which ParseDocument reads. The values of a feature in one
// split are one line.
func (d *Document) Append(dst []byte) []byte {
	dst = fmt.Appendf(dst, "{\n \"format\": %d,\n \"record\": %s,\n \"splits\": [", d.Format, appendJSON(nil, d.Record))
	for i := range d.Splits {
		dst = appendJSON(appendLine(dst, i, "  "), d.Splits[i])
	}
	dst = append(dst, "\n ],\n \"features\": ["...)
	for i := range d.Features {
		head := d.Features[i]
		head.Splits = []Values{}
		dst = appendJSON(appendLine(dst, i, "  "), head)
		dst = dst[:len(dst)-len("]}")] // opens the empty list of splits, the last field
		for at, split := range d.Features[i].Splits {
			dst = appendJSON(appendLine(dst, at, "   "), split)
		}
		dst = append(dst, "\n  ]}"...)
	}
	return append(dst, "\n ]\n}\n"...)
}

// appendLine begins the line of the i-th element of a list.
func appendLine(dst []byte, i int, indent string) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	return append(append(dst, '\n'), indent...)
}

// appendJSON appends a value as JSON. It panics if that fails: numbers of a Document are never
// NaN or infinite.
func appendJSON(dst []byte, v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return append(dst, text...)
}

// ParseDocument parses the JSON of a document. It returns an error for another format, and for a
// feature that is not in all splits.
func ParseDocument(data []byte) (*Document, error) {
	d := new(Document)
	decoder := json.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(d); err != nil {
		return nil, fmt.Errorf("statistics: %w", err)
	}
	if d.Format != DocumentFormat {
		return nil, fmt.Errorf("statistics: a document of format %d; expected %d", d.Format, DocumentFormat)
	}
	for i := range d.Features {
		if n := len(d.Features[i].Splits); n != len(d.Splits) {
			return nil, fmt.Errorf("statistics: feature %q has %d splits; expected %d", d.Features[i].Key, n,
				len(d.Splits))
		}
	}
	return d, nil
}
