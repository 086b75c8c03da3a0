package dsp

import "testing"

// TestInverseDC checks that both functions convert a block of one coefficient equally, for each
// value of the product.
func TestInverseDC(t *testing.T) {
	var dc, full [64]byte
	for v := -1 << 15; v < 1<<15; v++ {
		b, q := [64]int16{int16(v)}, [64]uint16{1}
		if v%3 == 0 {
			q[0] = uint16(v * 7)
		}
		InverseDC(dc[:], 8, b[0], q[0])
		InverseDCT(full[:], 8, &b, &q)
		if dc != full {
			t.Fatalf("%d times %d: %d, and %d with all coefficients", v, q[0], dc[0], full)
		}
	}
}
