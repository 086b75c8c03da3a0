package checks

import (
	"math"
	"slices"
	"strconv"

	"tfr-build/message"
	"tfr-build/statistics"
)

// The limits of what is odd in a feature, over all splits.
const (
	oddMissing   = 0.5  // share of the records without a value
	oddZeros     = 0.9  // share of the values that are 0
	oddImbalance = 20   // values of the largest class for each value of the smallest
	oddGap       = 0.3  // distance of a value from all others, as a share of their range
	oddFar       = 0.25 // share of the values that such a value may have
	oddDistinct  = 10   // different values, below which numbers may be codes
	oddCopies    = 0.5  // different images, as a share of all
	oddSkew      = 10   // distance of the 99% quantile from the median / distance of the 1% quantile
	maxID        = 64   // bytes of an identifier
	oddSample    = 100  // values or records, below which nothing is odd
)

// remarkOdd is about a feature from which a model may learn something else than is meant.
func remarkOdd(l *list, doc *statistics.Document, f *statistics.Feature) {
	var missing, records, values, zeros int64
	for i := range f.Splits {
		v := &f.Splits[i]
		missing, records, values = missing+v.Missing, records+v.Present+v.Missing, values+v.Count
		if v.Numbers != nil {
			zeros += v.Numbers.Zeros
		}
	}
	if records >= oddSample && missing < records && float64(missing) > oddMissing*float64(records) {
		l.add(Finding{
			Check: "missing", Feature: f.Key, Found: percent(missing, records), Limit: "at most " + digits(100*oddMissing) + "%",
			Text: quote(f.Key) + ": missing in " + percent(missing, records) + " of the records",
		})
	}
	isNumber := f.Kind == statistics.Number
	if isNumber && values >= oddSample && zeros < values && float64(zeros) > oddZeros*float64(values) {
		l.add(Finding{
			Check: "zeros", Feature: f.Key, Found: percent(zeros, values), Limit: "at most " + digits(100*oddZeros) + "%",
			Text: quote(f.Key) + ": " + percent(zeros, values) + " of the values are 0",
		})
	}
	if isNumber && f.List == message.Int64List || f.Kind == statistics.Text {
		remarkIdentifier(l, f)
	}
	if isNumber && !remarkFar(l, doc, f) { // of which quantiles tell nothing
		remarkSkew(l, f)
	}
	remarkEmpty(l, f)
	if f.Kind == statistics.Image {
		remarkImageSize(l, f)
		remarkCopies(l, doc, f)
	}
}

// remarkEmpty is about a feature that records have, but without a value or with an empty
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
		l.add(Finding{Check: "empty", Feature: f.Key, Found: "0 values", Limit: "some value", Text: quote(f.Key) + ": no value in any record"})
	case values == empty:
		l.add(Finding{Check: "empty", Feature: f.Key, Found: "0 bytes", Limit: "some value", Text: quote(f.Key) + ": an empty string in every record"})
	}
}

// remarkSkew is about a tail of numbers that is much longer than the other one, in the first
// split that has one.
func remarkSkew(l *list, f *statistics.Feature) {
	for i := range f.Splits {
		v := &f.Splits[i]
		if v.Numbers == nil || v.Count < oddSample || len(v.Numbers.Quantiles) != len(statistics.QuantileShares) {
			continue
		}
		q := v.Numbers.Quantiles
		below, above := q[statistics.At50]-q[statistics.At1], q[statistics.At99]-q[statistics.At50]
		if !(below > 0 && above > 0 && max(above/below, below/above) > oddSkew) {
			continue
		}
		l.add(Finding{
			Check: "skew", Feature: f.Key, Found: digits(max(above/below, below/above)) + " : 1", Limit: "at most " + digits(oddSkew) + " : 1",
			Text: quote(f.Key) + ": a long tail: the median is " + digits(q[statistics.At50]) + ", the quantiles of 1% and 99% are " + digits(q[statistics.At1]) + " and " + digits(q[statistics.At99]),
		})
		return
	}
}

// remarkImageSize is about images that all have one size.
func remarkImageSize(l *list, f *statistics.Feature) {
	images, width, height, one := f.ImageSize()
	if !one || images < oddSample {
		return
	}
	size := string(width) + " × " + string(height)
	l.add(Finding{Check: "image.size", Feature: f.Key, Found: size, Limit: "several sizes", Text: quote(f.Key) + ": all images are " + size + " pixels"})
}

