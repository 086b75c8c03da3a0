package resample

import "image"

// A table says of which samples of a line each sample of the result is the sum.
type table struct {
	tableKey

	first   []int32   // the first of them
	count   []int32   // how many
	stride  int       // weights of one sample of the result, with room for the longest sum
	weights []int32   // times 1 << precision
	pairs   []int16   // the same for the assembly: see split
	reals   []float32 // the weights of shares
}

// A tableKey is all that a table depends on: the lengths of the two lines, and the
// samples of the result, begin to behind end, that it is filled in for.
type tableKey struct {
	from, to   int
	begin, end int
	method     method
}

// columns and rows are the keys of the two tables of a part of a job's result.
func (j Job) columns(part image.Rectangle, m method) tableKey {
	return tableKey{j.Width, j.ToWidth, part.Min.X, part.Max.X, m}
}

func (j Job) rows(part image.Rectangle, m method) tableKey {
	return tableKey{j.Height, j.ToHeight, part.Min.Y, part.Max.Y, m}
}

// A method is a way to make a table: a filter, of which OpenCV's area is three.
type method uint8

const (
	shares = method(Area) + iota // what a sample covers, in float32
	blocks                       // as many whole samples
	linear                       // two neighbours, in integers of 11 bits
)

// keptWeights is how large a table may be to be kept: about a megabyte.
const keptWeights = 1 << 17

// precision is the number of bits after the point in a weight: Pillow's.
const precision = 22

// weightsOf are row i's weights.
func (t *table) weightsOf(i int) []int32 {
	return t.weights[i*t.stride:][:t.count[i]]
}

// span is the samples of a source line, first to behind the last, that are needed.
func (t *table) span() (first, end int) {
	first, end = t.from, 0
	for i := t.begin; i < t.end; i++ {
		first = min(first, int(t.first[i]))
		end = max(end, int(t.first[i]+t.count[i]))
	}
	return first, end
}

// fill makes the table of a key. Scratch is memory to work in.
func (t *table) fill(key tableKey, scratch []float64) []float64 {
	t.tableKey = key
	switch key.method {
	case method(Nearest):
		t.steps()
	case shares:
		t.share()
	case blocks:
		t.block()
	case linear:
		t.pair()
	default:
		scratch = t.curve(scratch)
	}
	return scratch
}

// resized is a slice of n elements that takes s's memory if that is enough. What
// the elements are is undefined.
func resized[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}
