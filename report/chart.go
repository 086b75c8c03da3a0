package report

import (
	"html/template"
	"math"
	"strconv"
	"unicode/utf8"

	"tfr-build/message"
	"tfr-build/statistics"
)

// The parts of the chart of a feature: the plot has the shares to its left, and below it the
// values and the quantiles. The style has the same numbers.
const (
	chartWidth  = 460
	plotLeft    = 44
	plotTop     = 8
	plotWidth   = 400
	plotHeight  = 112
	plotBottom  = plotTop + plotHeight
	axisHeight  = 20
	stripHeight = 9 // of the quantiles of one split
	letterWidth = 6 // about, in a label
)

// A chart is the drawing of the values of a feature.
type chart struct {
	Number  int               // of the feature
	Above   template.HTML     // the plot: lines of some shares
	Plot    template.HTML     // the series, in a scale of their own
	Matrix  string            // from that scale to pixels
	Below   template.HTML     // the plot: the axis and the quantiles
	Bins    int               // how wide the plot is in its scale
	InSpark bool              // the row of the feature has the plot, and the chart shows it once more
	Height  int               // in pixels
	Label   string            // for those who do not see it
	What    string            // what is drawn, where it is not the values
	Always  string            // the one value of all records: nothing is drawn
	Counts  template.HTMLAttr // what the script shows of a column, as an attribute
}

// A series is what one split has in a chart.
type series struct {
	split   int
	bins    []statistics.Bin
	numbers *statistics.Numbers // nil: no quantiles are drawn
	ones    bool                // each bin of the document is one whole number
}

func (s *series) total() (n int64) {
	for i := range s.bins {
		n += s.bins[i].Count
	}
	return n
}

