package checks

import (
	"math"
	"slices"
	"strconv"

	"tfr-build/message"
	"tfr-build/statistics"
)

// A feature is unusual beyond these limits, over all splits.
const (
	unusualMissing   = 0.5  // share of the records without a value
	unusualZeros     = 0.9  // share of the values that are 0
	unusualImbalance = 20   // values of the largest class per value of the smallest
	unusualGap       = 0.3  // distance of a value from all others, relative to their range
	unusualFar       = 0.25 // maximum share of values that are far from all others
	unusualDistinct  = 10   // minimum number of distinct values; fewer may be codes
	unusualCopies    = 0.5  // distinct images, as a share of all
	unusualSkew      = 10   // ratio of the distances of the 99% and the 1% quantile from the median
	maxID            = 64   // bytes of an identifier
	unusualSample    = 100  // minimum number of values or records
)

// remarkUnusual finds features from which a model may learn something unintended.
func remarkUnusual(l *list, doc *statistics.Document, f *statistics.Feature) {
	var missing, records, values, zeros int64
	for i := range f.Splits {
		v := &f.Splits[i]
		missing, records, values = missing+v.Missing, records+v.Present+v.Missing, values+v.Count
		if v.Numbers != nil {
			zeros += v.Numbers.Zeros
		}
	}
	if records >= unusualSample && missing < records && float64(missing) > unusualMissing*float64(records) {
		l.add(Finding{
			Check: "missing", Feature: f.Key, Found: percent(missing, records),
			Limit: "at most " + digits(100*unusualMissing) + "%",
			Text:  quote(f.Key) + ": missing in " + percent(missing, records) + " of the records",
		})
	}
	isNumber := f.Kind == statistics.Number
	if isNumber && values >= unusualSample && zeros < values && float64(zeros) > unusualZeros*float64(values) {
		l.add(Finding{
			Check: "zeros", Feature: f.Key, Found: percent(zeros, values),
			Limit: "at most " + digits(100*unusualZeros) + "%",
			Text:  quote(f.Key) + ": " + percent(zeros, values) + " of the values are 0",
		})
	}
	if isNumber && f.List == message.Int64List || f.Kind == statistics.Text {
		remarkIdentifier(l, f)
	}
	if isNumber && !remarkOutliers(l, doc, f) { // quantiles say nothing about such numbers
		remarkSkew(l, f)
	}
	remarkEmpty(l, f)
	if f.Kind == statistics.Image {
		remarkImageSize(l, f)
		remarkCopies(l, doc, f)
	}
}

// remarkEmpty finds a feature that records have, but always without a value or with an empty
// string.
func remarkEmpty(l *list, f *statistics.Feature) {
	var present, values, empty int64
	for i := range f.Splits {
		v := &f.Splits[i]
		present, values, empty = present+v.Present, values+v.Count, empty+v.Empty
	}
	switch {
	case present == 0:
	case values == 0:
		l.add(Finding{Check: "empty", Feature: f.Key, Found: "0 values", Limit: "some value",
			Text: quote(f.Key) + ": no value in any record"})
	case values == empty:
		l.add(Finding{Check: "empty", Feature: f.Key, Found: "0 bytes", Limit: "some value",
			Text: quote(f.Key) + ": an empty string in every record"})
	}
}

// remarkSkew finds a tail of numbers that is much longer than the other one. It reports the first
// such split.
func remarkSkew(l *list, f *statistics.Feature) {
	for i := range f.Splits {
		v := &f.Splits[i]
		if v.Numbers == nil || v.Count < unusualSample || len(v.Numbers.Quantiles) != len(statistics.QuantileShares) {
			continue
		}
		q := v.Numbers.Quantiles
		below, above := q[statistics.At50]-q[statistics.At1], q[statistics.At99]-q[statistics.At50]
		if !(below > 0 && above > 0 && max(above/below, below/above) > unusualSkew) {
			continue
		}
		l.add(Finding{
			Check: "skew", Feature: f.Key, Found: digits(max(above/below, below/above)) + " : 1",
			Limit: "at most " + digits(unusualSkew) + " : 1",
			Text: quote(f.Key) + ": a long tail: the median is " + digits(q[statistics.At50]) +
				", the quantiles of 1% and 99% are " + digits(q[statistics.At1]) + " and " + digits(q[statistics.At99]),
		})
		return
	}
}

// remarkImageSize finds images of the same size.
func remarkImageSize(l *list, f *statistics.Feature) {
	images, width, height, one := f.ImageSize()
	if !one || images < unusualSample {
		return
	}
	size := string(width) + " × " + string(height)
	l.add(Finding{Check: "image.size", Feature: f.Key, Found: size, Limit: "several sizes",
		Text: quote(f.Key) + ": all images are " + size + " pixels"})
}

