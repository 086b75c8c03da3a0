package resample

// sine returns the sine of x for |x| <= 10, within 0.53 units in the last place. It replaces
// math.Sin, whose rounding may change with the version of Go, and which is assembly on some
// processors.
//
// It subtracts multiples of half pi from x. The rest is at most 0.8, and is near one of 27 points
// whose sines and cosines are known to 106 bits:
//
//	sin(p+r) = sin p + r cos p + (cos r - 1) sin p + (sin r - r) cos p
//
// All terms but the first are small. Each product is converted explicitly, so that no compiler
// fuses it with a sum.
func sine(x float64) float64 {
	quarter := int(float64(x*twoOverPi)+4096.5) - 4096 // nearest integer, also for negative x
	n := float64(quarter)
	high := x - float64(n*halfPi1) // exact: halfPi1 has 33 bits
	low := float64(n * halfPi2)
	r := high - low
	rest := (high - r) - low
	rest -= float64(n * halfPi3)
	switch quarter & 3 {
	case 0:
		return sineNear(r, rest)
	case 1:
		return cosineNear(r, rest)
	case 2:
		return -sineNear(r, rest)
	default:
		return -cosineNear(r, rest)
	}
}

// Half pi in three parts of 33, 33, and 53 bits.
const (
	twoOverPi = 0x1.45f306dc9c883p-1
	halfPi1   = 0x1.921fb544p+0
	halfPi2   = 0x1.0b4611a6p-34
	halfPi3   = 0x1.3198a2e037073p-69
)

// sineNear returns the sine of r + rest for |r| <= 0.8. rest is less than the last bit of r.
func sineNear(r, rest float64) float64 {
	if r < 0 {
		return -sineNear(-r, -rest)
	}
	if r < 0.25 {
		s := float64(r * r)
		p := 1.0/362880 - float64(s*(1.0/39916800-float64(s*(1.0/6227020800))))
		p = 1.0/120 - float64(s*(1.0/5040-float64(s*p)))
		p = -1.0/6 + float64(s*p)
		return r + (rest + float64(float64(r*s)*p))
	}
	p, d := nearestPoint(r)
	s, c := aroundPoint(d)
	small := float64(p.sin*c) + float64(p.cos*s) + p.sinLow + float64(p.cosLow*d) + float64(p.cos*rest)
	return p.sin + (float64(p.cos*d) + small)
}

// cosineNear returns the cosine of r + rest, with the conditions of sineNear.
func cosineNear(r, rest float64) float64 {
	if r < 0 {
		r, rest = -r, -rest
	}
	p, d := nearestPoint(r)
	s, c := aroundPoint(d)
	small := float64(p.cos*c) - float64(p.sin*s) + p.cosLow - float64(p.sinLow*d) - float64(p.sin*rest)
	return p.cos + (small - float64(p.sin*d))
}

// nearestPoint returns the known point nearest to r, and the distance of r from it.
func nearestPoint(r float64) (p *point, d float64) {
	at := int(float64(r*32) + 0.5)
	return &points[at], r - float64(float64(at)/32)
}

// A point is a sine and a cosine in two parts each: the nearest float64, and the float64 nearest
// to the remaining error.
type point struct{ sin, sinLow, cos, cosLow float64 }

// aroundPoint returns sin d - d and cos d - 1 for |d| <= 1/64.
func aroundPoint(d float64) (s, c float64) {
	q := float64(d * d)
	s = float64(float64(d*q) * (-1.0/6 + float64(q*(1.0/120-float64(q*(1.0/5040))))))
	c = float64(q * (-0.5 + float64(q*(1.0/24-float64(q*(1.0/720-float64(q*(1.0/40320))))))))
	return s, c
}
