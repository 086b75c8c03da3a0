package report

import (
	"html/template"
	"slices"
	"strconv"
	"strings"

	"tfr-build/statistics"
)

// How many features are shown.
const (
	maxFeatures = 500    // with their charts
	maxLines    = 10_000 // and so many others in a line each
	maxTop      = 6      // values of one
)

// A featuresView is the section of the features.
type featuresView struct {
	Splits []splitView
	Note   string
	Rows   []featureView
	Lines  []featureLine
	More   string
}

// A featureView is a feature with its chart.
type featureView struct {
	Place int
	Key   string
	Tags  string
	Flags string // how many findings and remarks are about it
	Chart chart
	Facts template.HTML
	Top   []topView
	Other string
}

// A featureLine is a feature in one line.
type featureLine struct {
	Place                               int
	Key, Kind, Missing, Distinct, Range string
}

// A topView is one of the most frequent values.
type topView struct {
	Value, Count string
	IsEmpty      bool
	Bar          template.HTML
}

func viewFeatures(p *Page, f *found) featuresView {
	d := p.Statistics
	var v featuresView
	for i, s := range d.Splits[:min(len(d.Splits), maxSplits)] {
		v.Splits = append(v.Splits, splitView{Name: clean(s.Name, maxName), Color: color(i), Records: Grouped(s.Records)})
	}
	if len(d.Splits) > maxSplits {
		v.Note = "Of " + Grouped(int64(len(d.Splits))) + " splits the first " + strconv.Itoa(maxSplits) + " are shown here. "
	}
	if len(v.Splits) > 1 {
		v.Note += "The first split is filled, the others are outlines, each by its own shares. "
	}
	v.Note += "Below a drawing: a line from 1 % to 99 % of the values, a bar over the half in the middle, and the median. "
	full := fullFeatures(d, f)
	head := factsHead(d.Splits)
	places := make(map[string]int)
	lines := 0
	for i := range d.Features {
		one := &d.Features[i]
		if len(full) > 0 && full[0] == i {
			full = full[1:]
			v.Rows = append(v.Rows, viewFeature(p, one, i, head, f.of[one.Key]))
			places[one.Key] = i
		} else if lines++; lines <= maxLines {
			v.Lines = append(v.Lines, viewLine(one, i))
			places[one.Key] = i
		}
	}
	f.link(places)
	if lines > 0 {
		v.Note += "Of " + Grouped(int64(len(d.Features))) + " features " + Grouped(int64(len(v.Rows))) +
			" are shown with their charts: those to look at, and the first others. The rest stands below in a line each."
	}
	if lines > maxLines {
		v.More = "and " + count(int64(lines-maxLines), "more feature") + ", which _tfr/statistics.json has"
	}
	return v
}

// fullFeatures chooses the features that are shown with charts, in order: those to
// look at first, then the others in order.
func fullFeatures(d *statistics.Document, f *found) []int {
	var full []int
	choose := func(flagged bool) {
		for i := range d.Features {
			if len(full) == maxFeatures {
				return
			}
			if (f.of[d.Features[i].Key] > 0) == flagged {
				full = append(full, i)
			}
		}
	}
	choose(true)
	choose(false)
	slices.Sort(full)
	return full
}

func viewFeature(p *Page, f *statistics.Feature, place int, head string, flags int) featureView {
	v := featureView{Place: place, Key: clean(f.Key, maxName), Tags: tags(f), Chart: chartOf(f), Facts: factsOf(f, head)}
	if flags > 0 {
		v.Flags = Grouped(int64(flags)) + " to look at"
	}
	if p.Values && v.Chart.Always == "" {
		v.Top, v.Other = viewTop(f)
	}
	return v
}

// tags say what kind of values a feature has, and how many.
func tags(f *statistics.Feature) string {
	list := []string{string(f.Kind), string(f.List)}
	if f.Steps {
		list = append(list, "steps")
	}
	least, most, any := int64(0), int64(0), false
	for _, v := range f.Splits {
		if v.Present == 0 {
			continue
		}
		if !any || v.Least < least {
			least = v.Least
		}
		most, any = max(most, v.Most), true
	}
	switch {
	case any && least != most:
		list = append(list, Grouped(least)+" to "+count(most, "value"))
	case any && most != 1:
		list = append(list, count(most, "value"))
	}
	if f.Kind == statistics.Class && len(f.Classes) > 0 {
		list = append(list, count(int64(len(f.Classes)), "class"))
	}
	return strings.Join(list, " · ")
}

func viewLine(f *statistics.Feature, place int) featureLine {
	line := featureLine{Place: place, Key: clean(f.Key, maxName), Kind: string(f.Kind), Missing: none, Distinct: none, Range: none}
	if len(f.Splits) == 0 {
		return line
	}
	v := &f.Splits[0]
	line.Missing, line.Distinct = share(v.Missing, v.Missing+v.Present), Grouped(v.Distinct)
	if n := v.Numbers; n != nil && n.Finite > 0 {
		line.Range = string(appendExact(append(appendExact(nil, n.Min), " to "...), n.Max))
	}
	return line
}

// viewTop lists the most frequent values of the first split that has some, with
// marks for how frequent they are in the others.
func viewTop(f *statistics.Feature) (list []topView, other string) {
	values := f.Splits[:min(len(f.Splits), maxSplits)]
	first := slices.IndexFunc(values, func(v statistics.Values) bool { return len(v.Top) > 0 })
	if first < 0 || values[first].Top[0].Count < 2 { // values of which none comes twice say nothing
		return nil, ""
	}
	v := &values[first]
	shown := v.Top[:min(len(v.Top), maxTop)]
	longest := float64(shown[0].Count) / float64(v.Count)
	other = moreValues(v, shown)
	for _, t := range shown {
		one := topView{Value: clean(t.Value, maxValue), Count: Grouped(t.Count), IsEmpty: t.Value == ""}
		if t.Cut {
			one.Value += "…"
		}
		one.Bar = topBar(values, first, t.Value, longest)
		list = append(list, one)
	}
	return list, other
}

// moreValues counts the values that are not shown.
func moreValues(v *statistics.Values, shown []statistics.Top) string {
	rest := v.Count
	for _, t := range shown {
		rest -= t.Count
	}
	if rest <= 0 {
		return ""
	}
	return Grouped(rest) + " others"
}

// topBar draws how frequent a value is: a bar for one split, and marks for the
// splits after it where the value is among the frequent ones.
func topBar(values []statistics.Values, first int, value string, longest float64) template.HTML {
	var dst []byte
	for i := first; i < len(values); i++ {
		at := slices.IndexFunc(values[i].Top, func(t statistics.Top) bool { return t.Value == value })
		if at < 0 {
			continue
		}
		x := scaled(float64(values[i].Top[at].Count)/float64(values[i].Count), longest, 100)
		if i == first {
			dst = append(dst, `<rect class="f s`...)
			dst = strconv.AppendInt(dst, int64(color(i)), 10)
			dst = append(dst, `" width=`...)
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
