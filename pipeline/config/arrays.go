package config

import (
	"strconv"
	"strings"

	"tfr-build/internal/store/objects"
	"tfr-build/sources/input"
)

// decodeColumnFiles decodes a mapping of columns to the files of their arrays.
func decodeColumnFiles(d *decoder, at spot, l *input.ColumnFiles) {
	*l = nil
	for q, sub := range d.entries(at, "a mapping of columns to files") {
		s, ok := d.readString(sub, "a file")
		if !ok {
			continue
		}
		checkColumnName(d, sub.path, q)
		if file, _, _ := strings.Cut(s, "#"); file == "" {
			s = ""
		}
		if expected, hint := pathRule(s); expected != "" {
			d.reportWithHint(sub.path, hint, "found %s; expected %s", quoteValue(sub.text), expected)
		}
		*l = append(*l, input.ColumnFile{Column: q.key, File: objects.Path(s)})
	}
}

// encodeColumnFiles returns the mapping with file names that do not depend on this machine.
func encodeColumnFiles(_ encoder, l input.ColumnFiles) *node {
	return encodeMapping(l, func(c input.ColumnFile) (string, *node) { return c.Column, stringNode(relativeFile(c.File, "")) })
}

func columnFilesSchema(*generator) object { return mappingOf(scalar()) }

// decodeRows decodes a list of two numbers: the first row, and the one after the last.
func decodeRows(d *decoder, at spot, r *input.RowRange) {
	if at.kind != listNode {
		d.reportExpected(at, "the first row and the one after the last, as in [0, 5000]")
		return
	}
	if len(at.list) != 2 {
		d.report(at.path, "found %d elements; expected the first row and the one after the last, as in [0, 5000]", len(at.list))
		return
	}
	const most = 1 << 40
	from, to := d.readBetween(d.element(at, 0), 0, most), d.readBetween(d.element(at, 1), 0, most)
	if *r = (input.RowRange{From: from, To: to}); from >= to && d.isValidInside(at.path) {
		d.report(at.path, "found [%d, %d]; expected the first row and the one after the last, which is higher", from, to)
	}
}

func encodeRows(_ encoder, r input.RowRange) *node {
	if r == (input.RowRange{}) {
		return nil
	}
	n := &node{kind: listNode}
	for _, row := range []int64{r.From, r.To} {
		n.list = append(n.list, plainNode(strconv.FormatInt(row, 10)))
	}
	return n
}

func rowsSchema(*generator) object {
	number := orVariable(object{"type": "integer", "minimum": 0})
	return object{"type": "array", "items": number, "minItems": 2, "maxItems": 2}
}
