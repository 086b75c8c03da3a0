package report

import (
	"html/template"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/bug"
	"tfr-build/statistics"
)

// How much of the classes is shown.
const (
	maxClassFeatures = 6
	maxClasses       = 40 // all of them, the largest first
	maxEnds          = 15 // of more, so many of the largest and of the smallest
)

// A classView is the balance of the classes of one feature.
type classView struct {
	Key      string
	Number   int
	Sentence string
	Splits   []splitView
	Axis     template.HTML
	Height   int // of the drawing of a class, in pixels
	Largest  []classRow
	Between  string // the classes between both that are not shown; empty: Smallest is not, either
	Smallest []classRow
}

// A classRow is one class.
type classRow struct {
	Name   string
	Plot   template.HTML
	Counts []string
	Height int
}

// viewClasses shows the features with classes or, where by names one, the values of
// that feature alone.
func viewClasses(d *statistics.Document, by string) (list []classView, more string) {
	all := 0
	for i := range d.Features {
		f := &d.Features[i]
		if by != "" {
			if f.Key != by {
				continue
			}
			values := f.ByValue()
			f = &values
		}
		if f.Kind != statistics.Class || len(f.Classes) < 2 || len(f.Splits) == 0 {
			continue
		}
		if all++; all <= maxClassFeatures {
			b := newBalance(f)
			b.grid = "g" + strconv.Itoa(i)
			list = append(list, b.view(d, i))
		}
	}
	if n := all - maxClassFeatures; n > 0 {
		more = "and " + count(int64(n), "more feature") + " of classes, which are below"
	}
	return list, more
}

// A balance is the counts of the classes of a feature.
type balance struct {
	f      *statistics.Feature
	totals []int64 // values of known classes, next to the splits that are shown
	isLog  bool    // dots on a logarithmic axis; else bars
	low    int     // that axis is from this power of ten
	high   int     // up to this one
	top    float64 // the share at which bars end
	grid   string  // the name of the lines of its drawing
}

// manyTimes is how many times the share of another a share is on a logarithmic axis.
const manyTimes = 20

func newBalance(f *statistics.Feature) *balance {
	defer bug.Name(f.Key)
	b := &balance{f: f}
	for _, v := range f.Splits[:min(len(f.Splits), maxSplits)] {
		b.totals = append(b.totals, sum(v.ByClass))
	}
	b.low, b.high = -1, -6
	least := 1.0
	for i := range b.totals {
		for _, n := range f.Splits[i].ByClass {
			if n == 0 {
				continue
			}
			part := float64(n) / float64(b.totals[i])
			b.top, least = max(b.top, part), min(least, part)
			l := log2(n) - log2(b.totals[i])
			for b.low > -6 && l < powerOfTen(b.low) {
				b.low--
			}
			for b.high < 0 && l > powerOfTen(b.high) {
				b.high++
			}
		}
	}
	b.high = max(b.high, b.low+1)
	b.isLog = b.top > manyTimes*least
	return b
}

// powerOfTen is the logarithm of 10 to the power of n, which is at most 0.
func powerOfTen(n int) int {
	power := int64(1)
	for range -n {
		power *= 10
	}
	return -log2(power)
}

// count is how often a class occurs in all splits.
func (b *balance) count(class int) (n int64) {
	for _, v := range b.f.Splits {
		n += byClass(&v, class)
	}
	return n
}

func (b *balance) view(d *statistics.Document, number int) classView {
	defer bug.Name(b.f.Key)
	v := classView{Key: clean(b.f.Key, maxName), Number: number, Axis: b.axis(), Height: b.height()}
	for i := range b.totals {
		v.Splits = append(v.Splits, splitView{Name: clean(d.Splits[i].Name, maxName), Color: color(i)})
	}
	n := len(b.f.Classes)
	if n <= maxClasses {
		v.Largest = b.rows(b.ends(n, false))
	} else {
		v.Largest = b.rows(b.ends(maxEnds, false))
		v.Smallest = b.rows(b.ends(maxEnds, true))
		v.Between = "… " + Grouped(int64(n-2*maxEnds)) + " classes between them …"
	}
	v.Sentence = b.sentence(d) + " A bar is the share of a class in a split."
	if b.isLog {
		v.Sentence = b.sentence(d) + " A dot is the share of a class in a split, on a logarithmic scale."
	}
	return v
}

// byClass is how often a class occurs in a split.
func byClass(v *statistics.Values, class int) int64 {
	if class >= len(v.ByClass) {
		return 0
	}
	return v.ByClass[class]
}

// ends returns the n classes with most values, or with fewest, the largest first;
// of equal ones the earlier class first.
func (b *balance) ends(n int, smallest bool) []int {
	type counted struct {
		class int
		count int64
	}
	kept := make([]counted, 0, n+1)
	before := func(x, y counted) bool {
		if x.count == y.count {
			return (x.class < y.class) != smallest
		}
		return (x.count > y.count) != smallest
	}
	for class := range b.f.Classes {
		one := counted{class, b.count(class)}
		at := len(kept)
		for at > 0 && before(one, kept[at-1]) {
			at--
		}
		if at < n {
			kept = slices.Insert(kept, at, one)
			kept = kept[:min(len(kept), n)]
		}
	}
	if smallest {
		slices.Reverse(kept)
	}
	classes := make([]int, 0, n)
	for _, c := range kept {
		classes = append(classes, c.class)
	}
	return classes
}

func (b *balance) rows(classes []int) []classRow {
	rows := make([]classRow, 0, len(classes))
	for _, class := range classes {
		row := classRow{Name: cleanEnds(b.f.Classes[class], maxValue, false), Plot: b.plot(class), Height: b.height()}
		for i := range b.totals {
			row.Counts = append(row.Counts, Grouped(byClass(&b.f.Splits[i], class)))
		}
		rows = append(rows, row)
	}
	return rows
}

