package diff

import (
	"math"
	"slices"

	"tfr-build/statistics"
)

// drift is the divergence of the values that a feature has in a split from those it
// had. Their classes are told by name, whatever their numbers, and their bins are made
// common.
func drift(oldOf, newOf *statistics.Feature, old, new statistics.Values) float64 {
	switch {
	case isWhole(&old) && isWhole(&new): // value by value
		old.ByClass, old.Numbers, old.Images, new.ByClass, new.Numbers, new.Images = nil, nil, nil, nil, nil, nil
	case old.ByClass != nil && new.ByClass != nil:
		old.ByClass, new.ByClass = classCounts(oldOf, newOf, old.ByClass, new.ByClass)
	case old.Numbers != nil && new.Numbers != nil:
		old.Numbers, new.Numbers = commonBins(old.Numbers, new.Numbers)
	case old.Sizes != nil && new.Sizes != nil:
		old.Sizes, new.Sizes = commonBins(old.Sizes, new.Sizes)
	}
	return statistics.Divergence(old, new)
}

// isWhole reports whether all values are among the most frequent ones.
func isWhole(v *statistics.Values) bool {
	return v.Other == 0 && len(v.Top) > 0 && !slices.ContainsFunc(v.Top, func(t statistics.Top) bool { return t.Cut })
}

// classCounts are the counts of all classes that either has, in the same order.
func classCounts(oldOf, newOf *statistics.Feature, old, new []int64) (p, q []int64) {
	place := map[string]int{}
	for i, name := range oldOf.Classes[:min(len(oldOf.Classes), len(old))] {
		place[name] = len(p)
		p, q = append(p, old[i]), append(q, 0)
	}
	for i, name := range newOf.Classes[:min(len(newOf.Classes), len(new))] {
		at, known := place[name]
		if !known {
			at = len(p)
			p, q = append(p, 0), append(q, 0)
		}
		q[at] += new[i]
	}
	return p, q
}

// commonBins gives numbers the same bins: those that reach further, into which the
// counts of the others go by how much of them lies there. Each bin is taken to be
// filled evenly.
func commonBins(old, new *statistics.Numbers) (a, b *statistics.Numbers) {
	p, q := old.Histogram, new.Histogram
	if len(p) == 0 || len(q) == 0 || sameBins(p, q) {
		return old, new
	}
	into := p
	if reach(q) > reach(p) {
		into = q
	}
	first, second := *old, *new
	first.Histogram, second.Histogram = pour(p, into), pour(q, into)
	return &first, &second
}

func reach(bins []statistics.Bin) float64 { return bins[len(bins)-1].High - bins[0].Low }

func sameBins(p, q []statistics.Bin) bool {
	return slices.EqualFunc(p, q, func(a, b statistics.Bin) bool { return a.Low == b.Low && a.High == b.High })
}

// fine is how many parts a count is divided into: counts are integers.
const fine = 1 << 10

// pour gives the bins of into, with one below and one above them, the counts of bins.
func pour(bins, into []statistics.Bin) []statistics.Bin {
	poured := make([]statistics.Bin, len(into)+2)
	poured[0] = statistics.Bin{Low: math.Inf(-1), High: into[0].Low}
	poured[len(poured)-1] = statistics.Bin{Low: into[len(into)-1].High, High: math.Inf(1)}
	for i, b := range into {
		poured[i+1].Low, poured[i+1].High = b.Low, b.High
	}
	for _, b := range bins {
		for i := range poured {
			poured[i].Count += int64(float64(b.Count) * fine * share(&b, &poured[i]))
		}
	}
	return poured
}

// share is how much of a bin lies in another, from 0 to 1.
func share(b, of *statistics.Bin) float64 {
	if b.High <= b.Low { // one value
		if of.Low <= b.Low && b.Low < of.High {
			return 1
		}
		return 0
	}
	// Of halves, for the whole may be more than there are numbers for.
	return max(0, min(b.High, of.High)/2-max(b.Low, of.Low)/2) / (b.High/2 - b.Low/2)
}
