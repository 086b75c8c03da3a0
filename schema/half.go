package schema

import (
	"bytes"
	"cmp"
	"math"
	"strconv"
)

// A float16Format is a format of 16-bit floats: the bits of the significand, the exponent of the
// smallest positive number as a power of 2, and the bits of infinity.
type float16Format struct {
	digits   int
	smallest int
	infinity uint16
}

// The formats of Float16, which is IEEE 754 binary16, and of Bfloat16, the upper half of a float32.
var (
	halfFormat  = float16Format{11, -24, 0x7c00}
	brainFormat = float16Format{8, -133, 0x7f80}
)

// parse parses a decimal and returns the bits of the nearest number of the format, ties to even.
//
// The midpoint of two neighbors in the format is always a double. So the double nearest to the
// decimal is on the same side of the midpoint as the decimal. If the double equals the midpoint,
// the digits of the decimal decide.
func (f *float16Format) parse(text []byte) (bits uint16, v parseResult) {
	double, v := parseDouble(text)
	if v == numberSyntax || v == numberRange {
		return 0, v
	}
	x := math.Float64frombits(double)
	if f.isMidpoint(x) {
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
	return bits, numberOK
}

// scaled returns the absolute value of x as a multiple of the distance between neighboring numbers
// of the format. power is the exponent of that distance, relative to the smallest.
func (f *float16Format) scaled(x float64) (steps float64, power int) {
	if x == 0 {
		return 0, 0
	}
	_, exponent := math.Frexp(x)
	power = max(exponent-f.digits-f.smallest, 0)
	return math.Ldexp(math.Abs(x), -f.smallest-power), power
}

// isMidpoint reports whether x is halfway between two numbers of the format.
func (f *float16Format) isMidpoint(x float64) bool {
	steps, _ := f.scaled(x)
	return steps-math.Floor(steps) == 0.5
}

// round returns the bits of the number nearest to x, which is finite; ties to even.
func (f *float16Format) round(x float64) uint16 {
	steps, power := f.scaled(x)
	// Below 2^digits steps, the highest bit of the steps overlaps the lowest bit of the power. So
	// their sum is correct, even if rounding carries into the next power.
	bits := uint64(math.RoundToEven(steps)) + uint64(power)<<(f.digits-1)
	return f.sign(x) | uint16(min(bits, uint64(f.infinity)))
}

// convert is round for any x, also for nan and inf.
func (f *float16Format) convert(x float64) uint16 {
	switch {
	case math.IsNaN(x):
		return f.nan()
	case math.IsInf(x, 0):
		return f.sign(x) | f.infinity
	}
	return f.round(x)
}

// nan returns the bits of nan that most processors produce: the highest bit of the fraction is set.
func (f *float16Format) nan() uint16 { return f.infinity | 1<<(f.digits-2) }

func (f *float16Format) sign(x float64) uint16 {
	if math.Signbit(x) {
		return 1 << 15
	}
	return 0
}

// double converts bits to a float64, which is exact.
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

// parseDouble parses a decimal and returns the bits of the nearest double. The result equals
// strconv.ParseFloat(text, 64).
func parseDouble(text []byte) (double uint64, v parseResult) {
	d, ok := scanDecimal(text)
	if !ok {
		return 0, numberSyntax
	}
	if x, ok := d.double(); ok {
		return math.Float64bits(x), numberOK
	}
	f, err := strconv.ParseFloat(string(text), 64)
	switch {
	case err != nil:
		return 0, numberRange
	case f == 0:
		return math.Float64bits(f), numberUnderflow
	}
	return math.Float64bits(f), numberOK
}

// midpointDigits is larger than the number of decimal digits of any midpoint of two 16-bit floats.
const midpointDigits = 160

// compareDecimal compares the absolute values of a valid decimal and of x, the double nearest to
// it. x is the midpoint of two 16-bit floats. The result is -1 if the decimal is smaller, and 1 if
// it is larger. It compares digit by digit, since no float has enough of them.
func compareDecimal(text []byte, x float64) int {
	var buffer [midpointDigits + 16]byte
	exact := strconv.AppendFloat(buffer[:0], math.Abs(x), 'e', midpointDigits-1, 64)
	end := bytes.IndexByte(exact, 'e')
	exponent, _ := strconv.Atoi(string(exact[end+1:]))
	d, _ := scanDecimal(text)
	if c := cmp.Compare(d.exponent+decimalDigits(d.digits)-1, exponent); c != 0 {
		return c
	}
	exact[1] = exact[0] // overwrite the point
	digits := exact[1:end]
	for _, c := range text {
		switch {
		case c|0x20 == 'e':
			return -anyDigit(digits)
		case c-'0' > 9 || c == '0' && len(digits) == midpointDigits:
			continue // a sign, the point, or a leading zero
		case len(digits) == 0 && c != '0':
			return 1
		case len(digits) > 0 && c != digits[0]:
			return cmp.Compare(c, digits[0])
		}
		digits = digits[min(1, len(digits)):]
	}
	return -anyDigit(digits)
}

// anyDigit returns 1 if one of the digits is not 0, and otherwise 0.
func anyDigit(digits []byte) int {
	return min(1, len(bytes.TrimLeft(digits, "0")))
}

// decimalDigits returns the number of decimal digits of x.
func decimalDigits(x uint64) (n int) {
	for ; x > 0; x /= 10 {
		n++
	}
	return n
}
