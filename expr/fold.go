package expr

import "unicode/utf8"

// This file is upper and lower case: the simple mappings of Unicode 15.0, one
// character for one. Go's own tables follow Unicode's versions, and would change what
// an expression gives.

// A caseRun is characters whose case changes by the same distance: each one from lo
// to hi, or every other one.
type caseRun struct {
	lo, hi rune
	stride rune // 1 or 2
	delta  rune
}

// appendLower appends a text in lower case.
func appendLower(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		c := text[i]
		if c >= utf8.RuneSelf {
			dst, i = appendMapped(dst, text, i, lowers[:])
			continue
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
		i++
	}
	return dst
}

// appendUpper appends a text in upper case.
func appendUpper(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		c := text[i]
		if c >= utf8.RuneSelf {
			dst, i = appendMapped(dst, text, i, uppers[:])
			continue
		}
		if 'a' <= c && c <= 'z' {
			c -= 'a' - 'A'
		}
		dst = append(dst, c)
		i++
	}
	return dst
}

// appendMapped appends the character at text[i], mapped; a byte that is no UTF-8 as it
// is. It returns where the next one is.
func appendMapped(dst, text []byte, i int, runs []caseRun) ([]byte, int) {
	r, size := utf8.DecodeRune(text[i:])
	if r == utf8.RuneError && size == 1 {
		return append(dst, text[i]), i + 1
	}
	return utf8.AppendRune(dst, mapped(r, runs)), i + size
}

// mapped is the other case of r, or r.
func mapped(r rune, runs []caseRun) rune {
	lo, hi := 0, len(runs)
	for lo < hi {
		mid := (lo + hi) / 2
		switch run := &runs[mid]; {
		case r < run.lo:
			hi = mid
		case r > run.hi:
			lo = mid + 1
		case (r-run.lo)%run.stride != 0:
			return r
		default:
			return r + run.delta
		}
	}
	return r
}