// remarkIdentifier is about a feature that has another value in every record, as far as that
// is known: of many values a sample has none twice, and the estimate of distinct ones is as
// near to their number as it can be.
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
	if values >= oddSample {
		l.add(Finding{
			Check: "identifier", Feature: f.Key, Found: counted(values, "value"), Limit: "values that repeat",
			Text: quote(f.Key) + ": " + counted(values, "value") + " that " + all + " differ",
		})
	}
}

// areSizesOfIDs reports whether strings are short and about equally long, as identifiers are.
func areSizesOfIDs(n *statistics.Numbers) bool {
	longest, err := n.Max.Float64()
	return err == nil && longest <= maxID && n.Deviation <= n.Mean/4
}

// remarkFar is about a few numbers below or above all others, such as -1 or 9999 for missing
// values. It reports whether a split has some.
func remarkFar(l *list, doc *statistics.Document, f *statistics.Feature) (some bool) {
	for i := range f.Splits {
		if n, value := farValues(&f.Splits[i]); n > 0 {
			some = true
			l.add(Finding{
				Check: "far", Feature: f.Key, Split: doc.Splits[i].Name, Found: counted(n, "value"), Limit: "no gap to the others",
				Text: in(f.Key, doc.Splits[i].Name) + ": " + counted(n, "value") + " at " + value + ", far from all others",
			})
		}
	}
	return some
}

// farValues are how many values of a split are far from all others, at its smallest or its
// largest one.
func farValues(v *statistics.Values) (n int64, value string) {
	if v.Numbers == nil || v.Count < oddSample || len(v.Numbers.Histogram) < 2 {
		return 0, ""
	}
	h := v.Numbers.Histogram
	for _, end := range []struct {
		bin   *statistics.Bin
		value string
	}{{&h[0], string(v.Numbers.Min)}, {&h[len(h)-1], string(v.Numbers.Max)}} {
		if v.Distinct < oddDistinct && !isBelowZero(h, end.bin) { // few numbers may be codes
			continue
		}
		if n := end.bin.Count; n > 1 && float64(n) <= oddFar*float64(v.Count) && !end.bin.Open && isFar(h, end.bin) {
			return n, end.value
		}
	}
	return 0, ""
}

// remarkCopies is about images that occur many times.
func remarkCopies(l *list, doc *statistics.Document, f *statistics.Feature) {
	for i := range f.Splits {
		v := &f.Splits[i]
		if v.Count < oddSample || v.Distinct == 0 || float64(v.Distinct) > oddCopies*float64(v.Count) {
			continue
		}
		found := counted(v.Distinct, "different image")
		if v.Estimated {
			found = "about " + found
		}
		l.add(Finding{
			Check: "duplicates", Feature: f.Key, Split: doc.Splits[i].Name, Found: found, Limit: "more than " + digits(100*oddCopies) + "% that differ",
			Text: in(f.Key, doc.Splits[i].Name) + ": " + found + " among " + strconv.FormatInt(v.Count, 10),
		})
	}
}

// isFar reports whether a bin at an end of a histogram has a gap to all others.
func isFar(h []statistics.Bin, end *statistics.Bin) bool {
	low, high := math.Inf(1), math.Inf(-1) // of the other values
	for i := range h {
		if bin := &h[i]; bin != end && bin.Count > 0 {
			low, high = min(low, bin.Low), max(high, bin.High)
		}
	}
	return high > low && max(low-end.High, end.Low-high) > oddGap*(high-low)
}

// isBelowZero reports whether only one end of a histogram has numbers below zero.
func isBelowZero(h []statistics.Bin, end *statistics.Bin) bool {
	return end == &h[0] && end.Low < 0 && !slices.ContainsFunc(h[1:], func(b statistics.Bin) bool { return b.Count > 0 && b.Low < 0 })
}

// remarkBalance is about classes of which one has many times the values of another.
func remarkBalance(l *list, b *balance) {
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
	if values < oddSample || least < 0 || totals[most] <= oddImbalance*totals[least] {
		return
	}
	ratio := digits(float64(totals[most])/float64(totals[least])) + " : 1"
	l.add(Finding{
		Check: "classes.imbalance", Feature: b.Key, Found: ratio, Limit: "at most " + digits(oddImbalance) + " : 1",
		Text: quote(b.Key) + ": " + quote(b.names[most]) + " has " + strconv.FormatInt(totals[most], 10) + " values, " +
			quote(b.names[least]) + " has " + strconv.FormatInt(totals[least], 10),
	})
}