// most is the share at which the scale ends: the largest of a bin, but not more than
// twice that of the first series, which spikes of a small split would flatten.
func most(list []series) float64 {
	var m, first float64
	for i, s := range list {
		total := s.total()
		for _, b := range s.bins {
			m = max(m, float64(b.Count)/float64(total))
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

// manyBins is from how many bins on columns have no gap between them.
const manyBins = 20

// appendPlot appends the series: the first one is filled, the others are outlines, each by
// its own shares, so that splits of other sizes can be compared. They are on a scale of
// their own, on which a bin is 1 wide and the plot unitsHigh high: that keeps paths short.
func appendPlot(dst []byte, list []series, top float64) []byte {
	for i, s := range list {
		switch {
		case i > 0:
			dst = appendOutline(dst, "o", s, top)
		case len(s.bins) > manyBins:
			dst = appendOutline(dst, "f", s, top)
		default:
			dst = appendColumns(dst, s, top)
		}
	}
	return dst
}

// plotMatrix takes the scale of a plot to pixels, as an attribute of SVG has it.
func plotMatrix(bins int) string {
	dst := appendThousandths([]byte("matrix("), plotWidth*1000/bins)
	dst = appendThousandths(append(dst, " 0 0 -"...), plotHeight*1000/unitsHigh)
	// the middle of a column is at a whole number
	dst = appendThousandths(append(dst, ' '), plotLeft*1000+plotWidth*500/bins)
	return string(append(strconv.AppendInt(append(dst, ' '), plotBottom, 10), ')'))
}

// spark is the plot in a line, from which the chart takes it.
func (c *chart) spark() template.HTML {
	if c.Plot == "" {
		return ""
	}
	dst := append([]byte(`<svg class=spark viewBox="-.5 0 `), strconv.Itoa(c.Bins)...)
	dst = append(dst, ` 64" preserveAspectRatio=none aria-hidden=true><g id=c`...)
	dst = append(strconv.AppendInt(dst, int64(c.Number), 10), '>')
	return template.HTML(append(append(dst, c.Plot...), `</g></svg>`...))
}

// unitsHigh is how high a plot is, in the unit of its columns.
const unitsHigh = 64

// height is how high the column of a bin is: what is there is seen.
func height(n, total int64, top float64) int64 {
	if n == 0 {
		return 0
	}
	return int64(max(scaled(float64(n)/float64(total), top, unitsHigh), 1))
}

func appendColumns(dst []byte, s series, top float64) []byte {
	bins, total := len(s.bins), s.total()
	gap := max(min(1000*bins/plotWidth, 250), 1) // a pixel, or a quarter
	dst = appendClass(dst, "b", s.split)
	dst = append(dst, `stroke-width="`...)
	dst = appendThousandths(dst, 1000-gap)
	dst = append(dst, `" d="`...)
	for i, b := range s.bins {
		if b.Count > 0 {
			dst = append(dst, 'M')
			dst = strconv.AppendInt(dst, int64(i), 10)
			dst = append(dst, " 0V"...)
			dst = strconv.AppendInt(dst, height(b.Count, total, top), 10)
		}
	}
	return append(dst, `"/>`...)
}

func appendOutline(dst []byte, class string, s series, top float64) []byte {
	bins, total := len(s.bins), s.total()
	dst = appendClass(dst, class, s.split)
	dst = append(dst, `d="M-.5 0`...)
	last, from := int64(0), 0
	for i, b := range s.bins {
		if h := height(b.Count, total, top); h != last {
			if i > from {
				dst = append(dst, 'h')
				dst = strconv.AppendInt(dst, int64(i-from), 10)
			}
			dst = append(dst, 'v')
			dst = strconv.AppendInt(dst, h-last, 10)
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

// appendStrips draws the quantiles of each series below the axis: a line from 1% to 99%, a
// bar over the half in the middle, and a mark at the median.
func appendStrips(dst []byte, list []series) (_ []byte, height int) {
	y := plotBottom + axisHeight
	for _, s := range list {
		if s.numbers == nil || len(s.numbers.Quantiles) != len(statistics.QuantileShares) {
			continue
		}
		q := s.numbers.Quantiles
		first, from, to, last := s.pixelOf(q[statistics.At1]), s.pixelOf(q[statistics.At25]), s.pixelOf(
			q[statistics.At75]), s.pixelOf(q[statistics.At99])
		dst = appendClass(dst, "q", s.split)
		dst = append(dst, `d="M`...)
		for _, step := range [...]struct {
			text string
			at   int
		}{
			{"", first}, {" ", y}, {"H", from}, {"v-2H", max(to, from+1)}, {"v4H", from}, {"v-2H", max(last, first+1)},
			{"M", s.pixelOf(q[statistics.At50])}, {" ", y - 4},
		} {
			dst = strconv.AppendInt(append(dst, step.text...), int64(step.at), 10)
		}
		dst = append(dst, `v8"/>`...)
		y += stripHeight
	}
	return dst, y - plotBottom - axisHeight
}

// pixelOf is the pixel of a value in a chart, whose bins are drawn equally wide. A
// whole number is in the middle of its bin.
func (s *series) pixelOf(v float64) int {
	if s.ones {
		v += 0.5
	}
	for i, b := range s.bins {
		if v < b.High || i == len(s.bins)-1 {
			part, whole := v-b.Low, b.High-b.Low
			if whole > math.MaxFloat64 { // the bin is wider than the largest float
				part, whole = v/2-b.Low/2, b.High/2-b.Low/2
			}
			inside := scaled(part, whole, plotWidth*tenth/len(s.bins))
			return plotLeft + (i*plotWidth*tenth/len(s.bins)+inside)/tenth
		}
	}
	return 0
}

// An axis is what is written below a chart.
type axis struct {
	ticks     []tick
	low, high string // at its ends; empty: the ticks suffice
}

// appendAxis draws the line below the plot, and writes the values there.
func appendAxis(dst []byte, s *series, a axis) []byte {
	dst = append(dst, `<use href=#axis /><g class=values>`...)
	label := func(x int, class, text string) {
		dst = append(dst, `<text`...)
		dst = append(dst, class...)
		dst = append(dst, ` x=`...)
		dst = strconv.AppendInt(dst, int64(x), 10)
		dst = append(dst, '>')
		dst = append(dst, template.HTMLEscapeString(text)...)
		dst = append(dst, `</text>`...)
	}
	const gap = 10
	half := func(text string) int { return utf8.RuneCountInString(text) * letterWidth / 2 }
	left, right := 0, chartWidth
	if a.low != "" {
		label(plotLeft, ` class=start`, a.low)
		left = plotLeft + 2*half(a.low) + gap
	}
	if a.high != "" {
		right = plotLeft + plotWidth
		label(right, ` class=end`, a.high)
		right -= 2*half(a.high) + gap
	}
	for _, t := range a.ticks {
		x := s.pixelOf(t.at)
		if x-half(t.text) < left || x+half(t.text) > right {
			continue
		}
		label(x, "", t.text)
		left = x + half(t.text) + gap
	}
	return append(dst, `</g>`...)
}

// appendShares draws the lines of some shares, of which the scale ends at top.
func appendShares(dst []byte, top float64) []byte {
	if !(top > 0) {
		return dst
	}
	lines, labels := []byte(`<path class=g d=M`), []byte(`<g class=shares>`)
	step := niceStep(top * 100 / 3)
	for k := 1; k < 4; k++ {
		percent := float64(float64(k) * step)
		if percent > top*100 {
			break
		}
		y := strconv.AppendInt(nil, int64(plotBottom-scaled(percent, top*100, plotHeight)), 10)
		if k > 1 {
			lines = append(lines, 'M')
		}
		lines = append(append(strconv.AppendInt(lines, plotLeft, 10), ','), y...)
		lines = strconv.AppendInt(append(lines, 'h'), plotWidth, 10)
		labels = append(append(append(labels, `<text y=`...), y...), '>')
		labels = append(appendNumber(labels, percent), `%</text>`...)
	}
	return append(append(append(append(dst, lines...), ` />`...), labels...), `</g>`...)
}

// newChart draws the series above an axis.
func newChart(list []series, number int, a axis, label string) chart {
	if len(list) == 0 {
		return chart{}
	}
	top, bins := most(list), len(list[0].bins)
	below, strips := appendStrips(appendAxis(nil, &list[0], a), list)
	return chart{
		Number: number, Bins: bins, Matrix: plotMatrix(bins), Label: label, Height: plotBottom + axisHeight + strips,
		Above: template.HTML(appendShares(nil, top)), Plot: template.HTML(appendPlot(nil, list, top)),
		Below: template.HTML(below),
	}
}

// chartOf draws what a feature has in the splits that are shown.
func chartOf(f *statistics.Feature, number int, format valueFormat) chart {
	values := f.Splits[:min(len(f.Splits), maxSplits)]
	if n := len(f.Classes); f.Kind == statistics.Class && n > 0 && n <= maxBins {
		return classChart(f, values, number)
	}
	if f.Kind == statistics.Number || f.Kind == statistics.Class {
		whole := f.List == message.Int64List || f.List == message.Int32List
		h := histogram{number, whole, format, maxBins, true,
			func(v *statistics.Values) *statistics.Numbers { return v.Numbers }}
		return h.chart(values)
	}
	if f.Kind == statistics.Text && len(values) > 0 && len(values[0].Top) > 0 { // which tell more than lengths
		values = values[:1]
	}
	h := histogram{number, true, valueFormat{}, manyBins, false,
		func(v *statistics.Values) *statistics.Numbers { return v.Sizes }}
	c := h.chart(values)
	c.What = "Length in bytes"
	return c
}

func classChart(f *statistics.Feature, values []statistics.Values, number int) chart {
	var list []series
	for i := range values {
		if len(values[i].ByClass) != len(f.Classes) || sum(values[i].ByClass) == 0 {
			continue
		}
		s := series{split: i}
		for class, n := range values[i].ByClass {
			s.bins = append(s.bins, statistics.Bin{Low: float64(class), High: float64(class + 1), Count: n})
		}
		list = append(list, s)
	}
	last := len(f.Classes) - 1
	label := "Shares of " + count(int64(last+1), "class")
	ends := axis{low: clean(f.Classes[0], 20), high: clean(f.Classes[last], 20)}
	return newChart(list, number, ends, label)
}
