package schema

import "math"

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
	negative, digits := cutSign(text)
	if len(digits) == 0 {
		return 0, false, numberSyntax
	}
	var sum uint64
	over := false
	for _, c := range digits {
		if c-'0' > 9 {
			return 0, false, numberSyntax
		}
		// Not an end yet: a letter may follow, and then it is no number at all.
		over = over || sum > (math.MaxUint64-9)/10
		sum = sum*10 + uint64(c-'0')
	}
	zeros = digits[0] == '0' && len(digits) > 1
	x, fits := signed(sum, negative)
	if over || !fits {
		return 0, zeros, numberRange
	}
	return x, zeros, numberFine
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
	d, ok := scanDecimal(text)
	if !ok {
		return 0, numberSyntax
	}
	size, exponent := d.digits, d.exponent
	if d.more {
		if exponent <= 0 {
			return 0, numberSyntax
		}
		return 0, numberRange
	}
	for ; exponent < 0 && size != 0; exponent++ {
		if size%10 != 0 {
			return 0, numberSyntax
		}
		size /= 10
	}
	for ; exponent > 0 && size != 0; exponent-- {
		if size > math.MaxInt64/10 {
			return 0, numberRange
		}
		size *= 10
	}
	x, fits := signed(size, d.negative)
	if !fits {
		return 0, numberRange
	}
	return x, numberFine
}
