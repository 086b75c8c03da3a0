package report

import (
	"html/template"
	"strconv"

	"tfr-build/message"
	"tfr-build/statistics"
)

// The parts of the drawing of a feature, from the top.
const (
	chartWidth  = 300 * tenth
	chartHeight = 64 * tenth
	stripHeight = 7 * tenth // of the quantiles of one split
	axisHeight  = 15 * tenth
)

// maxBins is how many columns a drawing has at most.
const maxBins = 150

// A chart is the drawing of the values of a feature.
type chart struct {
	Drawing   template.HTML
	Height    int // in pixels
	AxisAt    int // where the ends of the axis are written
	Low, High string
	Label     string // for those who do not see it
	What      string // what is drawn, where it is not the values
	Always    string // the one value of all records: nothing is drawn
}

// A series is what one split has in a chart.
type series struct {
	split   int
	counts  []int64
	numbers *statistics.Numbers // nil: it has no quantiles
	ones    bool                // a bin is one whole number
}

// most is the share at which the scale ends: the largest of a bin, but not more than
// twice that of the first series, which spikes of a small split would flatten.
func most(list []series) float64 {
	var m, first float64
	for i, s := range list {
		total := sum(s.counts)
		for _, n := range s.counts {
			m = max(m, float64(n)/float64(total))
		}
		if i == 0 {
			first = m
		}
	}
	return min(m, 2*first)
}

func sum(counts []int64) (n int64) {
	for _, c := range counts {
		n += c
	}
	return n
}

// draw appends the series: the first one as columns, the others as outlines, each
// by its own shares, so that splits of other sizes can be compared. They stand on a
// scale of their own, on which a bin is 1 wide and up is more: that keeps paths short.
func draw(dst []byte, list []series) []byte {
	top, bins := most(list), len(list[0].counts)
	dst = append(dst, `<g transform="matrix(`...)
	dst = appendThousandths(dst, chartWidth/tenth*1000/bins)
	dst = append(dst, ` 0 0 -1 `...)
	dst = appendThousandths(dst, chartWidth/tenth*500/bins) // the middle of a column is at a whole number
	dst = append(dst, ` 64)">`...)
	for i, s := range list {
		if i == 0 {
			dst = appendColumns(dst, s, top)
		} else {
			dst = appendOutline(dst, s, top)
		}
	}
	return append(dst, `</g><use href="#axis"/>`...)
}

// height is how high the column of a bin is, in pixels: what is there is seen.
func height(n, total int64, top float64) int64 {
	if n == 0 {
		return 0
	}
	return int64(max(scaled(float64(n)/float64(total), top, chartHeight/tenth), 1))
}

func appendColumns(dst []byte, s series, top float64) []byte {
	bins, total := len(s.counts), sum(s.counts)
	gap := max(min(1000*bins*tenth/chartWidth, 250), 1) // a pixel, or a quarter
	dst = appendClass(dst, "b", s.split)
	dst = append(dst, `stroke-width="`...)
	dst = appendThousandths(dst, 1000-gap)
	dst = append(dst, `" d="`...)
	for i, n := range s.counts {
		if n > 0 {
			dst = append(dst, 'M')
			dst = strconv.AppendInt(dst, int64(i), 10)
			dst = append(dst, " 0V"...)
			dst = strconv.AppendInt(dst, height(n, total, top), 10)
		}
	}
	return append(dst, `"/>`...)
}

func appendOutline(dst []byte, s series, top float64) []byte {
	bins, total := len(s.counts), sum(s.counts)
	dst = appendClass(dst, "o", s.split)
	dst = append(dst, `d="M-.5 0`...)
	last, from := int64(0), 0
	for i, n := range s.counts {
		if h := height(n, total, top); h != last {
			if i > from {
				dst = append(dst, 'h')
				dst = strconv.AppendInt(dst, int64(i-from), 10)
			}
			dst = append(dst, 'V')
			dst = strconv.AppendInt(dst, h, 10)
			last, from = h, i
		}
	}
	dst = append(dst, 'h')
	dst = strconv.AppendInt(dst, int64(bins-from), 10)
	return append(dst, `V0"/>`...)
}

// appendClass begins a path in the color of a split.
func appendClass(dst []byte, class string, split int) []byte {
	dst = append(dst, `<path class="`...)
	dst = append(dst, class...)
	dst = append(dst, " s"...)
	dst = strconv.AppendInt(dst, int64(color(split)), 10)
	return append(dst, `" `...)
}

// The quantiles that are drawn, by their places in statistics.QuantileShares.
const (
	at1, at25, at50, at75, at99 = 0, 3, 4, 5, 8
)

