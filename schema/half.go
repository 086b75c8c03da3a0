package schema

import (
	"bytes"
	"cmp"
	"math"
	"strconv"
)

// A float16Format is a format of floats of 16 bits: how many digits, in bits, a
// number has, what its smallest number above 0 is a power of 2 of, and the bits of
// infinity.
type float16Format struct {
	digits   int
	smallest int
	infinity uint16
}

// The formats of Float16, which is IEEE 754's, and of Bfloat16, the upper half of a
// float32.
var (
	halfFormat  = float16Format{11, -24, 0x7c00}
	brainFormat = float16Format{8, -133, 0x7f80}
)

// parse reads a decimal and returns the bits of the nearest number of the format,
// of two equally near ones the even one.
//
// A double that is nearest to the decimal is on the same side of the middle between
// two numbers of the format, since each such middle is a double. It says nothing
// only where it is such a middle itself: then the digits decide.
func (f *float16Format) parse(text []byte) (bits uint16, v verdict) {
	double, v := parseDouble(text)
	if v == numberSyntax || v == numberRange {
		return 0, v
	}
	x := math.Float64frombits(double)
	if f.isMiddle(x) {
		switch compareDecimal(text, x) {
		case -1:
			x = math.Nextafter(x, 0)
		case 1:
			x = math.Nextafter(x, math.Copysign(math.Inf(1), x))
		}
	}
	bits = f.round(x)
	switch {
	case bits&0x7fff == f.infinity:
		return 0, numberRange
	case bits&0x7fff == 0 && (x != 0 || v == numberUnderflow):
		return bits, numberUnderflow
	}
	return bits, numberFine
}

// scaled returns the size of x, in steps from one number of the format to the next,
// and which step that is: the power of 2 above the smallest.
func (f *float16Format) scaled(x float64) (steps float64, power int) {
	if x == 0 {
		return 0, 0
	}
	_, exponent := math.Frexp(x)
	power = max(exponent-f.digits-f.smallest, 0)
	return math.Ldexp(math.Abs(x), -f.smallest-power), power
}

// isMiddle says whether x is half way between two numbers of the format.
func (f *float16Format) isMiddle(x float64) bool {
	steps, _ := f.scaled(x)
	return steps-math.Floor(steps) == 0.5
}

// round returns the bits of the number nearest to x, which is finite; of two
// equally near ones the even one.
func (f *float16Format) round(x float64) uint16 {
	steps, power := f.scaled(x)
	// A number below 2^digits steps has its highest bit where the power's lowest
	// is, so that their sum is right, whatever is rounded up to.
	bits := uint64(math.RoundToEven(steps)) + uint64(power)<<(f.digits-1)
	return f.sign(x) | uint16(min(bits, uint64(f.infinity)))
}

// convert is round for any x.
func (f *float16Format) convert(x float64) uint16 {
	switch {
	case math.IsNaN(x):
		return f.nan()
	case math.IsInf(x, 0):
		return f.sign(x) | f.infinity
	}
	return f.round(x)
}

// nan is the number that is none, as most make it: the highest bit of the fraction
// is set.
func (f *float16Format) nan() uint16 { return f.infinity | 1<<(f.digits-2) }

func (f *float16Format) sign(x float64) uint16 {
	if math.Signbit(x) {
		return 1 << 15
	}
	return 0
}

// double returns the number that bits stand for: every one is a double.
func (f *float16Format) double(bits uint16) float64 {
	size := bits & 0x7fff
	power, fraction := int(size>>(f.digits-1)), float64(size&(1<<(f.digits-1)-1))
	x := 0.0
	switch {
	case size == f.infinity:
		x = math.Inf(1)
	case size > f.infinity:
		return math.NaN()
	case power == 0:
		x = math.Ldexp(fraction, f.smallest)
	default:
		x = math.Ldexp(fraction+math.Ldexp(1, f.digits-1), f.smallest+power-1)
	}
	if bits>>15 != 0 {
		return -x
	}
	return x
}

// parseDouble reads a decimal and returns the bits of the nearest double: those of
// strconv.ParseFloat(text, 64). A quotient or product of two exact doubles is
// rounded once, hence right.
func parseDouble(text []byte) (double uint64, v verdict) {
	d, ok := scanDecimal(text)
	if !ok {
		return 0, numberSyntax
	}
	sign := uint64(0)
	if d.negative {
		sign = 1 << 63
	}
	switch {
	case d.digits == 0:
		return sign, numberFine
	case d.digits > 1<<53 || d.more || d.exponent < -22 || d.exponent > 22:
	case d.exponent < 0:
		return sign | math.Float64bits(float64(d.digits)/tens[-d.exponent]), numberFine
	default:
		return sign | math.Float64bits(float64(d.digits)*tens[d.exponent]), numberFine
	}
	f, err := strconv.ParseFloat(string(text), 64)
	switch {
	case err != nil:
		return 0, numberRange
	case f == 0:
		return sign, numberUnderflow
	}
	return math.Float64bits(f), numberFine
}

// middleDigits is more than the decimal digits of any middle between two numbers
// of 16 bits.
const middleDigits = 160

// compareDecimal compares the sizes of a decimal, checked before, and of x, a
// middle between two numbers of 16 bits that is the double nearest to it: -1 where
// the decimal is smaller, 1 where it is larger. It compares digit by digit, since
// no float holds them all.
func compareDecimal(text []byte, x float64) int {
	var buffer [middleDigits + 16]byte
	exact := strconv.AppendFloat(buffer[:0], math.Abs(x), 'e', middleDigits-1, 64)
	end := bytes.IndexByte(exact, 'e')
	exponent, _ := strconv.Atoi(string(exact[end+1:]))
	d, _ := scanDecimal(text)
	if c := cmp.Compare(d.exponent+decimalDigits(d.digits)-1, exponent); c != 0 {
		return c
	}
	exact[1] = exact[0] // in place of the point
	digits := exact[1:end]
	for _, c := range text {
		switch {
		case c|0x20 == 'e':
			return -anyDigit(digits)
		case c-'0' > 9 || c == '0' && len(digits) == middleDigits:
			continue // a sign, the point, a zero before all digits
		case len(digits) == 0 && c != '0':
			return 1
		case len(digits) > 0 && c != digits[0]:
			return cmp.Compare(c, digits[0])
		}
		digits = digits[min(1, len(digits)):]
	}
	return -anyDigit(digits)
}

// anyDigit is 1 where one of the digits is not 0.
func anyDigit(digits []byte) int {
	return min(1, len(bytes.TrimLeft(digits, "0")))
}

// decimalDigits is how many digits x has.
func decimalDigits(x uint64) (n int) {
	for ; x > 0; x /= 10 {
		n++
	}
	return n
}
