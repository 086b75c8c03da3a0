package resample

import "math"

// shrinkFactor returns the number of input samples per output sample. Like OpenCV it divides 1 by
// a quotient, so the result is not always an integer when from is a multiple of to.
func shrinkFactor(from, to int) float64 {
	inverse := float64(to) / float64(from)
	return 1 / inverse
}

// fillShares fills the table with the share that each input sample has of an output sample.
// Shares below a thousandth are dropped.
func (t *table) fillShares() {
	const least = 1e-3
	scale := shrinkFactor(t.from, t.to)
	t.reserve(int(scale) + 3)
	for i := t.begin; i < t.end; i++ {
		begin := float64(float64(i) * scale)
		end := begin + scale
		width := min(scale, float64(t.from)-begin)
		whole := min(int(math.Floor(end)), t.from-1) // the index after the last complete sample
		first := min(int(math.Ceil(begin)), whole)

		shares := t.reals[i*t.stride:][:0]
		t.first[i] = int32(first)
		if d := float64(first) - begin; d > least {
			t.first[i]--
			shares = append(shares, float32(d/width))
		}
		for range whole - first {
			shares = append(shares, float32(1/width))
		}
		if d := end - float64(whole); d > least {
			shares = append(shares, float32(min(d, 1, width)/width))
		}
		t.count[i] = int32(len(shares))
	}
}

// reserve allocates a table of shares.
func (t *table) reserve(stride int) {
	t.stride = stride
	t.first = resized(t.first, t.to)
	t.count = resized(t.count, t.to)
	t.reals = resized(t.reals, t.to*stride)
}

// fillBlocks fills the table with blocks of complete samples.
func (t *table) fillBlocks() {
	t.reserve(t.from / t.to)
	for i := t.begin; i < t.end; i++ {
		t.first[i], t.count[i] = int32(i*t.stride), int32(t.stride)
	}
	for i := range t.reals {
		t.reals[i] = 1
	}
}

// realsOf returns the weights of the i-th output sample in a table of shares.
func (t *table) realsOf(i int) []float32 {
	return t.reals[i*t.stride:][:t.count[i]]
}

// fillPairs fills the table with pairs of neighbors. An output sample inside an input sample is
// equal to it. An output sample across a border is a mix of both neighbors, by their shares.
func (t *table) fillPairs() {
	const one = 1 << 11
	inverse := float64(t.to) / float64(t.from)
	scale := 1 / inverse
	t.stride = 2
	t.first = resized(t.first, t.to)
	t.weights = resized(t.weights, 2*t.to)
	for i := t.begin; i < t.end; i++ {
		first := int(math.Floor(float64(float64(i) * scale)))
		share := float32(float64(i+1) - float64(float64(first+1)*inverse))
		if share <= 0 {
			share = 0
		} else {
			share -= float32(math.Floor(float64(share)))
		}
		t.first[i] = int32(min(first, t.from-1))
		t.weights[2*i] = int32(math.RoundToEven(float64((1 - share) * one)))
		t.weights[2*i+1] = int32(math.RoundToEven(float64(share * one)))
	}
}
