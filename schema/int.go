package schema

import (
	"math"
	"math/bits"
)

// shortInt reads an integer as most are written: a minus or nothing, then at
// most 16 digits without a leading zero. Others are parseInt's.
func shortInt(text []byte) (x int64, ok bool) {
	digits := text
	if len(text) > 0 && text[0] == '-' {
		digits = text[1:]
	}
	n := len(digits)
	// loadDigits reads eight bytes, and a leading zero is worth a notice.
	if n == 0 || n > 16 || cap(digits) < 8 || digits[0] == '0' && n > 1 {
		return 0, false
	}
	high := uint64(0)
	if n > 8 {
		first := loadDigits(digits[:n-8])
		if nonDigits(first) != 0 {
			return 0, false
		}
		high = joinDigits(first) * 100000000
		digits = digits[n-8:]
	}
	last := loadDigits(digits)
	if nonDigits(last) != 0 {
		return 0, false
	}
	x = int64(high + joinDigits(last))
	if len(text) > n {
		x = -x
	}
	return x, true
}

// parseInt reads a sign or none and decimal digits, and says whether zeros led
// them.
func parseInt(text []byte) (x int64, zeros bool, v verdict) {
	negative, size, zeros, v := parseDigits(text)
	if v != numberFine {
		return 0, zeros, v
	}
	x, fits := signed(size, negative)
	if !fits {
		return 0, zeros, numberRange
	}
	return x, zeros, numberFine
}

// parseDigits is parseInt for all that a uint64 holds, of either sign.
func parseDigits(text []byte) (negative bool, size uint64, zeros bool, v verdict) {
	negative, digits := cutSign(text)
	if len(digits) == 0 {
		return negative, 0, false, numberSyntax
	}
	over := false
	for _, c := range digits {
		if c-'0' > 9 {
			return negative, 0, false, numberSyntax
		}
		// Not an end yet: a letter may follow, and then it is no number at all.
		high, low := bits.Mul64(size, 10)
		sum := low + uint64(c-'0')
		over = over || high != 0 || sum < low
		size = sum
	}
	zeros = digits[0] == '0' && len(digits) > 1
	if over {
		return negative, 0, zeros, numberRange
	}
	return negative, size, zeros, numberFine
}

func cutSign(text []byte) (negative bool, rest []byte) {
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		return text[0] == '-', text[1:]
	}
	return false, text
}

// signed returns the number of that size and sign, if an int64 holds it.
func signed(size uint64, negative bool) (x int64, ok bool) {
	if negative {
		return -int64(size), size <= 1<<63
	}
	return int64(size), size <= math.MaxInt64
}

// parseWhole reads a decimal with a point or an exponent that is an integer:
// 180.0, 1.8e2, 1800e-1. A fraction is a numberSyntax.
func parseWhole(text []byte) (int64, verdict) {
	negative, size, v := parseWholeSize(text)
	if v != numberFine {
		return 0, v
	}
	x, fits := signed(size, negative)
	if !fits {
		return 0, numberRange
	}
	return x, numberFine
}

// parseWholeSize is parseWhole for all that a uint64 holds, of either sign.
func parseWholeSize(text []byte) (negative bool, size uint64, v verdict) {
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
	return d.negative, size, numberFine
}
