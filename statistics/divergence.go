package statistics

import (
	"math"
	"slices"

	"tfr-build/internal/natural"
)

// Divergence returns the [JensenShannon] divergence between the values of a feature in two
// splits, over the categories of [Common].
func Divergence(a, b Values) float64 {
	p, q, _ := Common(&a, &b)
	return JensenShannon(p, q)
}

// JensenShannon returns the Jensen–Shannon divergence of two distributions in bits: 0 if they are
// equal, 1 if they are disjoint. a and b are counts of the same categories. If one of them is all
// zeros, the result is 0. With the shares p and q of the counts and m = (p + q) / 2,
//
//	JS = ½ Σ p log₂(p / m) + ½ Σ q log₂(q / m)
//
// See Lin, Divergence measures based on the Shannon entropy, IEEE Transactions on Information
// Theory 37, 1991.
func JensenShannon(a, b []int64) float64 {
	sumA, sumB := Sum(a), Sum(b)
	if sumA == 0 || sumB == 0 {
		return 0
	}
	total := 0.0
	for i := range a {
		p, q := float64(a[i])/sumA, float64(b[i])/sumB
		middle := (p + q) / 2
		total += term(p, middle) + term(q, middle) // one sum: symmetric in a and b
	}
	return min(1, max(0, total/2/math.Ln2)) // rounding may lead slightly outside
}

// term returns p ln(p / middle), or 0 if p is 0.
func term(p, middle float64) float64 {
	if p == 0 {
		return 0
	}
	return float64(p * natural.Log(p/middle)) // the conversion rounds: arm64 would fuse the product with a sum
}

// Sum returns the sum of counts.
func Sum(counts []int64) float64 {
	var n int64
	for _, c := range counts {
		n += c
	}
	return float64(n)
}

// Common returns the counts of two splits over the same categories, and the name of the
// categories. These are classes, bins, the most frequent values plus one category for all others,
// or bins of sizes.
func Common(a, b *Values) (first, other []int64, categories string) {
	switch {
	case a.ByClass != nil && len(a.ByClass) == len(b.ByClass):
		return append(slices.Clone(a.ByClass), a.Unknown), append(slices.Clone(b.ByClass), b.Unknown), "classes"
	case a.Numbers != nil:
		first, other = histograms(a.Numbers, b.Numbers)
		return first, other, "bins of values"
	case len(a.Top) > 0 && len(b.Top) > 0:
		if first, other = tops(a, b); len(first) > 1 {
			return first, other, "values"
		}
	}
	first, other = histograms(a.Sizes, b.Sizes)
	return first, other, "bins of sizes"
}

// histograms returns the counts of two histograms, followed by the numbers that are not finite.
// Both histograms have the same bounds, unless one split has no finite number.
func histograms(a, b *Numbers) (first, other []int64) {
	if a == nil || b == nil {
		return nil, nil
	}
	n := max(len(a.Histogram), len(b.Histogram))
	counts := func(of *Numbers) []int64 {
		list := make([]int64, n, n+3)
		for i := range of.Histogram {
			list[i] = of.Histogram[i].Count
		}
		return append(list, of.NaN, of.PosInf, of.NegInf)
	}
	return counts(a), counts(b)
}

// tops returns the counts of the values that both splits counted, and of all others. A value that
// one split may have counted among its others is added to the others of both splits. That can
// only make the splits more alike.
func tops(a, b *Values) (first, other []int64) {
	type value struct {
		text string
		cut  bool
	}
	type pair struct {
		counts [2]int64
		known  [2]bool
	}
	index := map[value]int{}
	var pairs []pair
	for side, v := range []*Values{a, b} {
		for i := range v.Top {
			key := value{v.Top[i].Value, v.Top[i].Cut}
			at, there := index[key]
			if !there {
				at = len(pairs)
				index[key] = at
				pairs = append(pairs, pair{known: [2]bool{a.Other == 0, b.Other == 0}})
			}
			pairs[at].counts[side] += v.Top[i].Count
			pairs[at].known[side] = true
		}
	}
	otherA, otherB := a.Other, b.Other
	for _, p := range pairs {
		if p.known[0] && p.known[1] {
			first, other = append(first, p.counts[0]), append(other, p.counts[1])
		} else {
			otherA, otherB = otherA+p.counts[0], otherB+p.counts[1]
		}
	}
	return append(first, otherA), append(other, otherB)
}
