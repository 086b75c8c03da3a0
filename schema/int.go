package schema

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// parseIntFast parses integers in their most frequent form: an optional minus, then at most 16
// digits without a leading zero. parseInt parses others.
func parseIntFast(text []byte) (x int64, ok bool) {
	digits := text
	if len(text) > 0 && text[0] == '-' {
		digits = text[1:]
	}
	n := len(digits)
	// Warnings count leading zeros, so the slow path parses them.
	if n == 0 || n > 16 || digits[0] == '0' && n > 1 {
		return 0, false
	}
	high := uint64(0)
	if n > 8 {
		first := alignDigits(binary.LittleEndian.Uint64(digits), n-8)
		if nonDigits(first) != 0 {
			return 0, false
		}
		high = joinDigits(first) * 100000000
		digits = digits[n-8:]
	}
	last := alignDigits(loadWord(digits), len(digits))
	if nonDigits(last) != 0 {
		return 0, false
	}
	x = int64(high + joinDigits(last))
	if len(text) > n {
		x = -x
	}
	return x, true
}

// parseInt parses an optional sign and decimal digits. zeros is true if they have unnecessary
// leading zeros.
func parseInt(text []byte) (x int64, zeros bool, v parseResult) {
	negative, size, zeros, v := parseDigits(text)
	if v != numberOK {
		return 0, zeros, v
	}
	x, fits := signed(size, negative)
	if !fits {
		return 0, zeros, numberRange
	}
	return x, zeros, numberOK
}

// parseDigits is parseInt for the range of a uint64, with either sign.
func parseDigits(text []byte) (negative bool, size uint64, zeros bool, v parseResult) {
	negative, digits := cutSign(text)
	if len(digits) == 0 {
		return negative, 0, false, numberSyntax
	}
	over := false
	for _, c := range digits {
		if c-'0' > 9 {
			return negative, 0, false, numberSyntax
		}
		// Do not return yet: a letter may follow, and then the string is not a number at all.
		high, low := bits.Mul64(size, 10)
		sum := low + uint64(c-'0')
		over = over || high != 0 || sum < low
		size = sum
	}
	zeros = digits[0] == '0' && len(digits) > 1
	if over {
		return negative, 0, zeros, numberRange
	}
	return negative, size, zeros, numberOK
}

func cutSign(text []byte) (negative bool, rest []byte) {
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		return text[0] == '-', text[1:]
	}
	return false, text
}

// signed returns the number with this absolute value and sign, if an int64 holds it.
func signed(size uint64, negative bool) (x int64, ok bool) {
	if negative {
		return -int64(size), size <= 1<<63
	}
	return int64(size), size <= math.MaxInt64
}

// parseWhole parses a decimal with a point or an exponent whose value is an integer: 180.0, 1.8e2,
// 1800e-1. A fraction is a numberSyntax.
func parseWhole(text []byte) (int64, parseResult) {
	negative, size, v := parseWholeSize(text)
	if v != numberOK {
		return 0, v
	}
	x, fits := signed(size, negative)
	if !fits {
		return 0, numberRange
	}
	return x, numberOK
}

// parseWholeSize is parseWhole for the range of a uint64, with either sign.
func parseWholeSize(text []byte) (negative bool, size uint64, v parseResult) {
	d, ok := scanDecimal(text)
	if !ok {
		return false, 0, numberSyntax
	}
	size, exponent := d.digits, d.exponent
	if d.more {
		if exponent <= 0 {
			return d.negative, 0, numberSyntax
		}
		return d.negative, 0, numberRange
	}
	for ; exponent < 0 && size != 0; exponent++ {
		if size%10 != 0 {
			return d.negative, 0, numberSyntax
		}
		size /= 10
	}
	for ; exponent > 0 && size != 0; exponent-- {
		high, low := bits.Mul64(size, 10)
		if high != 0 {
			return d.negative, 0, numberRange
		}
		size = low
	}
	return d.negative, size, numberOK
}
