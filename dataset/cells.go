package dataset

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"tfr-build/message"
	"tfr-build/schema"
)

// maxCellText is the maximum size in bytes of a string in a cell.
const maxCellText = 160

// A Cell is a feature of a record in a table.
type Cell struct {
	Key, Text string
	Bytes     []byte // the value, if it is the only one and not text; refers to the payload
}

// Cells returns the features of a payload sorted by key, classes with their names. A payload that
// is not a message is one cell without a key.
func Cells(record *schema.Record, payload []byte) ([]Cell, error) {
	s := printer{knownRecord: newKnownRecord(record)}
	if err := s.parse(payload); err != nil {
		return nil, err
	}
	if s.kind == message.None || isExampleList(s.kind) {
		cell := Cell{Text: formatCell(payload)}
		if !isText(payload) {
			cell.Bytes = payload
		}
		return []Cell{cell}, nil
	}
	var cells []Cell
	sortByKey(s.read.Features)
	for _, f := range s.read.Features {
		cells = append(cells, Cell{string(f.Key), cellOf(f.Value, s.features[string(f.Key)].classes), binaryOf(f.Value)})
	}
	sortByKey(s.read.Lists)
	for _, l := range s.read.Lists {
		cells = append(cells, Cell{Key: string(l.Key), Text: fmt.Sprintf("%d steps", l.Value.Count)})
	}
	return cells, nil
}

// cellOf returns the values of a feature, without their type.
func cellOf(f message.Feature, classes *schema.Classes) string {
	if f.List == message.BytesList {
		return formatList(f.Count, f.Bytes(), ", ", formatCell)
	}
	return formatValues(f, classes)
}

// binaryOf returns the only value of a feature, if it is not text.
func binaryOf(f message.Feature) []byte {
	if f.List == message.BytesList && f.Count == 1 {
		for b := range f.Bytes() {
			if !isText(b) {
				return b
			}
		}
	}
	return nil
}

// isText reports whether bytes can be displayed without escapes.
func isText(b []byte) bool {
	if !utf8.Valid(b) {
		return false
	}
	for _, r := range string(b[:min(len(b), maxShownText)]) {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return false
		}
	}
	return true
}

// formatCell returns a string unchanged, or the size of bytes that are not text.
func formatCell(b []byte) string {
	switch {
	case !isText(b):
		return formatSize(len(b))
	case len(b) <= maxCellText:
		return string(b)
	}
	return string(truncate(b, maxCellText)) + "…"
}

// formatSize formats a number of bytes with its unit.
func formatSize(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 999_950:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
