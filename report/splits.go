package report

import (
	"html/template"
	"strconv"

	"tfr-build/dataset"
)

// How many splits are shown: in the bar, and side by side in charts and tables.
const (
	maxBarSplits = 12
	maxSplits    = 5
)

// colors is how many splits have a color of their own.
const colors = 6

// A splitView is a split in a legend.
type splitView struct {
	Name    string
	Color   int
	Records string
	Share   string
}

// color is the number of the color of a split.
func color(split int) int { return split % colors }

// viewSplits lists the splits, and draws them as one bar.
func viewSplits(m *dataset.Manifest) (list []splitView, bar template.HTML, more string) {
	var all int64
	for _, s := range m.Splits {
		all += s.Records
	}
	const width = 1000 * tenth
	var dst []byte
	var before int64
	for i, s := range m.Splits[:min(len(m.Splits), maxBarSplits)] {
		list = append(list, splitView{clean(s.Name, maxName), color(i), Grouped(s.Records), share(s.Records, all)})
		if s.Records == 0 {
			continue
		}
		from := scaled(float64(before), float64(all), width)
		before += s.Records
		to := scaled(float64(before), float64(all), width)
		dst = append(dst, `<rect class="f s`...)
		dst = strconv.AppendInt(dst, int64(color(i)), 10)
		dst = append(dst, `" x="`...)
		dst = appendTenths(dst, from)
		dst = append(dst, `" width="`...)
		if before < all { // a gap before the next one
			to -= 2 * tenth
		}
		dst = appendTenths(dst, max(to-from, tenth))
		dst = append(dst, `" height="10"/>`...)
	}
	if n := len(m.Splits) - maxBarSplits; n > 0 {
		more = "and " + count(int64(n), "more split")
	}
	return list, template.HTML(dst), more
}
