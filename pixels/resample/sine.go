package resample

// sine returns the sine of x for |x| <= 10, within 1.4 units in the last place. It replaces
// math.Sin, whose rounding may change with the version of Go, and which is assembly on some
// processors.
//
// It subtracts multiples of half pi from x. The rest r is at most 0.8:
//
//	sin r = r (1 - r²/(2·3) (1 - r²/(4·5) (1 - …
//	cos r =    1 - r²/(1·2) (1 - r²/(3·4) (1 - …
//
// Each product is converted explicitly, so that no compiler fuses it with a sum.
func sine(x float64) float64 {
	quarter := int(float64(x*twoOverPi)+4096.5) - 4096 // nearest integer, also for negative x
	n := float64(quarter)
	r := float64(x-float64(n*halfPi1)) - float64(n*halfPi2) // the first product is exact: halfPi1 has 33 bits
	square := float64(r * r)
	first, rest := r, 0.0
	if quarter&1 != 0 {
		first = 1
	}
	for _, factor := range &factors[quarter&1] {
		rest = float64(float64(square*factor) * (1 - rest))
	}
	sum := first - float64(first*rest)
	if quarter&2 != 0 {
		return -sum
	}
	return sum
}

// Half pi is halfPi1 + halfPi2.
const (
	twoOverPi = 0x1.45f306dc9c883p-1
	halfPi1   = 0x1.921fb544p+0
	halfPi2   = 0x1.0b4611a626331p-34
)

// factors are the factors of the series of sine and cosine, the last one first.
var factors = [2][9]float64{
	{1. / (18 * 19), 1. / (16 * 17), 1. / (14 * 15), 1. / (12 * 13), 1. / (10 * 11), 1. / (8 * 9), 1. / (6 * 7),
		1. / (4 * 5), 1. / (2 * 3)},
	{1. / (17 * 18), 1. / (15 * 16), 1. / (13 * 14), 1. / (11 * 12), 1. / (9 * 10), 1. / (7 * 8), 1. / (5 * 6),
		1. / (3 * 4), 1. / (1 * 2)},
}
