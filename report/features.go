package report

import (
	"cmp"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/bug"
	"tfr-build/statistics"
)

// How many features are shown.
const (
	maxFeatures = 500    // with their charts
	maxLines    = 10_000 // and so many others in a row each
)

// A featuresView is the section of the features.
type featuresView struct {
	Splits []splitView
	Note   string
	Rows   []featureView
	Lines  []featureView // without details, in a table of their own, which browsers lay out faster
	More   string
}

// A featureView is a feature in a row of the table.
type featureView struct {
	Number    int
	Key, Kind string
	Flags     string         // how many findings and remarks are about it
	Cells     template.HTML  // what is known of it
	Detail    *featureDetail // nil: it has only the row
}

// A featureDetail is what the row of a feature opens.
type featureDetail struct {
	Tags      string
	Chart     chart
	Facts     template.HTML
	Top       []topView
	TopOf     string // the split that Top is of
	Other     string
	TopsFirst bool // they tell more than the chart
}

// byConfig returns the document with its features in the order of the config; features that
// it does not name come last.
func byConfig(d *statistics.Document, keys []string) *statistics.Document {
	if d == nil || len(keys) == 0 {
		return d
	}
	compare := inConfigOrder(keys)
	sorted := *d
	sorted.Features = slices.Clone(d.Features)
	slices.SortStableFunc(sorted.Features, func(a, b statistics.Feature) int { return compare(a.Key, b.Key) })
	return &sorted
}

// inConfigOrder compares keys of features by their places in the config; keys that it does not
// name come last.
func inConfigOrder(config []string) func(a, b string) int {
	places := make(map[string]int, len(config))
	for i, key := range config {
		places[key] = i - len(config)
	}
	return func(a, b string) int { return cmp.Compare(places[a], places[b]) }
}

func viewFeatures(p *Page, d *statistics.Document, f *found) featuresView {
	var v featuresView
	for i, s := range d.Splits[:min(len(d.Splits), maxSplits)] {
		v.Splits = append(v.Splits, splitView{Name: clean(s.Name, maxName), Color: color(i),
			Records: Grouped(s.Records)})
	}
	if len(d.Splits) > maxSplits {
		v.Note = "Of " + Grouped(int64(len(d.Splits))) + " splits the first " + strconv.Itoa(maxSplits) +
			" are shown here. "
	}
	if len(v.Splits) > 1 {
		v.Note += "Missing values are counted in all splits; distinct values, mean, and top value are of the first. " +
			"Drift is how far another split is from it at most: " +
			"the Jensen–Shannon divergence, from 0 to 1; small splits differ by chance. In a chart the first split " +
			"is filled, the others are outlines. "
	}
	isFull := fullFeatures(d, f)
	head := factsHead(d.Splits)
	places := make(map[string]int)
	full, lines := 0, 0
	for i := range d.Features {
		one := &d.Features[i]
		if isFull[i] {
			full++
		} else if lines++; lines > maxLines {
			continue
		}
		if row := viewFeature(p, one, i, isFull[i], head, f.of[one.Key]); isFull[i] {
			v.Rows = append(v.Rows, row)
		} else {
			v.Lines = append(v.Lines, row)
		}
		places[one.Key] = i
	}
	f.link(places)
	if lines > 0 {
		v.Note += "Of " + Grouped(int64(len(d.Features))) + " features " + Grouped(int64(full)) +
			" have charts: those with findings, and the first others. The rest is below."
	}
	if lines > maxLines {
		v.More = "and " + count(int64(lines-maxLines), "more feature") + ", which _tfr/statistics.json has"
	}
	return v
}

// fullFeatures chooses the features that are shown with charts: those with findings, then
// the first others.
func fullFeatures(d *statistics.Document, f *found) []bool {
	isFull, full := make([]bool, len(d.Features)), 0
	for _, flagged := range []bool{true, false} {
		for i := range d.Features {
			if full < maxFeatures && (f.of[d.Features[i].Key] > 0) == flagged {
				isFull[i] = true
				full++
			}
		}
	}
	return isFull
}

func viewFeature(p *Page, f *statistics.Feature, number int, isFull bool, head string, flags int) featureView {
	defer bug.Name(f.Key)
	v := featureView{Number: number, Key: clean(f.Key, maxName), Kind: string(f.Kind)}
	format := formatOf(f, p.Dates[f.Key])
	if format.isDate {
		v.Kind = "date"
	}
	if flags > 0 {
		v.Flags = count(int64(flags), "finding")
	}
	row := summaryOf(p, f, format)
	if !isFull {
		v.Cells = row.cells("")
		return v
	}
	d := &featureDetail{
		Tags: tags(f, p.Dates[f.Key]), Chart: chartOf(f, number, format), Facts: figuresOf(f, head, format),
	}
	d.TopsFirst = f.Kind == statistics.Text || f.Kind == statistics.Class
	if p.Values {
		d.viewTop(p.Statistics.Splits, f, format)
	}
	var spark template.HTML
	if d.TopsFirst && len(d.Top) > 0 {
		spark = sparkOf(f)
		if f.Kind == statistics.Class && len(f.Classes) <= maxTop { // the top values are all
			d.Chart.Plot = ""
		}
	} else {
		spark, d.Chart.InSpark = d.Chart.spark(), true
	}
	v.Cells, v.Detail = row.cells(spark), d
	return v
}

