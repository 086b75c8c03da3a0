package dsp

import (
	"testing"

	"tfr-build/internal/testenv"
)

// TestDivisors checks that multiplying by Divisors divides by 8*q, to the nearest integer and a
// half away from zero, for all results of a transform.
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

// TestDivisorsAtTheEnds checks the replacement of values out of range.
func TestDivisorsAtTheEnds(t *testing.T) {
	if *NewDivisors(&[64]uint16{0: 0, 1: MaxQuantizer + 1, 2: 1<<16 - 1}) != *NewDivisors(&[64]uint16{0: 1,
		1: MaxQuantizer, 2: MaxQuantizer}) {
		t.Error("numbers out of range do not count as the nearest in range")
	}
}