// sentence says how even the classes are.
func (b *balance) sentence(d *statistics.Document) string {
	n := len(b.f.Classes)
	largest, smallest := b.count(b.ends(1, false)[0]), b.count(b.ends(1, true)[0])
	text := []string{Grouped(int64(n)) + " classes."}
	ratio := strconv.FormatFloat(float64(largest)/float64(smallest), 'f', 1, 64)
	switch {
	case smallest == 0:
	case ratio == "1.0":
		text = append(text, "All of them are about as frequent.")
	default:
		text = append(text, "The largest has "+strings.TrimSuffix(ratio, ".0")+" times the values of the smallest.")
	}
	for i := range b.totals {
		empty := int64(0)
		for class := range n {
			if byClass(&b.f.Splits[i], class) == 0 {
				empty++
			}
		}
		if empty > 0 && b.totals[i] > 0 {
			text = append(text, count(empty, "class")+" without a value in "+clean(d.Splits[i].Name, maxName)+".")
		}
	}
	return strings.Join(text, " ")
}

// The drawing of one class, in tenths of a percent of its width: it is as wide as
// there is room.
const (
	plotZero = 25 // the position of classes that do not occur
	plotFrom = 80
	plotTo   = 985
)

// x is the position of a share, by its logarithm.
func (b *balance) x(log int) int {
	from, to := powerOfTen(b.low), powerOfTen(b.high)
	return plotFrom + scaled(float64(log-from), float64(to-from), plotTo-plotFrom)
}

// height returns the height of the drawing of a class, in pixels.
func (b *balance) height() int {
	if b.isLog {
		return 18
	}
	return max(barHeight*len(b.totals)+4, 14)
}

// barHeight is the height of the bar of one split, with a gap.
const barHeight = 7

// plot draws the share of a class in each split.
func (b *balance) plot(class int) template.HTML {
	dst := append([]byte(`<use href="#`), b.grid...)
	dst = append(dst, `"/>`...)
	if b.isLog {
		return template.HTML(b.appendDots(dst, class))
	}
	return template.HTML(b.appendBars(dst, class))
}

// appendBars appends a bar for each split.
func (b *balance) appendBars(dst []byte, class int) []byte {
	for i := range b.totals {
		n := byClass(&b.f.Splits[i], class)
		if n == 0 {
			continue
		}
		dst = append(dst, `<rect class="f s`...)
		dst = strconv.AppendInt(dst, int64(color(i)), 10)
		dst = append(dst, `" y=`...)
		dst = strconv.AppendInt(dst, int64(2+barHeight*i), 10)
		dst = append(dst, ` height=6 width=`...)
		dst = appendTenths(dst, max(scaled(float64(n)/float64(b.totals[i]), b.top, plotTo), 3))
		dst = append(dst, `% />`...)
	}
	return dst
}

// appendDots appends a dot for each split.
func (b *balance) appendDots(dst []byte, class int) []byte {
	for i := len(b.totals) - 1; i >= 0; i-- { // the first split lies above the others
		n, x, shape := byClass(&b.f.Splits[i], class), plotZero, "z"
		switch {
		case b.totals[i] == 0:
			continue
		case n > 0:
			x, shape = b.x(log2(n)-log2(b.totals[i])), "d"
		}
		dst = append(dst, `<circle class="`...)
		dst = append(dst, shape...)
		dst = append(dst, " s"...)
		dst = strconv.AppendInt(dst, int64(color(i)), 10)
		dst = append(dst, `" cx="`...)
		dst = appendTenths(dst, x)
		dst = append(dst, `%"/>`...)
	}
	return dst
}

// A shareTick is a share of an axis: where it is, in tenths of a percent, and its text.
type shareTick struct {
	at   int
	text string
}

// ticks are shares of the axis.
func (b *balance) ticks() (list []shareTick) {
	if !b.isLog {
		for _, t := range numberTicks(0, b.top*100, false) {
			list = append(list, shareTick{scaled(t.at, b.top*100, plotTo), t.text + "%"})
		}
		return list
	}
	times := []int64{1} // on an axis of two powers of ten there is room for more
	if b.high-b.low <= 2 {
		times = []int64{1, 2, 5}
	}
	for power := b.low; power <= b.high; power++ {
		for _, n := range times {
			if n == 1 || power < b.high {
				percent := strings.TrimRight(strings.TrimRight(strconv.FormatFloat(powerTimes(float64(n), power+2),
					'f', 6, 64), "0"), ".")
				list = append(list, shareTick{b.x(powerOfTen(power) + log2(n)), percent + "%"})
			}
		}
	}
	return list
}

// axis writes the shares above the lines that the rows have in common.
func (b *balance) axis() template.HTML {
	lines := []byte(`<defs><g id="` + b.grid + `" class="g">`)
	var dst []byte
	if b.isLog {
		dst = []byte(`<text x="2.5%" y="12" text-anchor="middle">0</text>`)
	}
	ticks := b.ticks()
	for i, t := range ticks {
		x, anchor := string(appendTenths(nil, t.at))+`%`, `middle`
		switch {
		case i == 0: // the ends leave room for their neighbors
			anchor = `start`
		case i == len(ticks)-1 && t.at > 900:
			anchor = `end`
		}
		dst = append(dst, `<text y="12" text-anchor="`+anchor+`" x="`+x+`">`+t.text+`</text>`...)
		lines = append(lines, `<line x1="`+x+`" x2="`+x+`" y2="`+strconv.Itoa(b.height())+`"/>`...)
	}
	return template.HTML(append(append(dst, lines...), `</g></defs>`...))
}
