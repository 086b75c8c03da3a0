package checks

import (
	"strconv"

	"tfr-build/statistics"
)

// minSample is how many values a split has at least that is compared with another.
const minSample = 10

// A skew is how far the values of a feature in a split are from those in the first.
type skew struct {
	divergence float64
	chance     float64 // how far two samples of one distribution may be
	buckets    int
	first, n   int64 // values
	what       string
}

// skewOf compares a split with the first one. ok is false where that says nothing:
// there are too few values, or not two buckets that hold some.
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

// sampleSize is how many values were drawn: those of one record are often alike, so
// it counts for one.
func sampleSize(v *statistics.Values, counts []int64) int64 {
	return min(v.Present, int64(sum(counts)))
}

// splitSkew is about each feature of each split against the first.
func splitSkew(l *list, doc *statistics.Document, most float64) {
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

// text has the figures and the formulas, so that anybody can find the same.
func (s *skew) text(first, limit string) string {
	return "differs from " + quote(first) + " by " + digits(s.divergence) + "; expected at most " + limit + ", and " + digits(s.chance) + " for chance" +
		" (Jensen-Shannon divergence in bits, ½ Σ p log₂(p/m) + ½ Σ q log₂(q/m) with m = (p + q)/2, over k = " + strconv.Itoa(s.buckets) + " " + s.what +
		"; chance: (k − 1 + 3 √(2(k − 1))) / (8 ln 2) · (1/" + strconv.FormatInt(s.first, 10) + " + 1/" + strconv.FormatInt(s.n, 10) + "))"
}
