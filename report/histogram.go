package report

import (
	"html/template"
	"strconv"

	"tfr-build/statistics"
)

// maxBins is how many columns a chart has at most.
const maxBins = 150

// binsFor is how many bins a histogram of n values has: twice the cube root of n.
func binsFor(n int64) int {
	bins := 1
	for bins < maxBins && int64(bins)*int64(bins)*int64(bins) < 8*n {
		bins++
	}
	return bins
}

// fewWhole is how many whole numbers have a bin each, however few values there are.
const fewWhole = 20

// mergedBins joins neighbors where a histogram has more bins than its values need. Bins are
// joined evenly where their number allows it without losing half of those.
func mergedBins(bins []statistics.Bin, most int) []statistics.Bin {
	each := (len(bins) + most - 1) / most
	for even := each; even <= 2*each && each > 1; even++ {
		if len(bins)%even == 0 {
			each = even
			break
		}
	}
	if each <= 1 {
		return bins
	}
	merged := make([]statistics.Bin, 0, len(bins)/each+1)
	for i, b := range bins {
		if i%each == 0 {
			merged = append(merged, b)
			continue
		}
		last := &merged[len(merged)-1]
		last.High, last.Count, last.Open = b.High, last.Count+b.Count, last.Open || b.Open
	}
	return merged
}

// A histogram is how the numbers of a feature are drawn.
type histogram struct {
	number int
	whole  bool // they are integers
	format valueFormat
	most   int  // bins
	boxes  bool // the quantiles are drawn
	of     func(*statistics.Values) *statistics.Numbers
}

// chart draws the numbers of splits, or says that all of them are equal.
func (h *histogram) chart(values []statistics.Values) chart {
	var list []series
	var first *statistics.Numbers
	bins, same := 0, true
	for i := range values {
		n := h.of(&values[i])
		if n == nil || len(n.Histogram) == 0 || bins > 0 && len(n.Histogram) != bins {
			continue
		}
		s := series{split: i, bins: n.Histogram}
		if s.total() == 0 {
			continue
		}
		if h.boxes {
			s.numbers = n
		}
		if first == nil {
			first, bins = n, len(n.Histogram)
		}
		list = append(list, s)
		same = same && n.Min == n.Max && n.Min == first.Min
	}
	switch {
	case len(list) == 0:
		return chart{}
	case same:
		return chart{Always: string(h.format.appendExact(nil, first.Min))}
	}
	low, high := list[0].bins[0].Low, list[0].bins[bins-1].High
	ones := h.whole && high-low == float64(bins)
	if most := min(binsFor(list[0].total()), h.most); most < bins && !(ones && bins <= fewWhole) {
		for i := range list {
			list[i].bins = mergedBins(list[i].bins, most)
		}
	}
	for i := range list {
		list[i].ones = ones
	}
	if ones {
		high-- // the last bin ends before high, which is not a value
	}
	label := "Histogram, " + string(h.format.appendNumber(nil, low)) + " to " + string(h.format.appendNumber(nil, high))
	if q := first.Quantiles; h.boxes && len(q) == len(statistics.QuantileShares) {
		label += ", half of them " + string(h.format.appendRounded(nil, q[statistics.At25])) + " to " +
			string(h.format.appendRounded(nil, q[statistics.At75]))
	}
	c := newChart(list, h.number, h.axis(values, list[0].bins, low, high), label)
	c.Counts = columnCounts(&list[0], h.format)
	return c
}

// axis is what is written below bins from low to high. An end beyond which there are values
// says so.
func (h *histogram) axis(values []statistics.Values, bins []statistics.Bin, low, high float64) axis {
	a := axis{ticks: h.format.ticks(low, high, h.whole)}
	last := bins[len(bins)-1]
	var isBelow, isAbove bool
	for i := range values {
		if n := h.of(&values[i]); n != nil && n.Finite > 0 {
			least, errLeast := n.Min.Float64()
			most, errMost := n.Max.Float64()
			isBelow, isAbove = isBelow || errLeast == nil && least < bins[0].Low, isAbove ||
				errMost == nil && most > last.High
		}
	}
	if bins[0].Open && isBelow {
		a.low = "≤ " + string(h.format.appendRounded(nil, bins[0].High))
	}
	if last.Open && isAbove {
		a.high = "≥ " + string(h.format.appendRounded(nil, last.Low))
	}
	if len(a.ticks) == 0 && a.low == "" && a.high == "" {
		a.low, a.high = string(h.format.appendNumber(nil, low)), string(h.format.appendNumber(nil, high))
	}
	return a
}

// columnCounts is an attribute for the script, which shows the values and the counts of a
// column of the first series: the counts, in base 36, then the edges of the columns or, of
// whole numbers, their values. Edges at equal distances are the first and the last one, and
// values without a gap the first one. An edge beyond which there are values has no text.
func columnCounts(s *series, format valueFormat) template.HTMLAttr {
	dst := []byte(`data-n="`)
	for i, b := range s.bins {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = strconv.AppendInt(dst, b.Count, 36)
	}
	bins, last := s.bins, s.bins[len(s.bins)-1]
	ones := s.ones && int64(last.High-bins[0].Low) == int64(len(bins))
	isEven := len(bins) > 2 && !s.ones && !format.isDate && !bins[0].Open && !last.Open && areEven(bins)
	for i, b := range bins {
		dst = append(dst, '|')
		switch {
		case s.ones && b.High-b.Low == 1:
			dst = format.appendNumber(dst, b.Low)
		case s.ones:
			dst = append(format.appendNumber(dst, b.Low), " to "...)
			dst = format.appendNumber(dst, b.High-1)
		case !b.Open || i > 0:
			dst = format.appendRounded(dst, b.Low)
		}
		if isEven || ones {
			break
		}
	}
	if !s.ones {
		dst = append(dst, '|')
		if !last.Open {
			dst = format.appendRounded(dst, last.High)
		}
	}
	return template.HTMLAttr(append(dst, '"'))
}

// areEven reports whether bins are equally wide.
func areEven(bins []statistics.Bin) bool {
	width := bins[0].High - bins[0].Low
	for _, b := range bins {
		if difference := b.High - b.Low - width; !(max(difference, -difference) <= width/1000) {
			return false
		}
	}
	return true
}
