package arrays

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// A picker picks rows of a mapped array, for one goroutine.
type picker struct {
	*array
	walk *walk // in Fortran order; else nil
	buf  []byte
}

func (a *array) newPicker() picker {
	p := picker{array: a}
	if a.fortran {
		p.walk = a.newWalk()
	}
	return p
}

// row is row i in data, little-endian and in C order. What stands so in the file is
// not copied; anything else holds until the next row.
func (p *picker) row(data []byte, i int64) []byte {
	switch at := p.at + i*int64(p.stride); {
	case p.fortran:
		p.buf = p.gather(p.buf, data[p.at:], i, p.rows)
	case p.word == 1:
		return data[at : at+int64(p.stride)]
	default:
		p.buf = append(p.buf[:0], data[at:at+int64(p.stride)]...)
	}
	turn(p.buf, p.word)
	return p.buf
}

// gather puts row i in C order into dst. data has the rows in Fortran order, so
// many in a run.
func (p *picker) gather(dst, data []byte, i, run int64) []byte {
	dst = slices.Grow(dst[:0], p.stride)[:p.stride]
	size := p.size
	for to := 0; to < p.stride; to += size {
		from := (int64(p.walk.next())*run + i) * int64(size)
		copy(dst[to:to+size], data[from:])
	}
	return dst
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
