package natural

import (
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"tfr-build/internal/testenv"
)

const precision = 160

// exactLog returns the logarithm of x with many more bits than a float64.
func exactLog(x float64) *big.Float {
	m, exponent := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, exponent = 2*m, exponent-1
	}
	result := new(big.Float).SetPrec(precision).SetInt64(int64(exponent))
	result.Mul(result, atanhSeries(big.NewRat(1, 3)))
	ratio := new(big.Rat).SetFloat64(m)
	s := new(big.Rat).Quo(new(big.Rat).Sub(ratio, big.NewRat(1, 1)), new(big.Rat).Add(ratio, big.NewRat(1, 1)))
	return result.Add(result, atanhSeries(s))
}

// atanhSeries is 2s + 2s³/3 + 2s⁵/5 + …
func atanhSeries(s *big.Rat) *big.Float {
	power := new(big.Float).SetPrec(precision).SetRat(s)
	square := new(big.Float).SetPrec(precision).Mul(power, power)
	sum := new(big.Float).SetPrec(precision)
	for i := int64(1); i < 110; i += 2 {
		term := new(big.Float).SetPrec(precision).Quo(power, new(big.Float).SetInt64(i))
		sum.Add(sum, term)
		power.Mul(power, square)
	}
	return sum.Mul(sum, big.NewFloat(2))
}

// apart returns the difference between a float and the exact number, in units of the last place.
func apart(got float64, exact *big.Float) float64 {
	difference := new(big.Float).SetPrec(precision).Sub(new(big.Float).SetFloat64(got), exact)
	d, _ := difference.Float64()
	unit := math.Nextafter(math.Abs(got), math.Inf(1)) - math.Abs(got)
	return math.Abs(d) / unit
}

// TestLog compares logarithms with logarithms of 160 bits, and their last bits with the bits that
// every processor gave.
func TestLog(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	numbers := []float64{1, 2, 0.5, 10, math.E, math.Sqrt2, math.Sqrt2 / 2, math.SmallestNonzeroFloat64,
		math.MaxFloat64, 0x1p-1022, math.Nextafter(1, 0), math.Nextafter(1, 2)}
	for range testenv.Times(2000, 30_000, 10_000_000) {
		switch random.IntN(3) {
		case 0:
			numbers = append(numbers, math.Float64frombits(random.Uint64N(0x7ff<<52-1)+1))
		case 1:
			numbers = append(numbers, 0.5+2*random.Float64())
		default:
			numbers = append(numbers, 1+math.Ldexp(random.Float64()-0.5, -random.IntN(50)))
		}
	}
	worst := 0.0
	for _, x := range numbers {
		got := Log(x)
		if got == 0 && x == 1 {
			continue
		}
		d := apart(got, exactLog(x))
		worst = max(worst, d)
		if d > 0.55 {
			t.Errorf("log(%v) = %v, which is %.3f of its last place away", x, got, d)
		}
	}
	t.Logf("of %d numbers the worst is %.4f of its last place away", len(numbers), worst)
}

// TestLogBits fails if a processor or a compiler computes other bits.
func TestLogBits(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	h := fnv.New64a()
	for range 20_000 {
		x := math.Float64frombits(random.Uint64N(0x7ff<<52-1) + 1)
		var b [8]byte
		bits := math.Float64bits(Log(x))
		for i := range b {
			b[i] = byte(bits >> (8 * i))
		}
		h.Write(b[:])
	}
	if got := h.Sum64(); got != 0x419e277233d0fdbe {
		t.Errorf("the logarithms have the sum %#x", got)
	}
}

func BenchmarkLog(b *testing.B) {
	x, sum := 0.1, 0.0
	for b.Loop() {
		sum += Log(x)
		x += 0.37
	}
	if sum == 0 {
		b.Error(sum)
	}
}
