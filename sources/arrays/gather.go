package arrays

import (
	"encoding/binary"
	"math/bits"
)

// row is row i of a mapped array, little-endian. What stands so in the file is not
// copied; else it is in buf.
func (a *array) row(buf, data []byte, i int64) (row, used []byte) {
	at := a.at + i*int64(a.stride)
	row = data[at : at+int64(a.stride)]
	if a.word == 1 {
		return row, buf
	}
	buf = append(buf[:0], row...)
	turn(buf, a.word)
	return buf, buf
}

// gather puts n rows from row i on in C order into dst. data has the rows in Fortran
// order, so many in a run.
func (a *array) gather(dst, data []byte, w *walk, i, n, run int64) {
	size := int64(a.size)
	for to := 0; to < a.stride; to += a.size {
		from := (int64(w.next())*run + i) * size
		a.scatter(dst[to:], data[from:from+n*size])
	}
}

// scatter puts an element of rows, which stands one after another, into each row.
func (a *array) scatter(dst, elements []byte) {
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

// turn makes big-endian words little-endian.
func turn(row []byte, word int) {
	switch word {
	case 2:
		for ; len(row) >= 2; row = row[2:] {
			row[0], row[1] = row[1], row[0]
		}
	case 4:
		for ; len(row) >= 4; row = row[4:] {
			binary.LittleEndian.PutUint32(row, bits.ReverseBytes32(binary.LittleEndian.Uint32(row)))
		}
	case 8:
		for ; len(row) >= 8; row = row[8:] {
			binary.LittleEndian.PutUint64(row, bits.ReverseBytes64(binary.LittleEndian.Uint64(row)))
		}
	}
}

// A walk goes through the elements of a row in C order, again and again, and tells
// the number that each has in Fortran order.
type walk struct {
	shape []int
	steps []int // of each axis, in Fortran order
	place []int // on each axis
	at    int
}

func (a *array) newWalk() *walk {
	w := &walk{shape: a.shape, place: make([]int, len(a.shape)), steps: make([]int, len(a.shape))}
	step := 1
	for k, n := range a.shape {
		w.steps[k] = step
		step *= n
	}
	return w
}

// next is the number of the element at hand, and goes to the one after it: from
// the last to the first.
func (w *walk) next() int {
	at := w.at
	for k := len(w.shape) - 1; k >= 0; k-- {
		w.place[k]++
		w.at += w.steps[k]
		if w.place[k] < w.shape[k] {
			break
		}
		w.at -= w.shape[k] * w.steps[k]
		w.place[k] = 0
	}
	return at
}
