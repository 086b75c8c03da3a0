package resample

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"tfr-build/internal/testenv"
)

// TestSine compares the sine with a series in 200 bits.
func TestSine(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	worst, at := 0.0, 0.0
	for i := range testenv.Times(3000, 100000, 10000000) {
		x := (random.Float64()*2 - 1) * 10
		if i%4 == 0 {
			x = math.Ldexp(x, -random.IntN(60))
		}
		if off := unitsOff(x, sine(x)); off > worst {
			worst, at = off, x
		}
	}
	if worst > 1.4 {
		t.Errorf("sine(%v) is %.3f units in the last place off", at, worst)
	}
	t.Logf("at most %.3f units off", worst)
	if sine(0) != 0 || sine(-1) != -sine(1) {
		t.Error("sine(0) is not 0, or sine not odd")
	}
}

// unitsOff returns the error of got as the sine of x, in units of its last place.
func unitsOff(x, got float64) float64 {
	const bits = 200
	exact := func(v float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(v) }
	term, sum := exact(x), exact(x)
	square := exact(x)
	square.Mul(square, square)
	for k := 2.0; term.Sign() != 0 && term.MantExp(nil) > -bits; k += 2 {
		term.Mul(term, square)
		term.Quo(term, exact(-k*(k+1)))
		sum.Add(sum, term)
	}
	want, _ := sum.Float64()
	unit := math.Nextafter(math.Abs(want), 1) - math.Abs(want)
	off, _ := sum.Sub(sum, exact(got)).Float64()
	return math.Abs(off) / unit
}