// remarkIdentifier finds a feature with another value in every record. Two signs are enough for a
// split whose values are too many to count. No value of the sample repeats, and the estimate of
// distinct values is within its error of the number of values.
func remarkIdentifier(l *list, f *statistics.Feature) {
	var values int64
	all := "all"
	for i := range f.Splits {
		v := &f.Splits[i]
		switch {
		case v.Most > 1 || v.Sizes != nil && !areSizesOfIDs(v.Sizes):
			return
		case !v.Estimated && v.Distinct == v.Count:
		case v.Estimated && len(v.Top) == 0 && v.Distinct >= v.Count-v.Count/25:
			all = "nearly all"
		default:
			return
		}
		values += v.Count
	}
	if values >= unusualSample {
		l.add(Finding{
			Check: "identifier", Feature: f.Key, Found: counted(values, "value"), Limit: "values that repeat",
			Text: quote(f.Key) + ": " + counted(values, "value") + " that " + all + " differ",
		})
	}
}

// areSizesOfIDs reports whether strings are short and of similar length, like identifiers.
func areSizesOfIDs(n *statistics.Numbers) bool {
	longest, err := n.Max.Float64()
	return err == nil && longest <= maxID && n.Deviation <= n.Mean/4
}

// remarkOutliers finds a few numbers below or above all others, such as -1 or 9999 for missing values.
// It reports whether a split has some.
func remarkOutliers(l *list, doc *statistics.Document, f *statistics.Feature) (some bool) {
	for i := range f.Splits {
		if n, value := outlierValues(&f.Splits[i]); n > 0 {
			some = true
			l.add(Finding{
				Check: "far", Feature: f.Key, Split: doc.Splits[i].Name, Found: counted(n, "value"),
				Limit: "no gap to the others",
				Text: in(f.Key, doc.Splits[i].Name) + ": " + counted(n, "value") + " at " + value +
					", far from all others",
			})
		}
	}
	return some
}

// outlierValues returns the number of values that are far from all others, at the smallest or the
// largest value of a split.
func outlierValues(v *statistics.Values) (n int64, value string) {
	if v.Numbers == nil || v.Count < unusualSample || len(v.Numbers.Histogram) < 2 {
		return 0, ""
	}
	h := v.Numbers.Histogram
	for _, end := range []struct {
		bin   *statistics.Bin
		value string
	}{{&h[0], string(v.Numbers.Min)}, {&h[len(h)-1], string(v.Numbers.Max)}} {
		if v.Distinct < unusualDistinct && !isBelowZero(h, end.bin) { // few numbers may be codes
			continue
		}
		if n := end.bin.Count; n > 1 && float64(n) <= unusualFar*float64(v.Count) && !end.bin.Open &&
			isOutlierBin(h, end.bin) {
			return n, end.value
		}
	}
	return 0, ""
}

// remarkCopies finds images that occur many times.
func remarkCopies(l *list, doc *statistics.Document, f *statistics.Feature) {
	for i := range f.Splits {
		v := &f.Splits[i]
		if v.Count < unusualSample || v.Distinct == 0 || float64(v.Distinct) > unusualCopies*float64(v.Count) {
			continue
		}
		found := counted(v.Distinct, "different image")
		if v.Estimated {
			found = "about " + found
		}
		l.add(Finding{
			Check: "duplicates", Feature: f.Key, Split: doc.Splits[i].Name, Found: found,
			Limit: "more than " + digits(100*unusualCopies) + "% that differ",
			Text:  in(f.Key, doc.Splits[i].Name) + ": " + found + " among " + strconv.FormatInt(v.Count, 10),
		})
	}
}

// isOutlierBin reports whether a bin at an end of a histogram has a gap to all others.
func isOutlierBin(h []statistics.Bin, end *statistics.Bin) bool {
	low, high := math.Inf(1), math.Inf(-1) // of the other values
	for i := range h {
		if bin := &h[i]; bin != end && bin.Count > 0 {
			low, high = min(low, bin.Low), max(high, bin.High)
		}
	}
	return high > low && max(low-end.High, end.Low-high) > unusualGap*(high-low)
}

// isBelowZero reports whether numbers below zero are only in the bin at that end of a histogram.
func isBelowZero(h []statistics.Bin, end *statistics.Bin) bool {
	return end == &h[0] && end.Low < 0 && !slices.ContainsFunc(h[1:],
		func(b statistics.Bin) bool { return b.Count > 0 && b.Low < 0 })
}

// remarkBalance finds a class with many times the values of another class.
func remarkBalance(l *list, b *classBalance) {
	totals, values := make([]int64, len(b.names)), int64(0)
	for _, counts := range b.counts {
		for i, n := range counts {
			totals[i] += n
			values += n
		}
	}
	most, least := -1, -1
	for i, n := range totals {
		if most < 0 || n > totals[most] {
			most = i
		}
		if n > 0 && (least < 0 || n < totals[least]) {
			least = i
		}
	}
	if values < unusualSample || least < 0 || totals[most] <= unusualImbalance*totals[least] {
		return
	}
	ratio := digits(float64(totals[most])/float64(totals[least])) + " : 1"
	l.add(Finding{
		Check: "classes.imbalance", Feature: b.Key, Found: ratio, Limit: "at most " + digits(unusualImbalance) + " : 1",
		Text: quote(b.Key) + ": " + quote(b.names[most]) + " has " + strconv.FormatInt(totals[most], 10) + " values, " +
			quote(b.names[least]) + " has " + strconv.FormatInt(totals[least], 10),
	})
}
