package checks

import (
	"math"
	"strconv"

	"tfr-build/statistics"
)

// What is odd in a feature, over all splits. A data set of fewer values says too little.
const (
	oddMissing   = 0.5  // a larger share of records without a value
	oddZeros     = 0.9  // a larger share of zeros
	oddImbalance = 20   // the largest class has more than so many times the values of the smallest
	oddGap       = 0.3  // a value is farther from all others than this share of their range
	oddFar       = 0.25 // and it is at most this share of the values
	oddSample    = 100  // values
)

// remarkOdd is about a feature whose values may not be what a model is to learn from.
func remarkOdd(l *list, f *statistics.Feature) {
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
			Check: "missing", Feature: f.Key, Found: percent(missing, records), Limit: "50 %",
			Text: quote(f.Key) + ": missing in " + percent(missing, records) + " of the records; is it worth a feature?",
		})
	}
	if f.Kind == statistics.Number && values >= oddSample && zeros < values && float64(zeros) > oddZeros*float64(values) {
		l.add(Finding{
			Check: "zeros", Feature: f.Key, Found: percent(zeros, values), Limit: "90 %",
			Text: quote(f.Key) + ": " + percent(zeros, values) + " of the values are 0; if 0 stands for a missing value, set null_values",
		})
	}
	remarkIdentifier(l, f)
	if f.Kind == statistics.Number {
		remarkFar(l, f)
	}
}

// remarkIdentifier is about a feature that has another value in every record, of a kind
// that names things.
func remarkIdentifier(l *list, f *statistics.Feature) {
	var values int64
	for i := range f.Splits {
		v := &f.Splits[i]
		isWhole := v.Numbers == nil || f.List == "int64_list"
		if v.Estimated || v.Distinct != v.Count || v.Most > 1 || !isWhole || f.Kind != statistics.Number && f.Kind != statistics.Text {
			return
		}
		values += v.Count
	}
	if values >= oddSample {
		l.add(Finding{
			Check: "distinct", Feature: f.Key, Found: counted(values, "value"), Limit: "some twice",
			Text: quote(f.Key) + ": another value in every record; a model learns nothing from an identifier",
		})
	}
}

// remarkFar is about one value below or above all others, such as -1 or 9999 for missing
// values. It is known where it is alone in the first or the last bins of the histogram.
func remarkFar(l *list, f *statistics.Feature) {
	for i := range f.Splits {
		v := &f.Splits[i]
		if v.Numbers == nil || v.Count < oddSample || len(v.Numbers.Histogram) < 3 {
			continue
		}
		for _, end := range []string{string(v.Numbers.Min), string(v.Numbers.Max)} {
			count := int64(0)
			for _, top := range v.Top {
				if top.Value == end {
					count = top.Count
				}
			}
			if count > 1 && float64(count) <= oddFar*float64(v.Count) && isFar(v.Numbers, end, count) {
				l.add(Finding{
					Check: "far", Feature: f.Key, Found: end, Limit: "near the others",
					Text: quote(f.Key) + ": " + end + " is far from all other values, in " + counted(count, "value") +
						"; if it stands for a missing value, set null_values and missing",
				})
				return
			}
		}
	}
}

// isFar reports whether the values that equal an end of the range are alone there, with
// a gap to the others.
func isFar(n *statistics.Numbers, end string, count int64) bool {
	at, err := strconv.ParseFloat(end, 64)
	if err != nil {
		return false
	}
	low, high, alone := math.Inf(1), math.Inf(-1), int64(0) // of the other values, and the value's bin
	for _, bin := range n.Histogram {
		switch {
		case bin.Count == 0:
		case bin.Low <= at && at <= bin.High && alone == 0 && bin.Count == count:
			alone = bin.Count
		default:
			low, high = min(low, bin.Low), max(high, bin.High)
		}
	}
	gap := max(low-at, at-high)
	return alone == count && high > low && gap > oddGap*(high-low)
}

// remarkBalance is about classes of which one has many more values than another.
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
		Check: "classes.imbalance", Feature: b.Key, Found: ratio, Limit: "20 : 1",
		Text: quote(b.Key) + ": " + quote(b.names[most]) + " has " + strconv.FormatInt(totals[most], 10) + " values, " +
			quote(b.names[least]) + " has " + strconv.FormatInt(totals[least], 10) + "; weigh the classes, or sample them",
	})
}
