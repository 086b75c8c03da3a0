package main

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"tfr-build/statistics"
)

// usualColumns are those of what does not say how wide it is.
const usualColumns = 100

// printStatistics prints splits and features, a line a split, no wider than columns:
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
				fmt.Fprintf(table, "  %s\t%s\t%s\n", printable(d.Splits[at].Name), chart(chartCounts(v)), strings.Join(figures(f, v), "; "))
			}
		})
	}
}

// printTable prints what print writes, in columns. Lines that are too long are cut.
func printTable(w io.Writer, columns int, print func(table io.Writer)) {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	print(table)
	_ = table.Flush() // to memory
	for line := range strings.Lines(b.String()) {
		fmt.Fprintln(w, strings.TrimRight(fitting(strings.TrimSuffix(line, "\n"), columns), " "))
	}
}

// fitting is as much of a line as so many columns hold.
func fitting(line string, columns int) string {
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

// kindText is `int64_list, 3 classes`.
func kindText(f *statistics.Feature) string {
	text := cmp.Or(string(f.List), "no values") + ", "
	switch {
	case len(f.Classes) > 0:
		text += classesText(len(f.Classes))
	case f.Kind == statistics.Number:
		text += "numbers"
	case f.Kind == statistics.Class:
		text += "classes"
	case f.Kind == statistics.Text:
		text += "texts"
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

// classesText is `3 classes`.
func classesText(n int) string {
	if n == 1 {
		return "1 class"
	}
	return fmt.Sprintf("%d classes", n)
}

// The blocks of a chart: eighths of a line.
var blocks = []rune(" ▁▂▃▄▅▆▇█")

// chartColumns is how wide a chart is.
const chartColumns = 20

// chart draws counts, so many at most. What is not nothing is seen.
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

// chartCounts are what a chart is drawn of: classes, or the bins of numbers or sizes.
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

// figures are what is said of the values of a split, what matters most first.
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
		parts = append(parts, span(&v.Images.Width)+" wide, "+span(&v.Images.Height)+" high")
	}
	if s := v.Sizes; s != nil && s.Finite > 0 {
		parts = append(parts, span(s)+" bytes")
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
	return append(parts, odd(v)...)
}

// span is `4 to 8`, or `4`.
func span(n *statistics.Numbers) string {
	if n.Min == n.Max {
		return n.Min.String()
	}
	return n.Min.String() + " to " + n.Max.String()
}

// odd are counts that are 0 where all is well.
func odd(v *statistics.Values) (parts []string) {
	tell := func(n int64, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	tell(v.Missing, "missing")
	tell(v.Others, "in another list")
	tell(v.Unknown, "of no class")
	tell(v.Empty, "empty")
	tell(v.NotUTF8, "not UTF-8")
	if n := v.Numbers; n != nil {
		tell(n.NaN, "NaN")
		tell(n.PosInf+n.NegInf, "infinite")
	}
	if v.Images != nil {
		tell(v.Images.Unreadable, "unreadable")
	}
	return parts
}

// topText is `Biscoe 49 %, Dream 36 %`.
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

// numbersText is `0.02 to 7.9, mean 3.1 ± 1.4`.
func numbersText(n *statistics.Numbers) string {
	short := func(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }
	bound := func(text string) string {
		if x, err := strconv.ParseFloat(text, 64); err == nil && len(text) > 10 {
			return short(x)
		}
		return text
	}
	return fmt.Sprintf("%s to %s, mean %s ± %s", bound(n.Min.String()), bound(n.Max.String()), short(n.Mean), short(n.Deviation))
}
