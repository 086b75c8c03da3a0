package expr

import "unicode/utf8"

// This file converts between upper and lower case by the simple mappings of Unicode 15.0, one
// character to one. Go's tables follow the versions of Unicode, which would change the results of
// expressions.

// A caseRun is a range of characters with the same distance to their other case: each character
// from lo to hi, or every other one.
type caseRun struct {
	lo, hi rune
	stride rune // 1 or 2
	delta  rune
}

// appendLower appends a string in lower case.
func appendLower(dst, text []byte) []byte { return appendOtherCase(dst, text, 'A', lowers[:]) }

// appendUpper appends a string in upper case.
func appendUpper(dst, text []byte) []byte { return appendOtherCase(dst, text, 'a', uppers[:]) }

// appendOtherCase appends a string with the letters of one case in the other one. first is the first ASCII letter of
// that case.
func appendOtherCase(dst, text []byte, first byte, runs []caseRun) []byte {
	for i := 0; i < len(text); {
		c := text[i]
		if c >= utf8.RuneSelf {
			dst, i = appendMapped(dst, text, i, runs)
			continue
		}
		if first <= c && c <= first+'z'-'a' {
			c ^= 'a' - 'A'
		}
		dst = append(dst, c)
		i++
	}
	return dst
}

// appendMapped appends the character at text[i] in the other case. It appends an invalid byte
// unchanged. It returns the index of the next character.
func appendMapped(dst, text []byte, i int, runs []caseRun) ([]byte, int) {
	r, size := utf8.DecodeRune(text[i:])
	if r == utf8.RuneError && size == 1 {
		return append(dst, text[i]), i + 1
	}
	return utf8.AppendRune(dst, mapRune(r, runs)), i + size
}

// mapRune returns the other case of r, or r if it has none.
func mapRune(r rune, runs []caseRun) rune {
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
