package main

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"tfr-build/internal/plural"
	"tfr-build/statistics"
)

// defaultColumns is the width that is assumed if the output is not a terminal.
const defaultColumns = 100

// printStatistics prints splits and features with one line per split, at most columns wide:
//
//	island  int64_list, 3 classes
//	  train       ███▇▇▇▂▂▂   Biscoe 49 %, Dream 36 %, Torgersen 15 %
//	  validation  ███▅▅▅▂▂▂   Biscoe 55 %, Dream 31 %, Torgersen 14 %
func printStatistics(w io.Writer, d *statistics.Document, columns int) {
	printTable(w, columns, func(table io.Writer) {
		fmt.Fprintln(table, "split\trecords\tbytes\t")
		for _, s := range d.Splits {
			note := ""
			if s.Broken > 0 {
				note = fmt.Sprintf("%d of them cannot be read", s.Broken)
			}
			fmt.Fprintf(table, "%s\t%d\t%s\t%s\n", printable(s.Name), s.Records, bytesText(s.Bytes), note)
		}
	})
	for i := range d.Features {
		f := &d.Features[i]
		printTable(w, columns, func(table io.Writer) {
			fmt.Fprintf(table, "\n%s  %s\n", printable(f.Key), kindText(f))
			for at := range f.Splits {
				v := &f.Splits[at]
				fmt.Fprintf(table, "  %s\t%s\t%s\n", printable(d.Splits[at].Name), chart(chartCounts(v)),
					strings.Join(figures(f, v), "; "))
			}
		})
	}
}

// printTable prints the output of print as a table. Lines that are too long are truncated.
func printTable(w io.Writer, columns int, print func(table io.Writer)) {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	print(table)
	_ = table.Flush() // writes to memory
	for line := range strings.Lines(b.String()) {
		fmt.Fprintln(w, strings.TrimRight(truncateLine(strings.TrimSuffix(line, "\n"), columns), " "))
	}
}

// truncateLine returns a line in at most columns columns.
func truncateLine(line string, columns int) string {
	if utf8.RuneCountInString(line) <= columns {
		return line
	}
	n := 0
	for i := range line {
		if n++; n == columns {
			return line[:i] + "…"
		}
	}
	return line
}

// kindText returns words such as `int64_list, 3 classes`.
func kindText(f *statistics.Feature) string {
	text := cmp.Or(string(f.List), "no values") + ", "
	switch {
	case len(f.Classes) > 0:
		text += plural.Of(len(f.Classes), "class")
	case f.Kind == statistics.Number:
		text += "numbers"
	case f.Kind == statistics.Class:
		text += "classes"
	case f.Kind == statistics.Text:
		text += "strings"
	case f.Kind == statistics.Image:
		text += "images"
	default:
		text += "bytes"
	}
	if f.Steps {
		text += ", in steps"
	}
	return text
}

// blocks are the characters of a chart, in steps of an eighth of a line.
var blocks = []rune(" ▁▂▃▄▅▆▇█")

// chartColumns is the width of a chart.
const chartColumns = 20

// chart draws counts in at most chartColumns columns. A count that is not zero is visible.
func chart(counts []int64) string {
	each := (len(counts) + chartColumns - 1) / chartColumns
	var bars []int64
	for i, n := range counts {
		if i%max(each, 1) == 0 {
			bars = append(bars, 0)
		}
		bars[len(bars)-1] += n
	}
	highest := int64(0)
	for _, n := range bars {
		highest = max(highest, n)
	}
	var b strings.Builder
	for _, n := range bars {
		height := 0
		if n > 0 {
			height = max(1, int(float64(n)/float64(highest)*float64(len(blocks)-1)+0.5))
		}
		b.WriteRune(blocks[height])
	}
	return b.String()
}

// chartCounts returns the counts for a chart: of classes, or of the bins of numbers or sizes.
func chartCounts(v *statistics.Values) (counts []int64) {
	of := cmp.Or(v.Numbers, v.Sizes)
	switch {
	case v.ByClass != nil:
		return v.ByClass
	case of != nil:
		for _, b := range of.Histogram {
			counts = append(counts, b.Count)
		}
	}
	return counts
}

// figures returns facts about the values of a split, the most important ones first.
func figures(f *statistics.Feature, v *statistics.Values) (parts []string) {
	if v.Count == 0 {
		parts = append(parts, "no values")
	}
	switch {
	case len(v.Top) > 0 && f.Kind != statistics.Number:
		parts = append(parts, topText(v))
	case v.Numbers != nil && v.Numbers.Finite > 0:
		parts = append(parts, numbersText(v.Numbers))
	}
	if v.Images != nil && v.Images.Width.Finite > 0 {
		parts = append(parts, rangeText(&v.Images.Width)+" wide, "+rangeText(&v.Images.Height)+" high")
	}
	if s := v.Sizes; s != nil && s.Finite > 0 {
		parts = append(parts, rangeText(s)+" bytes")
	}
	if v.Distinct > 0 && f.Kind != statistics.Image && len(v.Top) < int(v.Distinct) {
		about := ""
		if v.Estimated {
			about = "about "
		}
		parts = append(parts, fmt.Sprintf("%s%d distinct", about, v.Distinct))
	}
	if v.Least != v.Most {
		parts = append(parts, fmt.Sprintf("%d to %d a record", v.Least, v.Most))
	} else if v.Most > 1 {
		parts = append(parts, fmt.Sprintf("%d a record", v.Most))
	}
	return append(parts, anomalies(v)...)
}

// rangeText returns `4 to 8`, or `4`.
func rangeText(n *statistics.Numbers) string {
	if n.Min == n.Max {
		return n.Min.String()
	}
	return n.Min.String() + " to " + n.Max.String()
}

// anomalies returns counts of values that may be wrong. Counts of zero are omitted.
func anomalies(v *statistics.Values) (parts []string) {
	add := func(n int64, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(v.Missing, "missing")
	add(v.Others, "in another list")
	add(v.Unknown, "of no class")
	add(v.Empty, "empty")
	add(v.NotUTF8, "not UTF-8")
	if n := v.Numbers; n != nil {
		add(n.NaN, "NaN")
		add(n.PosInf+n.NegInf, "infinite")
	}
	if v.Images != nil {
		add(v.Images.Unreadable, "unreadable")
	}
	return parts
}

// topText returns words such as `Biscoe 49 %, Dream 36 %`.
func topText(v *statistics.Values) string {
	const most = 6
	var parts []string
	for _, t := range v.Top[:min(len(v.Top), most)] {
		name := printable(t.Value)
		if t.Cut {
			name += "…"
		}
		parts = append(parts, name+" "+percent(t.Count, v.Count))
	}
	return strings.Join(parts, ", ")
}

func percent(n, of int64) string {
	share := 100 * float64(n) / float64(max(of, 1))
	if share > 0 && share < 1 {
		return "<1 %"
	}
	return strconv.FormatFloat(share, 'f', 0, 64) + " %"
}

// numbersText returns words such as `0.02 to 7.9, mean 3.1 ± 1.4`.
func numbersText(n *statistics.Numbers) string {
	short := func(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
	bound := func(text string) string {
		if x, err := strconv.ParseFloat(text, 64); err == nil && len(text) > 10 {
			return short(x)
		}
		return text
	}
	return fmt.Sprintf("%s to %s, mean %s ± %s", bound(n.Min.String()), bound(n.Max.String()), short(n.Mean),
		short(n.Deviation))
}
