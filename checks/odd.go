package checks

import (
	"math"
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
	oddSample    = 100  // values or records, below which nothing is odd
)

// remarkOdd is about a feature from which a model may learn something else than is meant.
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
			Check: "missing", Feature: f.Key, Found: percent(missing, records), Limit: digits(100*oddMissing) + " %",
			Text: quote(f.Key) + ": missing in " + percent(missing, records) + " of the records; is it worth a feature?",
		})
	}
	isNumber := f.Kind == statistics.Number
	if isNumber && values >= oddSample && zeros < values && float64(zeros) > oddZeros*float64(values) {
		l.add(Finding{
			Check: "zeros", Feature: f.Key, Found: percent(zeros, values), Limit: digits(100*oddZeros) + " %",
			Text: quote(f.Key) + ": " + percent(zeros, values) + " of the values are 0; if 0 means missing, set null_values",
		})
	}
	if isNumber && f.List == message.Int64List || f.Kind == statistics.Text {
		remarkIdentifier(l, f)
	}
	if isNumber {
		remarkFar(l, f)
	}
}

// remarkIdentifier is about a feature that has another value in every record.
func remarkIdentifier(l *list, f *statistics.Feature) {
	var values int64
	for i := range f.Splits {
		v := &f.Splits[i]
		if v.Estimated || v.Distinct != v.Count || v.Most > 1 {
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
// values, in the first split that has one.
func remarkFar(l *list, f *statistics.Feature) {
	for i := range f.Splits {
		v := &f.Splits[i]
		if v.Numbers == nil || v.Count < oddSample {
			continue
		}
		for _, top := range v.Top {
			isEnd := top.Value == string(v.Numbers.Min) || top.Value == string(v.Numbers.Max)
			if isEnd && top.Count > 1 && float64(top.Count) <= oddFar*float64(v.Count) && isFar(v.Numbers, &top) {
				l.add(Finding{
					Check: "far", Feature: f.Key, Found: top.Value, Limit: "near the others",
					Text: quote(f.Key) + ": " + top.Value + " is far from all other values, in " + counted(top.Count, "value") +
						"; if it means missing, set null_values and missing",
				})
				return
			}
		}
	}
}

// isFar reports whether a value at an end of the range has a bin of the histogram alone,
// with a gap to the other values.
func isFar(n *statistics.Numbers, value *statistics.Top) bool {
	at, err := strconv.ParseFloat(value.Value, 64)
	if err != nil {
		return false
	}
	low, high, isAlone := math.Inf(1), math.Inf(-1), false // of the other values
	for _, bin := range n.Histogram {
		switch {
		case bin.Count == 0:
		case !isAlone && bin.Low <= at && at <= bin.High && bin.Count == value.Count:
			isAlone = true
		default:
			low, high = min(low, bin.Low), max(high, bin.High)
		}
	}
	return isAlone && high > low && max(low-at, at-high) > oddGap*(high-low)
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
		Check: "classes.imbalance", Feature: b.Key, Found: ratio, Limit: digits(oddImbalance) + " : 1",
		Text: quote(b.Key) + ": " + quote(b.names[most]) + " has " + strconv.FormatInt(totals[most], 10) + " values, " +
			quote(b.names[least]) + " has " + strconv.FormatInt(totals[least], 10) + "; weigh the classes, or sample them",
	})
}
