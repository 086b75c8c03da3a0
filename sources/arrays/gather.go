package arrays

import "slices"

// row returns row i of a mapped array, little-endian. If the file has it in that form, it is a view
// of data; otherwise it is in buf. It also returns buf, which may have grown.
func (a *array) row(buf, data []byte, i int64) (row, used []byte) {
	at := a.at + i*int64(a.stride)
	row = data[at : at+int64(a.stride)]
	if a.word == 1 {
		return row, buf
	}
	buf = append(buf[:0], row...)
	swapBytes(buf, a.word)
	return buf, buf
}

// swapBytes makes big-endian words little-endian.
func swapBytes(row []byte, word int) {
	for ; word > 1 && len(row) >= word; row = row[word:] {
		slices.Reverse(row[:word])
	}
}

// A walk iterates over the elements of a row in C order, again and again. It returns the index of
// each element in Fortran order.
type walk struct {
	shape []int
	steps []int // by axis, in Fortran order
	index []int // index on each axis
	at    int
}

func (a *array) newWalk() *walk {
	w := &walk{shape: a.shape, index: make([]int, len(a.shape)), steps: make([]int, len(a.shape))}
	step := 1
	for k, n := range a.shape {
		w.steps[k] = step
		step *= n
	}
	return w
}

// next returns the index of the current element and moves to the next; after the last, to the
// first.
func (w *walk) next() int {
	at := w.at
	for k := len(w.shape) - 1; k >= 0; k-- {
		w.index[k]++
		w.at += w.steps[k]
		if w.index[k] < w.shape[k] {
			break
		}
		w.at -= w.shape[k] * w.steps[k]
		w.index[k] = 0
	}
	return at
}
