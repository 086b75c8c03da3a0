package dsp

import (
	"testing"

	"tfr-build/internal/testenv"
)

// TestDivisors holds that multiplying by a Divisors is dividing by 8*q, to the
// nearest whole number and a half away from zero, for all that a transform gives.
func TestDivisors(t *testing.T) {
	step := testenv.Times(101, 1, 1)
	for q := 1; q <= MaxQuantizer; q += 1 + (step-1)*min(q/256, 1) {
		d := NewDivisors(&[64]uint16{uint16(q)})
		for v := range int32(8193) {
			want := int16((int(v) + 4*q) / (8 * q))
			if got, negative := d.quantize(0, v), d.quantize(0, -v); got != want || negative != -want {
				t.Fatalf("±%d / (8*%d) = %d and %d, want ±%d", v, q, got, negative, want)
			}
		}
	}
}

// TestDivisorsAtTheEnds holds what numbers out of range count as.
func TestDivisorsAtTheEnds(t *testing.T) {
	if *NewDivisors(&[64]uint16{0: 0, 1: MaxQuantizer + 1, 2: 1<<16 - 1}) != *NewDivisors(&[64]uint16{0: 1, 1: MaxQuantizer, 2: MaxQuantizer}) {
		t.Error("numbers out of range do not count as the nearest in range")
	}
}
