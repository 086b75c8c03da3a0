package statistics

import (
	"math"
	"math/bits"
	"slices"
)

// bins is how many bins a histogram is to have.
const bins = 40

// A histogram counts the numbers of all splits between the same bounds.
type histogram struct {
	isFloat bool
	isExact bool // each number is known: a bound may be anywhere
	edges   []float64
	isOpen  bool
}

// histograms gives the numbers of each split their histogram.
func (f *finisher) histograms(splits []Values) {
	h := f.histogram()
	if h == nil {
		return
	}
	for i := range splits {
		of := splits[i].Numbers
		if of == nil {
			of = splits[i].Sizes
		}
		if of.Finite > 0 {
			of.Histogram = h.count(&f.ends[i])
		}
	}
	f.imageHistograms(splits)
}

// imageHistograms gives the sizes of images their histograms.
func (f *finisher) imageHistograms(splits []Values) {
	if f.field.Kind != Image {
		return
	}
	for _, of := range []func(*images) *moments{
		func(m *images) *moments { return &m.width }, func(m *images) *moments { return &m.height },
	} {
		sizes := &finisher{name: name{list: bytesList}}
		for i := range f.ends {
			sizes.ends = append(sizes.ends, endingOf(*of(f.ends[i].sketch.images)))
		}
		h := sizes.histogram()
		for i := range splits {
			numbers := &splits[i].Images.Width
			if of(f.ends[i].sketch.images) == &f.ends[i].sketch.images.height {
				numbers = &splits[i].Images.Height
			}
			if numbers.Finite > 0 {
				numbers.Histogram = h.count(&sizes.ends[i])
			}
		}
	}
}

// histogram chooses the bounds; nil where there are no numbers.
func (f *finisher) histogram() *histogram {
	if len(f.ends) == 0 {
		return nil
	}
	all := newMoments(f.name.list)
	h := &histogram{isFloat: all.float, isExact: true}
	for i := range f.ends {
		all.merge(&f.ends[i].sketch.numbers)
		h.isExact = h.isExact && f.ends[i].exact != nil
	}
	n := all.finite()
	if n == 0 {
		return nil
	}
	low, high := all.bounds()
	e := endingOf(all)
	first, last := e.quantile(QuantileShares[0], n), e.quantile(QuantileShares[len(QuantileShares)-1], n)
	if first < last && last/4-first/4 < (high/4-low/4)/muchNarrower {
		h.isOpen = true
		low, high = first, last
	}
	h.cut(low, high)
	return h
}

// muchNarrower is how many times the range of nearly all numbers has to fit into
// that of all, for a histogram of these alone.
const muchNarrower = 3

// cut cuts the numbers between low and high into bins.
func (h *histogram) cut(low, high float64) {
	if !h.isFloat {
		low, high = math.Floor(low), math.Ceil(high)
	}
	h.edges = []float64{low}
	for i := 1; i < bins; i++ {
		share := float64(i) / bins
		edge := h.snap(float64(low*(1-share)) + float64(high*share))
		if edge > h.edges[len(h.edges)-1] && edge < high {
			h.edges = append(h.edges, edge)
		}
	}
	if !h.isFloat && high-low < bins && max(-low, high) < 1<<53 { // a bin for each number
		h.edges = h.edges[:1]
		for v := low + 1; v <= high; v++ {
			h.edges = append(h.edges, v)
		}
		high++
	}
	if high > h.edges[len(h.edges)-1] || len(h.edges) == 1 {
		h.edges = append(h.edges, high)
	}
}

// snap is a bound near v at which no part is cut.
func (h *histogram) snap(v float64) float64 {
	switch {
	case h.isExact && h.isFloat:
		return v
	case h.isFloat:
		return math.Float64frombits(math.Float64bits(v) &^ (1<<(52-partBits) - 1))
	case h.isExact || math.Abs(v) < 1:
		return math.Floor(v)
	case v < 0:
		return 1 - snapInt(1-v)
	}
	return snapInt(v)
}

// snapInt is the first integer of the part that v is in.
func snapInt(v float64) float64 {
	u := uint64(min(v, 1<<63))
	if shift := bits.Len64(u) - 1 - partBits; shift > 0 {
		u = u >> shift << shift
	}
	return float64(u)
}

// count counts the numbers of a split.
func (h *histogram) count(e *ending) []Bin {
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
	for _, p := range e.parts {
		add(p.low, p.n)
	}
	return all
}