// A summary is the figures of the row of a feature.
type summary struct{ missing, distinct, typical, of, drift string }

func summaryOf(p *Page, f *statistics.Feature, format valueFormat) summary {
	s := summary{missing: none, distinct: none, typical: none}
	var missing, records int64
	for i := range f.Splits {
		missing, records = missing+f.Splits[i].Missing, records+f.Splits[i].Missing+f.Splits[i].Present
	}
	if records > 0 {
		s.missing = share(missing, records)
	}
	at := slices.IndexFunc(f.Splits, func(v statistics.Values) bool { return v.Count > 0 })
	if at < 0 {
		return s
	}
	first := &f.Splits[at]
	s.distinct = Grouped(min(first.Distinct, first.Count))
	if first.Estimated {
		s.distinct = "≈ " + s.distinct
	}
	s.typical, s.of = typical(f, first, p.Values, format)
	if drift, ok := driftOf(f, at); ok {
		s.drift = strconv.FormatFloat(drift, 'f', 2, 64)
	}
	return s
}

// cells returns the cells of the row as HTML. Only the typical value is one of the data.
func (s *summary) cells(spark template.HTML) template.HTML {
	text := "<td>" + s.missing + "<td>" + s.distinct + "<td><bdi>" + template.HTMLEscapeString(s.typical) + "</bdi>"
	if s.of != "" {
		text += " <i>" + s.of + "</i>"
	}
	return template.HTML(text+"<td>"+s.drift+"<td>") + spark
}

// typical is the mean or the top value of a feature, and what else there is to say of it.
func typical(f *statistics.Feature, v *statistics.Values, showsValues bool, format valueFormat) (text, of string) {
	switch {
	case f.Kind == statistics.Number && v.Numbers != nil && v.Numbers.Finite > 0:
		if v.Numbers.Min == v.Numbers.Max {
			return string(format.appendExact(nil, v.Numbers.Min)), ""
		}
		return string(format.appendRounded(nil, v.Numbers.Mean)), "± " +
			string(format.appendSpreadRounded(nil, v.Numbers.Deviation))
	case f.Kind == statistics.Image && v.Images != nil && v.Images.Width.Finite > 0:
		return ends(&v.Images.Width) + " × " + ends(&v.Images.Height), ""
	case len(v.Top) > 0 && (showsValues || f.Kind == statistics.Class) && v.Top[0].Count > 1:
		value := cleanEnds(v.Top[0].Value, 30, v.Top[0].Cut)
		if value == "" {
			value = "empty"
		}
		of := share(v.Top[0].Count, v.Count)
		if v.Missing > 0 {
			of += " of values"
		}
		return value, of
	case v.Sizes != nil && v.Sizes.Finite > 0:
		return size(int64(v.Sizes.Mean)), "mean length"
	}
	return none, ""
}

// ends are the smallest and the largest of numbers, or the only one.
func ends(n *statistics.Numbers) string {
	if n.Min == n.Max {
		return string(appendExact(nil, n.Min))
	}
	return string(appendExact(nil, n.Min)) + "–" + string(appendExact(nil, n.Max))
}

// median is the median of lengths.
func median(n *statistics.Numbers) string {
	if len(n.Quantiles) <= statistics.At50 || n.Min == n.Max {
		return string(appendExact(nil, n.Min))
	}
	return string(appendRounded(nil, n.Quantiles[statistics.At50]))
}

// driftOf returns the largest divergence of another split from the first one with values.
func driftOf(f *statistics.Feature, first int) (drift float64, ok bool) {
	for i := first + 1; i < len(f.Splits); i++ {
		if f.Splits[i].Count > 0 {
			drift, ok = max(drift, statistics.Divergence(f.Splits[first], f.Splits[i])), true
		}
	}
	return drift, ok
}

// tags say what kind of values a feature has, and how many. Dates have a unit; others have an
// empty one.
func tags(f *statistics.Feature, unit string) string {
	list := []string{string(f.List)}
	if _, isDate := unitsOf[unit]; isDate {
		list = append(list, unit+" since 1970")
	}
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
