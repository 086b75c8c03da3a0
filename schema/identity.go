package schema

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
	"strconv"
)

// The kinds of an identity, in the lowest three bits of its first byte.
const (
	missingIdentity = iota
	bytesIdentity   // length, then the bytes
	intIdentity     // a varint
	numberIdentity  // sign, odd part, exponents of 2 and of 5
	boolIdentity    // 1 for true
	listIdentity    // number of elements, then their identities
	otherIdentity   // length, then the bytes: an object
	limitIdentity   // NaN, and the infinities
)

// The forms of a numberIdentity and the values of a limitIdentity, above the bits of the kind.
const (
	positive, negative  = 0 << 3, 1 << 3
	nan, posInf, negInf = 0 << 3, 1 << 3, 2 << 3
	digitsForm          = 2 << 3 // the odd part is the digits of a decimal that no float equals
)

// AppendIdentity appends bytes that are the same for equal values, and for no others. Strings,
// cells, and bytes are equal if their bytes are. Numbers are equal if their exact values are: 1
// equals 1.0, and -0 equals 0; NaN equals NaN. A string never equals a number. The bytes of
// several values after another belong to these values only.
func (v *Value) AppendIdentity(dst []byte) []byte {
	if v.Kind == Text { // most values are cells
		return append(appendHead(dst, bytesIdentity, len(v.Text)), v.Text...)
	}
	switch v = v.unwrapSingle(); v.Kind {
	case Missing:
		return append(dst, missingIdentity)
	case String, Bytes, Text:
		return append(appendHead(dst, bytesIdentity, len(v.Text)), v.Text...)
	case Number:
		return appendDecimal(dst, v.Text)
	case Bool:
		return appendBool(dst, len(v.Text) == len("true"))
	case List:
		dst = appendHead(dst, listIdentity, len(v.List))
		for i := range v.List {
			dst = v.List[i].AppendIdentity(dst)
		}
		return dst
	case Array:
		return v.appendNumbers(dst)
	}
	return append(appendHead(dst, otherIdentity, len(v.Text)), v.Text...)
}

func appendHead(dst []byte, kind, n int) []byte {
	if n < 16 { // as below, and inlined
		return append(dst, byte(n<<3|kind))
	}
	return binary.AppendUvarint(dst, uint64(n)<<3|uint64(kind))
}

func appendBool(dst []byte, is bool) []byte {
	if is {
		return append(dst, boolIdentity|1<<3)
	}
	return append(dst, boolIdentity)
}

// appendNumbers appends the identity of an Array, which is the identity of a list of its numbers.
func (v *Value) appendNumbers(dst []byte) []byte {
	n := v.count()
	if n != 1 {
		dst = appendHead(dst, listIdentity, n)
	}
	for i := range n {
		switch {
		case v.Elem == BoolType:
			dst = appendBool(dst, v.Text[i] != 0)
		case v.Elem == Uint64:
			dst = appendNumberIdentity(dst, positive, binary.LittleEndian.Uint64(v.Text[8*i:]), 0, 0)
		default:
			if x, f, isFloat := v.NumberAt(i); isFloat {
				dst = appendFloat(dst, f)
			} else {
				dst = appendInt(dst, x)
			}
		}
	}
	return dst
}

func appendInt(dst []byte, x int64) []byte {
	if x == math.MinInt64 { // its absolute value is not an int64
		return appendNumberIdentity(dst, negative, 1<<63, 0, 0)
	}
	return binary.AppendVarint(append(dst, intIdentity), x)
}

// appendFloat appends the identity of the exact value of f.
func appendFloat(dst []byte, f float64) []byte {
	switch {
	case f != f:
		return append(dst, limitIdentity|nan)
	case math.IsInf(f, 1):
		return append(dst, limitIdentity|posInf)
	case math.IsInf(f, -1):
		return append(dst, limitIdentity|negInf)
	}
	sign := byte(positive)
	if f < 0 {
		sign, f = negative, -f
	}
	fraction, exponent := math.Frexp(f)
	return appendNumberIdentity(dst, sign, uint64(fraction*(1<<53)), exponent-53, 0) // exact: a fraction has 53 bits
}

// appendNumberIdentity appends the identity of m · 2^twos · 5^fives. An integer that an int64 holds
// has another form than other numbers.
func appendNumberIdentity(dst []byte, sign byte, m uint64, twos, fives int) []byte {
	if m == 0 {
		return appendInt(dst, 0)
	}
	zeros := bits.TrailingZeros64(m)
	m, twos = m>>zeros, twos+zeros
	for m%5 == 0 {
		m, fives = m/5, fives+1
	}
	if x, ok := product(m, twos, fives); ok {
		if sign == negative {
			x = -x
		}
		return appendInt(dst, x)
	}
	var odd [8]byte
	binary.BigEndian.PutUint64(odd[:], m)
	return appendParts(dst, sign, odd[bits.LeadingZeros64(m)/8:], twos, fives)
}

