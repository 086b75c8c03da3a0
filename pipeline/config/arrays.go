package config

import (
	"strconv"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/sources/input"
)

// arrayFileRule accepts the file of an array, which may have a #NAME.
func arrayFileRule(s string) (expected, hint string) {
	if file, _, _ := strings.Cut(s, "#"); file == "" {
		s = ""
	}
	return pathRule(s)
}

// decodeRows decodes a list of two numbers: the first row, and the one after the last.
func decodeRows(d *decoder, at spot, r *input.RowRange) {
	if at.kind != listNode {
		d.reportExpected(at, "the first row and the one after the last, as in [0, 5000]")
		return
	}
	if len(at.list) != 2 {
		d.report(at.path, "found %s; expected the first row and the one after the last, as in [0, 5000]",
			plural.Of(len(at.list), "element"))
		return
	}
	const most = 1 << 40
	from, to := d.readBetween(d.element(at, 0), 0, most), d.readBetween(d.element(at, 1), 0, most)
	if *r = (input.RowRange{From: from, To: to}); from >= to && d.isValidInside(at.path) {
		d.report(at.path, "found [%d, %d]; expected the first row and the one after the last, which is higher", from,
			to)
	}
}

func encodeRows(r input.RowRange) *node {
	if r == (input.RowRange{}) {
		return nil
	}
	return listOfNumbers(r.From, r.To)
}

// listOfNumbers returns a list of numbers, for the canonical text.
func listOfNumbers[T int | int64](numbers ...T) *node {
	n := &node{kind: listNode}
	for _, number := range numbers {
		n.list = append(n.list, plainNode(strconv.FormatInt(int64(number), 10)))
	}
	return n
}

func rowsSchema() object {
	return object{"type": "array", "items": orVariable(atLeastZero()), "minItems": 2, "maxItems": 2}
}
