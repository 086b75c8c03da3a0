package statistics

import (
	"math"
	"math/bits"
	"slices"
)

// bins is the number of bins of a histogram.
const bins = 40

// A histogram has bounds that all splits share.
type histogram struct {
	isFloat bool
	isExact bool // all numbers are in tables, so bounds may be anywhere
	edges   []float64
	isOpen  bool
}

// addHistograms sets the histogram of each split.
func (f *featureBuilder) addHistograms(splits []Values) {
	h := f.newHistogram()
	if h == nil {
		return
	}
	for i := range splits {
		numbers := splits[i].Numbers
		if numbers == nil {
			numbers = splits[i].Sizes
		}
		if numbers.Finite > 0 {
			numbers.Histogram = h.count(&f.finished[i])
		}
	}
	f.addImageHistograms(splits)
}

// addImageHistograms sets the histograms of widths and heights.
func (f *featureBuilder) addImageHistograms(splits []Values) {
	if f.field.Kind != Image {
		return
	}
	for _, of := range []func(*images) *logHistogram{
		func(m *images) *logHistogram { return &m.width }, func(m *images) *logHistogram { return &m.height },
	} {
		sizes := &featureBuilder{name: name{list: bytesList}}
		for i := range f.finished {
			sizes.finished = append(sizes.finished, finishedFrom(*of(f.finished[i].sketch.images)))
		}
		h := sizes.newHistogram()
		for i := range splits {
			numbers := &splits[i].Images.Width
			if of(f.finished[i].sketch.images) == &f.finished[i].sketch.images.height {
				numbers = &splits[i].Images.Height
			}
			if numbers.Finite > 0 {
				numbers.Histogram = h.count(&sizes.finished[i])
			}
		}
	}
}

// newHistogram chooses the bounds. It returns nil without finite numbers.
func (f *featureBuilder) newHistogram() *histogram {
	if len(f.finished) == 0 {
		return nil
	}
	all := newLogHistogram(f.name.list)
	h := &histogram{isFloat: all.float, isExact: true}
	for i := range f.finished {
		all.merge(&f.finished[i].sketch.numbers)
		h.isExact = h.isExact && f.finished[i].exact != nil
	}
	n := all.finite()
	if n == 0 {
		return nil
	}
	low, high := all.bounds()
	e := finishedFrom(all)
	first, last := e.quantile(QuantileShares[0], n), e.quantile(QuantileShares[len(QuantileShares)-1], n)
	// Quarters, as the difference of two float64s may overflow.
	if first < last && last/4-first/4 < (high/4-low/4)/narrowFactor {
		h.isOpen = true
		low, high = first, last
	}
	h.setEdges(low, high)
	return h
}

// narrowFactor decides when a histogram ignores outliers. It spans only the range between the
// first and the last quantile if that range is this many times narrower than the full range.
const narrowFactor = 3

// setEdges splits the range from low to high into bins.
func (h *histogram) setEdges(low, high float64) {
	if !h.isFloat {
		low, high = math.Floor(low), math.Ceil(high)
	}
	h.edges = []float64{low}
	for i := 1; i < bins; i++ {
		share := float64(i) / bins
		edge := h.snap(float64(low*(1-share)) + float64(high*share)) // rounded: arm64 would fuse the operations
		if edge > h.edges[len(h.edges)-1] && edge < high {
			h.edges = append(h.edges, edge)
		}
	}
	if !h.isFloat && high-low < bins && max(-low, high) < 1<<53 { // one bin per number
		h.edges = h.edges[:1]
		for i := range int(high - low) {
			h.edges = append(h.edges, low+float64(i+1))
		}
		high++
	}
	if high > h.edges[len(h.edges)-1] || len(h.edges) == 1 {
		h.edges = append(h.edges, high)
	}
}

// snap returns a bound near v that does not split a sub-bucket.
func (h *histogram) snap(v float64) float64 {
	switch {
	case h.isExact && h.isFloat:
		return v
	case h.isFloat:
		return math.Float64frombits(math.Float64bits(v) &^ (1<<(52-subBucketBits) - 1))
	case h.isExact || math.Abs(v) < 1:
		return math.Floor(v)
	case v < 0:
		return 1 - snapInt(1-v)
	}
	return snapInt(v)
}

// snapInt returns the first integer of the sub-bucket of v.
func snapInt(v float64) float64 {
	u := uint64(min(v, 1<<63))
	if shift := bits.Len64(u) - 1 - subBucketBits; shift > 0 {
		u = u >> shift << shift
	}
	return float64(u)
}

// count counts the numbers of a split.
func (h *histogram) count(e *finishedColumn) []Bin {
	all := make([]Bin, len(h.edges)-1)
	for i := range all {
		all[i] = Bin{Low: h.edges[i], High: h.edges[i+1]}
	}
	last := len(all) - 1
	all[0].Open, all[last].Open = h.isOpen, h.isOpen
	add := func(v float64, n int64) {
		i, isEdge := slices.BinarySearch(h.edges, v)
		if !isEdge {
			i--
		}
		all[max(0, min(i, last))].Count += n
	}
	if e.exact != nil {
		for _, c := range e.exact {
			add(e.value(c.key), c.n)
		}
		return all
	}
	for _, p := range e.intervals {
		add(p.low, p.n)
	}
	return all
}
