package table

import (
	"io"

	"tfr-build/sources/input"
)

// Window returns how many bytes of memory rows have on the heap, and whether they have a mapping.
func Window(r input.Rows) (heap int, mapped bool) {
	w := r.(*rows).window
	return len(w.heap), w.mapped != nil
}

// ReadInSteps makes rows read at most n bytes of their file at a time.
func ReadInSteps(r input.Rows, n int64) {
	w := r.(*rows).window
	w.in = &steps{w.in, n}
}

// A steps reads at most n bytes at a time.
type steps struct {
	io.Reader
	n int64
}

func (s *steps) Read(p []byte) (int, error) { return io.LimitReader(s.Reader, s.n).Read(p) }
