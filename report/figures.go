package report

import (
	"html/template"
	"slices"
	"strconv"

	"tfr-build/statistics"
)

// A figureTable has the figures of a feature, with one column per split. It contains words
// of this package and numbers; the names of the splits are escaped.
type figureTable struct {
	dst    []byte
	values []statistics.Values
	format valueFormat
}

// figuresOf returns the table of a feature. head is its first row.
func figuresOf(f *statistics.Feature, head string, format valueFormat) template.HTML {
	t := figureTable{dst: make([]byte, 0, 2048), values: f.Splits[:min(len(f.Splits), maxSplits)], format: format}
	t.dst = append(t.dst, head...)
	t.rows(f.Kind)
	return template.HTML(t.dst)
}

// factsHead is the first row of each table. Rows and columns of headers alone need
// no scope, and there are many.
func factsHead(splits []statistics.Split) string {
	dst := []byte(`<tr><th>split`)
	for i, s := range splits[:min(len(splits), maxSplits)] {
		dst = append(dst, `<th class=s`...)
		dst = strconv.AppendInt(dst, int64(color(i)), 10)
		dst = append(dst, '>')
		dst = append(dst, template.HTMLEscapeString(clean(s.Name, 14))...)
	}
	return string(dst)
}

// row appends a row, of cells that cell appends.
func (t *figureTable) row(name string, cell func(dst []byte, v *statistics.Values) []byte) {
	t.dst = append(t.dst, `<tr><th>`...)
	t.dst = append(t.dst, name...)
	for i := range t.values {
		t.dst = append(t.dst, `<td>`...)
		t.dst = cell(t.dst, &t.values[i])
	}
}

// rowIf appends a row of counts, unless all of them are zero.
func (t *figureTable) rowIf(name string, of func(v *statistics.Values) int64) {
	for i := range t.values {
		if of(&t.values[i]) != 0 {
			t.row(name, func(dst []byte, v *statistics.Values) []byte { return appendGrouped(dst, of(v)) })
			return
		}
	}
}

// none stands for a number that there is not.
const none = "–"

func (t *figureTable) rows(kind statistics.Kind) {
	missing := func(v *statistics.Values) string { return share(v.Missing, v.Missing+v.Present) }
	// else the row of the feature suffices
	if slices.ContainsFunc(t.values, func(v statistics.Values) bool { return missing(&v) != missing(&t.values[0]) }) {
		t.row("missing", func(dst []byte, v *statistics.Values) []byte { return append(dst, missing(v)...) })
	}
	t.row("distinct", func(dst []byte, v *statistics.Values) []byte {
		if v.Estimated {
			dst = append(dst, "≈ "...)
		}
		return appendGrouped(dst, min(v.Distinct, v.Count))
	})
	t.rowIf("no class", func(v *statistics.Values) int64 { return v.Unknown })
	t.rowIf("not UTF-8", func(v *statistics.Values) int64 { return v.NotUTF8 })
	t.rowIf("empty", func(v *statistics.Values) int64 { return v.Empty })
	t.rowIf("unreadable", func(v *statistics.Values) int64 {
		if v.Images == nil {
			return 0
		}
		return v.Images.Unreadable
	})
	switch kind {
	case statistics.Number:
		t.numbers(func(v *statistics.Values) *statistics.Numbers { return v.Numbers })
	case statistics.Class:
	default:
		t.sizes()
	}
}

func (t *figureTable) numbers(of func(v *statistics.Values) *statistics.Numbers) {
	special := func(name string, field func(n *statistics.Numbers) int64) {
		t.rowIf(name, func(v *statistics.Values) int64 {
			if n := of(v); n != nil {
				return field(n)
			}
			return 0
		})
	}
	special("zeros", func(n *statistics.Numbers) int64 { return n.Zeros })
	special("NaN", func(n *statistics.Numbers) int64 { return n.NaN })
	special("+∞", func(n *statistics.Numbers) int64 { return n.PosInf })
	special("−∞", func(n *statistics.Numbers) int64 { return n.NegInf })
	t.figures(of)
	finite := func(name string, append func(dst []byte, n *statistics.Numbers) []byte) {
		t.row(name, appendFinite(of, append))
	}
	finite("mean", func(dst []byte, n *statistics.Numbers) []byte { return t.format.appendNumber(dst, n.Mean) })
	finite("std dev", func(dst []byte, n *statistics.Numbers) []byte { return t.format.appendSpread(dst, n.Deviation) })
}

// sizes are lengths in bytes.
func (t *figureTable) sizes() {
	for _, figure := range []struct {
		name   string
		append func(dst []byte, n *statistics.Numbers) []byte
	}{
		{"min length", func(dst []byte, n *statistics.Numbers) []byte { return appendExact(dst, n.Min) }},
		{"median length", func(dst []byte, n *statistics.Numbers) []byte { return append(dst, median(n)...) }},
		{"max length", func(dst []byte, n *statistics.Numbers) []byte { return appendExact(dst, n.Max) }},
		{"mean length", func(dst []byte, n *statistics.Numbers) []byte { return appendNumber(dst, n.Mean) }},
	} {
		t.row(figure.name, appendFinite(func(v *statistics.Values) *statistics.Numbers {
			return v.Sizes
		}, figure.append))
	}
}

// figures are the least, the largest and what lies between them.
func (t *figureTable) figures(of func(v *statistics.Values) *statistics.Numbers) {
	quantile := func(name string, at int) {
		t.row(name, appendFinite(of, func(dst []byte, n *statistics.Numbers) []byte {
			if len(n.Quantiles) <= at {
				return append(dst, none...)
			}
			return t.format.appendRounded(dst, n.Quantiles[at])
		}))
	}
	t.row("min", appendFinite(of, func(dst []byte,
		n *statistics.Numbers) []byte {
		return t.format.appendExact(dst, n.Min)
	}))
	quantile("25%", statistics.At25)
	quantile("median", statistics.At50)
	quantile("75%", statistics.At75)
	t.row("max", appendFinite(of, func(dst []byte,
		n *statistics.Numbers) []byte {
		return t.format.appendExact(dst, n.Max)
	}))
}

// appendFinite appends a number of the finite values, where there are some.
func appendFinite(of func(v *statistics.Values) *statistics.Numbers,
	number func(dst []byte, n *statistics.Numbers) []byte) func([]byte, *statistics.Values) []byte {
	return func(dst []byte, v *statistics.Values) []byte {
		n := of(v)
		if n == nil || n.Finite == 0 {
			return append(dst, none...)
		}
		return number(dst, n)
	}
}
