package dsp

import (
	"testing"

	"tfr-build/internal/testenv"
)

// TestAllColors compares all colors with JFIF's formulas with 16 fractional bits, computed
// differently: the factors rounded once, and each sum rounded to the nearest integer. Halves
// round up for RGB and down for Cb and Cr.
func TestAllColors(t *testing.T) {
	fixed := func(f float64) int { return int(f*(1<<16) + 0.5) }
	nearest := func(sum int) int { return floorDiv(sum+1<<15, 1<<16) }
	nearestDown := func(sum int) int { return floorDiv(sum+1<<15-1, 1<<16) }
	clamp := func(v int) byte { return byte(min(max(v, 0), 255)) }

	a, b, c := make([]byte, 256), make([]byte, 256), make([]byte, 256)
	for i := range a {
		a[i] = byte(i)
	}
	rgb, y, cb, cr := make([]byte, 3*256), make([]byte, 256), make([]byte, 256), make([]byte, 256)
	src := make([]byte, 3*256)
	step := testenv.Times(13, 1, 1)
	for u := 0; u < 256; u += step {
		for v := range 256 {
			for i := range a {
				b[i], c[i] = byte(u), byte(v)
				src[3*i], src[3*i+1], src[3*i+2] = byte(i), byte(u), byte(v)
			}
			YCCToRGB(rgb, a, b, c)
			RGBToYCC(y, cb, cr, src)
			red := nearest(fixed(1.402) * (v - 128))
			green := nearest(-fixed(0.34414)*(u-128) - fixed(0.71414)*(v-128))
			blue := nearest(fixed(1.772) * (u - 128))
			for i := range a {
				if got, want := [3]byte(rgb[3*i:]),
					[3]byte{clamp(i + red), clamp(i + green), clamp(i + blue)}; got != want {
					t.Fatalf("Y %d, Cb %d, Cr %d: %d, want %d", i, u, v, got, want)
				}
				want := [3]byte{
					byte(nearest(fixed(0.299)*i + fixed(0.587)*u + fixed(0.114)*v)),
					byte(128 + nearestDown(-fixed(0.16874)*i-fixed(0.33126)*u+fixed(0.5)*v)),
					byte(128 + nearestDown(fixed(0.5)*i-fixed(0.41869)*u-fixed(0.08131)*v)),
				}
				if got := [3]byte{y[i], cb[i], cr[i]}; got != want {
					t.Fatalf("red %d, green %d, blue %d: %d, want %d", i, u, v, got, want)
				}
			}
		}
	}
}

func floorDiv(a, b int) int {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}
