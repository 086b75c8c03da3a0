package dataset

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"tfr-build/message"
	"tfr-build/schema"
)

// maxCellText is how many bytes of a string a cell shows.
const maxCellText = 160

// A Cell is a feature of a record as a table shows it.
type Cell struct {
	Key, Text string
	Bytes     []byte // of a feature with one value that is not text: a part of the payload
}

// Cells returns the features of a payload by their keys, classes with their names. A
// payload that is not a message is one cell without a key.
func Cells(record *schema.Record, payload []byte) ([]Cell, error) {
	s := shower{knownRecord: newKnownRecord(record)}
	if err := s.parse(payload); err != nil {
		return nil, err
	}
	if s.kind == message.None || s.kind == message.ListWithContext {
		cell := Cell{Text: cellText(payload)}
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
		return listText(f.Count, f.Bytes(), ", ", cellText)
	}
	return valuesText(f, classes)
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

// isText reports whether bytes can be shown as they are.
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

// cellText returns a string as it is, and the size of other bytes.
func cellText(b []byte) string {
	switch {
	case !isText(b):
		return sizeText(len(b))
	case len(b) <= maxCellText:
		return string(b)
	}
	return string(cutText(b, maxCellText)) + "…"
}

// sizeText returns a number of bytes with its unit.
func sizeText(n int) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d bytes", n)
	case n < 999_950:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
