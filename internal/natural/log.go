// Package natural computes natural logarithms, with equal bits on every processor. The standard
// library has other implementations on some processors, whose last bits differ.
//
//	x = 2^k · m, √½ ≤ m < √2      log x = k · log 2 + log m
//	s = (m-1)/(m+1)               log m = 2s + 2s³/3 + 2s⁵/5 + …
//
// The large terms, k · log 2 and 2s, are kept as sums of two floats. So the rounding error is small
// compared with them, and the result is within 0.55 units in the last place. Each product is
// converted to float64, which prevents the compiler from fusing it with an addition.
package natural

import "math"

// log 2 = log2High + log2Low. log2High has 32 bits, so its products with an exponent are exact.
const (
	log2High = 0x162e42fee00000p-53
	log2Low  = 0x1.a39ef35793c76p-33
)

// coefficients are the coefficients of (log m)/(2s) = 1 + s²/3 + s⁴/5 + …, without the 1, the highest power
// first.
var coefficients = [...]float64{1. / 23, 1. / 21, 1. / 19, 1. / 17, 1. / 15, 1. / 13, 1. / 11, 1. / 9, 1. / 7, 1. / 5,
	1. / 3}

// Log returns the natural logarithm of a finite number above 0.
func Log(x float64) float64 {
	m, exponent := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, exponent = 2*m, exponent-1
	}
	k := float64(exponent)

	numerator := m - 1
	denominator := m + 1
	lost := m - (denominator - 1) // rounding error of the denominator
	s := numerator / denominator
	// s = high + low. The division of the remainder, numerator - high·(m+1), gives low. The product of
	// two upper halves is exact, so little of the remainder is lost.
	high, denominatorHigh := highHalf(s), highHalf(denominator)
	rest := float64(high * float64(float64(denominator-denominatorHigh)+lost))
	low := float64(float64(numerator-float64(high*denominatorHigh))-rest) / denominator

	square := float64(s * s)
	sum := 0.0
	for _, factor := range coefficients {
		sum = float64(square * float64(sum+factor))
	}
	tail := float64(k*log2Low) + float64(2*low+float64(float64(2*s)*sum))
	whole := float64(k * log2High)
	first := whole + 2*high
	// Fast2Sum: first - whole is exact, because whole is 0 or larger than 2·high, which is below 0.35.
	lostOfFirst := float64(2*high - float64(first-whole))
	return first + float64(lostOfFirst+tail)
}

// highHalf returns x with only the upper half of its bits. The product of two such numbers is
// exact.
func highHalf(x float64) float64 { return math.Float64frombits(math.Float64bits(x) &^ (1<<27 - 1)) }
