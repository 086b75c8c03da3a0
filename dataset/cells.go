package dataset

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"tfr-build/message"
	"tfr-build/schema"
)

// A Cell is a feature of a record as a table shows it.
type Cell struct{ Key, Text string }

// Cells returns the features of a payload by their keys, classes with their names. A
// payload that is not a message is one cell without a key.
func Cells(record *schema.Record, payload []byte) ([]Cell, error) {
	s := shower{knownRecord: newKnownRecord(record)}
	if err := s.parse(payload); err != nil {
		return nil, err
	}
	if s.kind == message.None || s.kind == message.ListWithContext {
		return []Cell{{"", cellText(payload)}}, nil
	}
	var cells []Cell
	sortByKey(s.read.Features)
	for _, f := range s.read.Features {
		cells = append(cells, Cell{string(f.Key), cellOf(f.Value, s.features[string(f.Key)].classes)})
	}
	sortByKey(s.read.Lists)
	for _, l := range s.read.Lists {
		cells = append(cells, Cell{string(l.Key), fmt.Sprintf("%d steps", l.Value.Count)})
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

// cellText returns a string as it is, and the size of other bytes.
func cellText(b []byte) string {
	isBinary := !utf8.Valid(b)
	for _, r := range string(b[:min(len(b), maxShownText)]) {
		isBinary = isBinary || unicode.IsControl(r) && !unicode.IsSpace(r)
	}
	switch {
	case isBinary:
		return sizeText(len(b))
	case len(b) <= maxShownBytes:
		return string(b)
	}
	return string(cutText(b, maxShownBytes)) + "…"
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
