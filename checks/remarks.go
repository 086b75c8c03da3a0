package checks

import (
	"math"

	"tfr-build/statistics"
)

// Remarks returns unusual properties of a dataset, independent of its config. They are not
// failures. Subjects of findings are skipped.
//
//	missing                in all records, in most, or much more often than in the first split
//	zeros                  most values are 0
//	identifier             another value in every record
//	empty                  no value or an empty string in every record
//	skew                   one tail much longer than the other
//	image.size             all images have one size
//	far                    one value far from all others
//	duplicates             an image in many records
//	classes.imbalance      a class with many times the values of another
//	constant               one value in every record
//	finite                 NaN and infinities
//	split_skew             above 0.1, in addition to chance
//	classes.empty          a class without rows
//	classes.in_every_split classes that are not in the first split
func Remarks(doc *statistics.Document, findings []Finding) []Finding {
	l := &list{reported: map[subject]bool{}}
	for i := range findings {
		l.reported[findings[i].subject()] = true
		// A remark about all splits would repeat a finding about one of them.
		l.reported[subject{check: findings[i].Check, feature: findings[i].Feature}] = true
	}
	for i := range doc.Features {
		remarkValues(l, doc, &doc.Features[i])
		remarkUnusual(l, doc, &doc.Features[i])
	}
	checkSplitSkew(l, doc, minRemarkedSkew)
	for _, b := range classBalances(doc, "") {
		checkEmptyClasses(l, &b)
		remarkBalance(l, &b)
		if len(doc.Splits) > 1 && doc.Splits[0].Records > 0 {
			checkMissingClasses(l, &b, 0, doc.Splits[0].Name)
		}
	}
	return l.complete()
}

// Remarks are about divergences, and differences between shares of missing values, above these.
const minRemarkedSkew, minRemarkedMissing = 0.1, 0.05

func remarkValues(l *list, doc *statistics.Document, f *statistics.Feature) {
	switch {
	case isMissing(f):
		l.add(Finding{Check: "missing", Feature: f.Key, Found: "100 %", Limit: "some value",
			Text: quote(f.Key) + ": missing in all records"})
		return
	case isConstant(f):
		l.add(Finding{Check: "constant", Feature: f.Key, Found: "one value", Limit: "more than one",
			Text: quote(f.Key) + ": one value in every record"})
	}
	for i := range f.Splits {
		if n := f.Splits[i].Numbers; n != nil && notFinite(n) > 0 {
			l.add(Finding{
				Check: "finite", Feature: f.Key, Split: doc.Splits[i].Name, Found: counted(notFinite(n), "value"),
				Limit: "finite",
				Text:  in(f.Key, doc.Splits[i].Name) + ": " + notFiniteText(n, f.Splits[i].Count),
			})
		}
	}
	for i := 1; i < len(f.Splits); i++ {
		remarkMissing(l, doc, f, i)
	}
}

// isMissing reports whether no record has the feature.
func isMissing(f *statistics.Feature) bool {
	missing := int64(0)
	for i := range f.Splits {
		if f.Splits[i].Present > 0 {
			return false
		}
		missing += f.Splits[i].Missing
	}
	return missing > 0
}

// isConstant reports whether every record has the feature and all values are known to be equal.
func isConstant(f *statistics.Feature) bool {
	var first *statistics.Values
	count := int64(0)
	for i := range f.Splits {
		v := &f.Splits[i]
		switch {
		case v.Count == 0 && v.Missing == 0:
			continue
		case v.Missing > 0 || v.Distinct != 1 || v.Estimated:
			return false
		case first != nil && !isSameValue(first, v):
			return false
		}
		first, count = v, count+v.Count
	}
	return count > 1
}

// isSameValue reports whether the only values of two splits are known to be equal.
func isSameValue(a, b *statistics.Values) bool {
	switch {
	case a.Numbers != nil && b.Numbers != nil:
		return a.Numbers.Finite > 0 && b.Numbers.Finite > 0 && a.Numbers.Min == b.Numbers.Min
	case len(a.Top) == 1 && len(b.Top) == 1:
		return !a.Top[0].Cut && !b.Top[0].Cut && a.Top[0].Value == b.Top[0].Value
	}
	return false
}

// remarkMissing compares the share of records without a feature in a split with that in the first
// split. It adds a finding if the shares differ by more than 5 percentage points plus three
// standard deviations. These are of the difference of two samples with the same share.
func remarkMissing(l *list, doc *statistics.Document, f *statistics.Feature, split int) {
	a, b := &f.Splits[0], &f.Splits[split]
	n, m := a.Present+a.Missing, b.Present+b.Missing
	if n < minSample || m < minSample {
		return
	}
	share := float64(a.Missing+b.Missing) / float64(n+m)
	deviation := math.Sqrt(float64(share * (1 - share) * (1/float64(n) + 1/float64(m))))
	difference := float64(b.Missing)/float64(m) - float64(a.Missing)/float64(n)
	if math.Abs(difference) <= minRemarkedMissing+float64(3*deviation) {
		return
	}
	name, first := doc.Splits[split].Name, doc.Splits[0].Name
	own, other := percent(b.Missing, m), percent(a.Missing, n)
	l.add(Finding{
		Check: "missing", Feature: f.Key, Split: name, Found: own, Limit: "about " + other,
		Text: in(f.Key, name) + ": missing in " + own + " of the records, and in " + other + " of those in " +
			quote(first),
	})
}
