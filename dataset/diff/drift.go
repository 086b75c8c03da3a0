package diff

import (
	"math"
	"slices"

	"tfr-build/statistics"
)

// drift returns the divergence of a feature's values in a split from the old ones. Classes are
// matched by name, not by number, and histograms get the same bins.
func drift(oldOf, newOf *statistics.Feature, old, new statistics.Values) float64 {
	switch {
	case hasAllValues(&old) && hasAllValues(&new): // compare value by value
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

// hasAllValues reports whether Top has all values.
func hasAllValues(v *statistics.Values) bool {
	return v.Other == 0 && len(v.Top) > 0 && !slices.ContainsFunc(v.Top, func(t statistics.Top) bool { return t.Cut })
}

// classCounts returns the counts of all classes of either side, in the same order.
func classCounts(oldOf, newOf *statistics.Feature, old, new []int64) (p, q []int64) {
	classIndex := map[string]int{}
	for i, name := range oldOf.Classes[:min(len(oldOf.Classes), len(old))] {
		classIndex[name] = len(p)
		p, q = append(p, old[i]), append(q, 0)
	}
	for i, name := range newOf.Classes[:min(len(newOf.Classes), len(new))] {
		at, known := classIndex[name]
		if !known {
			at = len(p)
			p, q = append(p, 0), append(q, 0)
		}
		q[at] += new[i]
	}
	return p, q
}

// commonBins returns the numbers with the same bins on both sides. It takes the bins with the
// larger range, and distributes the counts of the other side to them by overlap. It assumes that
// values are distributed evenly in a bin.
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
	first.Histogram, second.Histogram = rebin(p, into), rebin(q, into)
	return &first, &second
}

func reach(bins []statistics.Bin) float64 { return bins[len(bins)-1].High - bins[0].Low }

func sameBins(p, q []statistics.Bin) bool {
	return slices.EqualFunc(p, q, func(a, b statistics.Bin) bool { return a.Low == b.Low && a.High == b.High })
}

// countScale multiplies counts, because counts are integers and a share of a count is not.
const countScale = 1 << 10

// rebin distributes the counts of bins to the bins of into, plus one bin below and one above
// them.
func rebin(bins, into []statistics.Bin) []statistics.Bin {
	rebinned := make([]statistics.Bin, len(into)+2)
	rebinned[0] = statistics.Bin{Low: math.Inf(-1), High: into[0].Low}
	rebinned[len(rebinned)-1] = statistics.Bin{Low: into[len(into)-1].High, High: math.Inf(1)}
	for i, b := range into {
		rebinned[i+1].Low, rebinned[i+1].High = b.Low, b.High
	}
	for _, b := range bins {
		for i := range rebinned {
			rebinned[i].Count += int64(float64(b.Count) * countScale * share(&b, &rebinned[i]))
		}
	}
	return rebinned
}

// share returns the fraction of a bin that overlaps another one, from 0 to 1.
func share(b, of *statistics.Bin) float64 {
	if b.High <= b.Low { // a single value
		if of.Low <= b.Low && b.Low < of.High {
			return 1
		}
		return 0
	}
	// Differences of halves, because the full width may overflow.
	return max(0, min(b.High, of.High)/2-max(b.Low, of.Low)/2) / (b.High/2 - b.Low/2)
}
