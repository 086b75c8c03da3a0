package resample

import "image"

// A table has the input samples, and their weights, of each output sample of a line.
type table struct {
	tableKey

	first   []int32   // by output sample: index of its first input sample
	count   []int32   // by output sample: number of input samples
	stride  int       // weights per output sample, padded to the longest sum
	weights []int32   // weights times 1 << precision
	pairs   []int16   // weights in the form of the assembly: see split
	reals   []float32 // weights of the area methods
}

// A tableKey determines a table. It has the lengths of the input line and the output line, and
// the output samples, begin to end, that the table is filled for.
type tableKey struct {
	from, to   int
	begin, end int
	method     method
}

// columns returns the key of the horizontal table for a part of the result.
func (j Job) columns(part image.Rectangle, m method) tableKey {
	return tableKey{j.Width, j.ToWidth, part.Min.X, part.Max.X, m}
}

// rows returns the key of the vertical table for a part of the result.
func (j Job) rows(part image.Rectangle, m method) tableKey {
	return tableKey{j.Height, j.ToHeight, part.Min.Y, part.Max.Y, m}
}

// A method is a way to fill a table: a filter, or one of the three algorithms of OpenCV's area.
type method uint8

const (
	shares = method(Area) + iota // covered samples by share, in float32
	blocks                       // blocks of complete samples
	linear                       // two neighbors, in integers of 11 bits
)

// cachedWeights is the maximum number of weights of a table that is kept: about a megabyte.
const cachedWeights = 1 << 17

// precision is the number of fractional bits of a weight, as in Pillow.
const precision = 22

// weightsOf returns the weights of the i-th output sample.
func (t *table) weightsOf(i int) []int32 {
	return t.weights[i*t.stride:][:t.count[i]]
}

// span returns the input samples, first to end, that the table needs.
func (t *table) span() (first, end int) {
	first, end = t.from, 0
	for i := t.begin; i < t.end; i++ {
		first = min(first, int(t.first[i]))
		end = max(end, int(t.first[i]+t.count[i]))
	}
	return first, end
}

// fill fills the table for a key. scratch is working memory, which it returns for reuse.
func (t *table) fill(key tableKey, scratch []float64) []float64 {
	t.tableKey = key
	switch key.method {
	case method(Nearest):
		t.fillNearest()
	case shares:
		t.fillShares()
	case blocks:
		t.fillBlocks()
	case linear:
		t.fillPairs()
	default:
		scratch = t.fillCurve(scratch)
	}
	return scratch
}

// resized returns a slice of n elements with undefined values. It reuses the memory of s if that
// is large enough.
func resized[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}
