package dataset

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"tfr-build/internal/plural"
	"tfr-build/message"
	"tfr-build/schema"
)

// maxCellText is the maximum size in bytes of a string in a cell.
const maxCellText = 160

// A Cell is a feature of a record in a table.
type Cell struct {
	Key, Text string
	Bytes     []byte // the first value, if it is not text; refers to the payload
	More      int    // values besides it
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
		cell := Cell{Key: string(f.Key), Text: cellOf(f.Value, s.features[string(f.Key)]), Bytes: binaryOf(f.Value)}
		if cell.Bytes != nil {
			cell.More = f.Value.Count - 1
		}
		cells = append(cells, cell)
	}
	sortByKey(s.read.Lists)
	for _, l := range s.read.Lists {
		cells = append(cells, Cell{Key: string(l.Key), Text: plural.Of(l.Value.Count, "step")})
	}
	return cells, nil
}

// maxCellValues is about how many values of rows are shown.
const maxCellValues = 8

// cellOf returns the values of a feature, without their type. Values of several dimensions are in rows.
func cellOf(f message.Feature, known knownFeature) string {
	if known.row == 0 || f.Count <= known.row || f.Count%known.row != 0 {
		return formatValues(f, known, cellBytes)
	}
	rows := min(max(maxCellValues/known.row, 1), f.Count/known.row)
	texts, between := firstTexts(f, known, rows*known.row, cellBytes)
	var shown []string
	for row := range slices.Chunk(texts, known.row) {
		shown = append(shown, "["+strings.Join(row, between)+"]")
	}
	if n := f.Count / known.row; n > rows {
		shown = append(shown, fmt.Sprintf("… %d × %d", n, known.row))
	}
	return "[" + strings.Join(shown, " ") + "]"
}

// A bytesStyle says how byte strings are formatted, and what is between them.
type bytesStyle struct {
	text    func([]byte) string
	between string
}

var cellBytes, quotedBytes = bytesStyle{formatCell, ", "}, bytesStyle{quoteBytes, " "}

// firstTexts returns the first values of a feature as text, and what is between them.
func firstTexts(f message.Feature, known knownFeature, most int, style bytesStyle) (texts []string, between string) {
	float := func(v float64, bits int) string { return strconv.FormatFloat(v, 'g', -1, bits) }
	switch {
	case f.List == message.BytesList:
		return first(f.Bytes(), most, style.text), style.between
	case f.List == message.FloatList:
		return first(f.Floats(), most, func(v float32) string { return float(float64(v), 32) }), " "
	case f.List == message.DoubleList:
		return first(f.Doubles(), most, func(v float64) string { return float(v, 64) }), " "
	case known.classes != nil:
		return first(f.Ints(), most, func(n int64) string { return formatClass(n, known.classes) }), ", "
	case known.isBool:
		return first(f.Ints(), most, func(n int64) string { return strconv.FormatBool(n != 0) }), " "
	}
	return first(f.Ints(), most, int64s), " "
}

func first[T any](values iter.Seq[T], most int, text func(T) string) (texts []string) {
	for v := range values {
		if len(texts) == most {
			break
		}
		texts = append(texts, text(v))
	}
	return texts
}

// binaryOf returns the first value of a feature, if it is not text.
func binaryOf(f message.Feature) []byte {
	if f.List == message.BytesList {
		for b := range f.Bytes() {
			if isText(b) {
				return nil
			}
			return b
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
		return plural.Of(n, "byte")
	case n < 999_950:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
