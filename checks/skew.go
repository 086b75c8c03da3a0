package checks

import (
	"strconv"

	"tfr-build/statistics"
)

// minSample is the minimum number of values in a split that is compared with another one.
const minSample = 10

// A skew is the difference between the values of a feature in a split and in the first split.
type skew struct {
	divergence float64
	chance     float64 // the divergence that two samples of the same distribution rarely exceed
	buckets    int
	first, n   int64  // sample sizes of the first split and of this split
	what       string // name of the buckets
}

// skewOf compares a split with the first one. ok is false if there are too few values, or fewer
// than two buckets with values.
func skewOf(f *statistics.Feature, split int) (s skew, ok bool) {
	a, b := &f.Splits[0], &f.Splits[split]
	first, other, what := statistics.Common(a, b)
	s = skew{first: sampleSize(a, first), n: sampleSize(b, other), what: what}
	if s.first < minSample || s.n < minSample {
		return s, false
	}
	for i := range first {
		if first[i] > 0 || other[i] > 0 {
			s.buckets++
		}
	}
	if s.buckets < 2 {
		return s, false
	}
	s.divergence = statistics.JensenShannon(first, other)
	s.chance = chance(s.buckets, s.first, s.n)
	return s, true
}

// sampleSize returns the number of independent values. The values of one record are often
// similar, so they count once.
func sampleSize(v *statistics.Values, counts []int64) int64 {
	return min(v.Present, int64(statistics.Sum(counts)))
}

// checkSplitSkew compares each feature in each split with the first split.
func checkSplitSkew(l *list, doc *statistics.Document, most float64) {
	limit := strconv.FormatFloat(most, 'f', -1, 64)
	for i := range doc.Features {
		f := &doc.Features[i]
		for split := 1; split < len(f.Splits); split++ {
			s, ok := skewOf(f, split)
			if !ok || s.divergence <= most+s.chance {
				continue
			}
			l.add(Finding{
				Check: "split_skew", Feature: f.Key, Split: doc.Splits[split].Name,
				Found: digits(s.divergence), Limit: "at most " + limit + " + " + digits(s.chance),
				Text: in(f.Key, doc.Splits[split].Name) + ": " + s.text(doc.Splits[0].Name, limit),
			})
		}
	}
}

// text returns the numbers and the formulas, so that readers can reproduce them.
func (s *skew) text(first, limit string) string {
	return "differs from " + quote(first) + " by " + digits(s.divergence) + "; expected at most " + limit + ", and " +
		digits(s.chance) + " for chance" +
		" (Jensen-Shannon divergence in bits, ½ Σ p log₂(p/m) + ½ Σ q log₂(q/m) with m = (p + q)/2, over k = " +
		strconv.Itoa(s.buckets) + " " + s.what +
		"; chance: (k − 1 + 3 √(2(k − 1))) / (8 ln 2) · (1/" + strconv.FormatInt(s.first, 10) + " + 1/" +
		strconv.FormatInt(s.n, 10) + "))"
}
