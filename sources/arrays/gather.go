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

// gather copies n rows from row i on into dst in C order. data has run rows in Fortran order.
func (a *array) gather(dst, data []byte, w *walk, i, n, run int64) {
	size := int64(a.size)
	for to := 0; to < a.stride; to += a.size {
		from := (int64(w.next())*run + i) * size
		a.scatter(dst[to:], data[from:from+n*size])
	}
}

// scatter copies consecutive elements into consecutive rows.
func (a *array) scatter(dst, elements []byte) {
	// A copy of a constant size is one move; of other sizes it is a call.
	switch a.size {
	case 1:
		for i, b := range elements {
			dst[i*a.stride] = b
		}
	case 4:
		for at := 0; len(elements) >= 4; elements, at = elements[4:], at+a.stride {
			copy(dst[at:at+4], elements[:4])
		}
	case 8:
		for at := 0; len(elements) >= 8; elements, at = elements[8:], at+a.stride {
			copy(dst[at:at+8], elements[:8])
		}
	default:
		for at := 0; len(elements) > 0; elements, at = elements[a.size:], at+a.stride {
			copy(dst[at:], elements[:a.size])
		}
	}
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
