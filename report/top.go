package report

import (
	"html/template"
	"slices"
	"strconv"

	"tfr-build/statistics"
)

// maxTop is how many of the most frequent values of a feature are shown.
const maxTop = 5

// frequent is the least share of all values that makes a value frequent.
const frequent = 0.01

// A topView is one of the most frequent values.
type topView struct {
	Value, Count, Share string
	IsEmpty             bool
	Bar                 template.HTML
}

// viewTop lists the most frequent values of the first split with values, and marks their shares in
// the other splits. If no value is frequent, it sets a sentence with the counts.
func (d *featureDetail) viewTop(splits []statistics.Split, f *statistics.Feature, format valueFormat) {
	values := f.Splits[:min(len(f.Splits), maxSplits)]
	first := slices.IndexFunc(values, func(v statistics.Values) bool { return v.Count > 0 })
	if first < 0 || d.Chart.Always != "" && d.Chart.What == "" || f.Kind == statistics.Image {
		return
	}
	// the row of the feature has the number of distinct values
	if f.Kind == statistics.Number && len(values[first].Top) == 0 {
		return
	}
	v, name := &values[first], clean(splits[first].Name, maxName)
	if len(v.Top) == 0 || v.Top[0].Count < 2 || float64(v.Top[0].Count) < frequent*float64(v.Count) {
		d.Other = nothingFrequent(v, name)
		return
	}
	longest := float64(v.Top[0].Count) / float64(v.Count)
	shown := v.Top[:min(len(v.Top), maxTop)]
	d.TopOf, d.Other = name, moreValues(v, shown)
	for _, t := range shown {
		d.Top = append(d.Top, topView{
			Value: cleanEnds(format.text(t.Value), maxValue, t.Cut), IsEmpty: t.Value == "",
			Count: Grouped(t.Count), Share: share(t.Count, v.Count), Bar: topBar(values, first, t.Value, longest),
		})
	}
}

// nothingFrequent returns a sentence with the counts of values, of which none is frequent.
func nothingFrequent(v *statistics.Values, split string) string {
	distinct := Grouped(min(v.Distinct, v.Count))
	if v.Estimated {
		distinct = "≈ " + distinct
	}
	text := "No value is frequent: " + split + " has " + count(v.Count, "value") + ", " + distinct + " of them distinct"
	if len(v.Top) > 0 && v.Top[0].Count > 1 {
		text += "; one occurs " + count(v.Top[0].Count, "time") + " at most"
	}
	return text + "."
}

// moreValues returns the number of values that are not shown, or "" if all are: 1,234 others.
func moreValues(v *statistics.Values, shown []statistics.Top) string {
	hidden := v.Count
	for _, t := range shown {
		hidden -= t.Count
	}
	if hidden <= 0 {
		return ""
	}
	return Grouped(hidden) + " others"
}

// topBar draws the share of a value: a bar for the split first, and a mark for each later split
// that has the value among its most frequent ones.
func topBar(values []statistics.Values, first int, value string, longest float64) template.HTML {
	var dst []byte
	for i := first; i < len(values); i++ {
		at := slices.IndexFunc(values[i].Top, func(t statistics.Top) bool { return t.Value == value })
		if at < 0 {
			continue
		}
		x := scaled(float64(values[i].Top[at].Count)/float64(values[i].Count), longest, 100)
		if i == first {
			dst = append(dst, `<rect class=s`...)
			dst = strconv.AppendInt(dst, int64(color(i)), 10)
			dst = append(dst, ` width=`...)
			dst = strconv.AppendInt(dst, int64(max(x, 1)), 10)
		} else {
			dst = append(dst, `<rect class="l s`...)
			dst = strconv.AppendInt(dst, int64(color(i)), 10)
			dst = append(dst, `" x=`...)
			dst = strconv.AppendInt(dst, int64(min(x, 98)), 10)
		}
		dst = append(dst, `% />`...)
	}
	return template.HTML(dst)
}

// maxSpark is the number of values in a sparkline.
const maxSpark = 8

// sparkOf draws a sparkline of the most frequent values of the first split that has some.
func sparkOf(f *statistics.Feature) template.HTML {
	first := slices.IndexFunc(f.Splits, func(v statistics.Values) bool { return len(v.Top) > 0 })
	if first < 0 {
		return ""
	}
	top := f.Splits[first].Top
	top = top[:min(len(top), maxSpark)]
	dst := append([]byte(`<svg class=spark viewBox="-.6 0 `), strconv.Itoa(max(len(top), 4))...)
	dst = append(dst, ` 24" preserveAspectRatio=none aria-hidden=true><path class="b s`...)
	dst = strconv.AppendInt(dst, int64(color(first)), 10)
	dst = append(dst, `" stroke-width=.8 d="`...)
	for i, t := range top {
		dst = append(dst, 'M')
		dst = strconv.AppendInt(dst, int64(i), 10)
		dst = append(dst, ` 0V`...)
		dst = strconv.AppendInt(dst, int64(max(scaled(float64(t.Count), float64(top[0].Count), 24), 1)), 10)
	}
	return template.HTML(append(dst, `"/></svg>`...))
}
