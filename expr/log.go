package expr

import "math"

// This file is the natural logarithm. That of the standard library is another
// program on some processors, with other last bits.
//
//	x = 2^k · m, √½ ≤ m < √2      log x = k · log 2 + log m
//	s = (m-1)/(m+1)               log m = 2s + 2s³/3 + 2s⁵/5 + …
//
// The large parts, k · log 2 and 2s, are kept in two floats each, so that what is
// rounded is small beside them: the result is within 0.55 of its last place. Each
// product is converted, lest a compiler adds to it before it is rounded.

// The logarithm of 2: a float with 32 bits, whose products with an exponent are
// exact, and what lacks.
const (
	log2High = 0x162e42fee00000p-53
	log2Low  = 0x1.a39ef35793c76p-33
)

// odd are the factors of s², s⁴, … in log m / 2s - 1, the last one first.
var odd = [...]float64{1. / 23, 1. / 21, 1. / 19, 1. / 17, 1. / 15, 1. / 13, 1. / 11, 1. / 9, 1. / 7, 1. / 5, 1. / 3}

// log is the logarithm of a number above 0 to the base e.
func log(x float64) float64 {
	m, exponent := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, exponent = 2*m, exponent-1
	}
	k := float64(exponent)

	numerator := m - 1
	denominator := m + 1
	lost := m - (denominator - 1) // of the denominator, when it was rounded
	s := numerator / denominator
	high, of := upper(s), upper(denominator)
	rest := float64(high * float64(float64(denominator-of)+lost))
	low := float64(float64(numerator-float64(high*of))-rest) / denominator

	square := float64(s * s)
	sum := 0.0
	for _, factor := range odd {
		sum = float64(square * float64(sum+factor))
	}
	tail := float64(k*log2Low) + float64(2*low+float64(float64(2*s)*sum))
	whole := float64(k * log2High)
	first := whole + 2*high
	return first + float64(float64(2*high-float64(first-whole))+tail)
}

// upper is x with the upper half of its bits: products of two such are exact.
func upper(x float64) float64 { return math.Float64frombits(math.Float64bits(x) &^ (1<<27 - 1)) }
