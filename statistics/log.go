package statistics

import "math"

// ln 2 as the sum of two numbers. The product of the first with an exponent is exact.
const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// log returns the natural logarithm of x, with equal bits on every processor. math.Log has
// different implementations on some of them. The result is within one unit in the last place; it
// is NaN if x is negative.
//
// With x = 2^k·m and m near 1, and s = (m-1)/(m+1), it is k·ln 2 + 2·(s + s³/3 + s⁵/5 + …).
func log(x float64) float64 {
	switch {
	case x != x || x > math.MaxFloat64:
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m *= 2
		k--
	}
	f := m - 1
	s := f / (2 + f)
	z := float64(s * s)
	// The absolute value of s is at most 0.1716, so the terms after s²³ add up to less than
	// 2^-60.
	series := 0.0
	for n := 23.0; n >= 3; n -= 2 {
		series = float64(z * (1/n + series))
	}
	// log(m) = f - f²/2 + s·(f²/2 + 2·series) loses less precision than 2s.
	half := float64(0.5 * float64(f*f))
	correction := float64(s * (half + float64(2*series)))
	e := float64(k)
	low := float64(e * ln2Low)
	return float64(e*ln2High) - ((half - (correction + low)) - f)
}