// product returns m · 2^twos · 5^fives if it is an integer below 2^63.
func product(m uint64, twos, fives int) (x int64, ok bool) {
	if twos < 0 || fives < 0 || twos > 62 || fives > 27 { // 2^63 and 5^28 are no int64
		return 0, false
	}
	for range fives {
		high, low := bits.Mul64(m, 5)
		if high != 0 {
			return 0, false
		}
		m = low
	}
	return int64(m << twos), bits.Len64(m)+twos < 64
}

// appendParts appends a number in the form of all that are not an int64.
func appendParts(dst []byte, form byte, odd []byte, twos, fives int) []byte {
	dst = binary.AppendUvarint(append(dst, numberIdentity|form), uint64(len(odd)))
	dst = binary.AppendVarint(append(dst, odd...), int64(twos))
	return binary.AppendVarint(dst, int64(fives))
}

// Decimals with more digits equal no float and no integer of a file, so their digits are their
// identity. The exact decimal of a float64 has at most 767 digits.
const mostDigits = 800

// appendDecimal appends the identity of a number in JSON's grammar.
func appendDecimal(dst, text []byte) []byte {
	if sign, m, exponent, ok := shortDecimal(text); ok {
		return appendNumberIdentity(dst, sign, m, exponent, exponent)
	}
	d, ok := parseDecimal(text)
	switch {
	case !ok:
		return append(appendHead(dst, otherIdentity, len(text)), text...)
	case len(d.digits) == 0:
		return appendInt(dst, 0)
	case len(d.digits) <= 19:
		m, err := strconv.ParseUint(string(d.digits), 10, 64)
		if err == nil {
			return appendNumberIdentity(dst, d.sign, m, d.exponent, d.exponent)
		}
	case len(d.digits) > mostDigits:
		return appendParts(dst, d.sign|digitsForm, d.digits, d.exponent, d.exponent)
	}
	return d.appendLong(dst)
}

// shortDecimal parses a number of few digits without an exponent.
func shortDecimal(text []byte) (sign byte, m uint64, exponent int, ok bool) {
	if len(text) > 0 && text[0] == '-' {
		sign, text = negative, text[1:]
	}
	if len(text) > 19 { // more may not fit a uint64
		return 0, 0, 0, false
	}
	for i, c := range text {
		switch {
		case '0' <= c && c <= '9':
			m = 10*m + uint64(c-'0')
		case c == '.' && exponent == 0 && i+1 < len(text):
			exponent = i + 1 - len(text)
		default:
			return 0, 0, 0, false
		}
	}
	return sign, m, exponent, len(text) > 0
}

// A longDecimal is digits · 10^exponent. The digits begin and end with another digit than 0; there are
// none for 0.
type longDecimal struct {
	sign     byte
	digits   []byte
	exponent int
}

// parseDecimal parses a number in JSON's grammar. It returns false for other text, and for an
// exponent that does not fit.
func parseDecimal(text []byte) (d longDecimal, ok bool) {
	if len(text) > 0 && text[0] == '-' {
		d.sign, text = negative, text[1:]
	}
	end, point := len(text), -1
	for i, c := range text {
		if c == 'e' || c == 'E' {
			end = i
			break
		}
		if c == '.' && point < 0 {
			point = i
		} else if c < '0' || c > '9' {
			return d, false
		}
	}
	d.digits = text[:end:end]
	ok = true
	if end < len(text) {
		exponent, err := strconv.ParseInt(string(text[end+1:]), 10, 32)
		d.exponent, ok = int(exponent), err == nil
	}
	if point >= 0 {
		d.exponent -= end - point - 1
		d.digits = append(d.digits[:point:point], text[point+1:end]...)
	}
	d.trim()
	return d, len(text) > 0 && (ok || len(d.digits) == 0)
}

// trim removes zeros at both ends of the digits.
func (d *longDecimal) trim() {
	for len(d.digits) > 0 && d.digits[0] == '0' {
		d.digits = d.digits[1:]
	}
	for n := len(d.digits); n > 0 && d.digits[n-1] == '0'; n-- {
		d.digits, d.exponent = d.digits[:n-1], d.exponent+1
	}
}

// appendLong is appendDecimal for digits that no uint64 holds.
func (d *longDecimal) appendLong(dst []byte) []byte {
	m, _ := new(big.Int).SetString(string(d.digits), 10)
	twos, fives := int(m.TrailingZeroBits()), 0
	m.Rsh(m, uint(twos))
	for quotient, rest, five := new(big.Int), new(big.Int), big.NewInt(5); ; fives++ {
		if quotient.QuoRem(m, five, rest); rest.Sign() != 0 {
			break
		}
		m.Set(quotient)
	}
	if m.IsUint64() {
		return appendNumberIdentity(dst, d.sign, m.Uint64(), d.exponent+twos, d.exponent+fives)
	}
	return appendParts(dst, d.sign, m.Bytes(), d.exponent+twos, d.exponent+fives)
}