// appendStrips draws the quantiles of each series below the axis: a line from 1 %
// to 99 %, a bar over the half in the middle, and a mark at the median.
func appendStrips(dst []byte, list []series) (_ []byte, height int) {
	y := chartHeight + 5*tenth
	var medians []byte
	for _, s := range list {
		if s.numbers == nil || len(s.numbers.Quantiles) != len(statistics.QuantileShares) {
			continue
		}
		q, bins := s.numbers.Quantiles, s.numbers.Histogram
		dst = appendClass(dst, "q", s.split)
		dst = appendSpan(dst, s.place(bins, q[at1]), s.place(bins, q[at99]), y)
		dst = appendClass(dst, "Q", s.split)
		dst = appendSpan(dst, s.place(bins, q[at25]), s.place(bins, q[at75]), y)
		medians = appendColumn(medians, s.place(bins, q[at50]), y+3*tenth, 6*tenth)
		y += stripHeight
	}
	if len(medians) > 0 {
		dst = append(dst, `<path class="m" d="`...)
		dst = append(dst, medians...)
		dst = append(dst, `"/>`...)
	}
	return dst, y - chartHeight - 5*tenth
}

// appendSpan ends a path as a level line.
func appendSpan(dst []byte, from, to, y int) []byte {
	dst = append(dst, `d="M`...)
	dst = appendTenths(dst, from)
	dst = append(dst, ' ')
	dst = appendTenths(dst, y)
	dst = append(dst, 'H')
	dst = appendTenths(dst, max(to, from+tenth))
	return append(dst, `"/>`...)
}

// place is where a value stands in a drawing of bins, all of which are equally wide:
// a whole pixel. A whole number stands in the middle of its bin.
func (s *series) place(bins []statistics.Bin, v float64) int {
	if s.ones {
		v += 0.5
	}
	for i, b := range bins {
		if v < b.High || i == len(bins)-1 {
			inside := scaled(v-b.Low, b.High-b.Low, chartWidth/len(bins))
			return (i*chartWidth/len(bins) + inside) / tenth * tenth
		}
	}
	return 0
}

// newChart draws the series, whose axis has those ends.
func newChart(list []series, low, high, label string) chart {
	if len(list) == 0 {
		return chart{}
	}
	dst := draw(nil, list)
	dst, strips := appendStrips(dst, list)
	return chart{
		Drawing: template.HTML(dst), Low: low, High: high, Label: label,
		Height: (chartHeight + strips + axisHeight) / tenth,
		AxisAt: (chartHeight+strips+axisHeight)/tenth - 3,
	}
}

// chartOf draws what a feature has in the splits that are shown.
func chartOf(f *statistics.Feature) chart {
	values := f.Splits[:min(len(f.Splits), maxSplits)]
	if n := len(f.Classes); f.Kind == statistics.Class && n > 0 && n <= maxBins {
		return classChart(f, values)
	}
	if f.Kind == statistics.Number || f.Kind == statistics.Class {
		whole := f.List == message.Int64List || f.List == message.Int32List
		return numbersChart(values, whole, func(v *statistics.Values) *statistics.Numbers { return v.Numbers })
	}
	c := numbersChart(values, true, func(v *statistics.Values) *statistics.Numbers { return v.Sizes })
	c.What = "length in bytes"
	return c
}

func classChart(f *statistics.Feature, values []statistics.Values) chart {
	var list []series
	for i := range values {
		if len(values[i].ByClass) == len(f.Classes) && sum(values[i].ByClass) > 0 {
			list = append(list, series{split: i, counts: values[i].ByClass})
		}
	}
	last := len(f.Classes) - 1
	label := "Shares of " + count(int64(last+1), "class")
	return newChart(list, clean(f.Classes[0], 20), clean(f.Classes[last], 20), label)
}

// numbersChart draws the histograms of numbers, or says that all of them are equal.
func numbersChart(values []statistics.Values, whole bool, of func(*statistics.Values) *statistics.Numbers) chart {
	var list []series
	bins, same := 0, true
	for i := range values {
		n := of(&values[i])
		if n == nil || len(n.Histogram) == 0 || bins > 0 && len(n.Histogram) != bins {
			continue
		}
		s := series{split: i, numbers: n, counts: make([]int64, 0, len(n.Histogram))}
		for _, b := range n.Histogram {
			s.counts = append(s.counts, b.Count)
		}
		if sum(s.counts) > 0 {
			bins = len(n.Histogram)
			list = append(list, s)
			same = same && n.Min == n.Max && n.Min == list[0].numbers.Min
		}
	}
	switch {
	case len(list) == 0:
		return chart{}
	case same:
		return chart{Always: string(appendExact(nil, list[0].numbers.Min))}
	}
	h := list[0].numbers.Histogram
	low, high := h[0].Low, h[bins-1].High
	if whole && high-low == float64(bins) {
		for i := range list {
			list[i].ones = true
		}
		high--
	}
	label := "Histogram, " + number(low) + " to " + number(high)
	if q := list[0].numbers.Quantiles; len(q) == len(statistics.QuantileShares) {
		label += ", half of them " + rounded(q[at25]) + " to " + rounded(q[at75])
	}
	return newChart(list, number(low), number(high), label)
}
