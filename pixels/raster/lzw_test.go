package raster

import "testing"

// TestLZWErrors decodes undefined codes of 3 bits, the first bit lowest. Code 4 clears the table,
// 5 ends the data, and 6 is the first string.
func TestLZWErrors(t *testing.T) {
	for _, test := range []struct {
		name  string
		codes []int
		n     int
		ok    bool
	}{
		{"bytes", []int{4, 0, 1, 5}, 2, true},
		{"the string that is being made", []int{4, 1, 6, 5}, 3, true},
		{"a string before any byte", []int{4, 6, 5}, 0, false},
		{"a string before any byte, without a clear code", []int{6, 5}, 0, false},
		{"a string that is yet to be made", []int{4, 1, 7, 5}, 1, false},
	} {
		var w bitWriter
		for _, c := range test.codes {
			w.put(c, 3)
		}
		var dst [10]byte
		if n, ok := new(lzw).decode(dst[:], w.data, 2); n != test.n || ok != test.ok {
			t.Errorf("%s: %d bytes, %t; want %d, %t", test.name, n, ok, test.n, test.ok)
		}
	}
}

// A bitWriter writes bits, the first one lowest.
type bitWriter struct {
	data []byte
	n    int
}

func (w *bitWriter) put(v, n int) {
	for i := range n {
		if w.n%8 == 0 {
			w.data = append(w.data, 0)
		}
		w.data[w.n/8] |= byte(v>>i&1) << (w.n % 8)
		w.n++
	}
}
