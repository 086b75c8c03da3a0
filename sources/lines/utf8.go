package lines

import "unicode/utf8"

// FirstInvalid returns the offset of the first byte of text that is not UTF-8, or the length of
// text.
func FirstInvalid(text []byte) int {
	for p := 0; p < len(text); {
		r, size := utf8.DecodeRune(text[p:])
		if r == utf8.RuneError && size <= 1 {
			return p
		}
		p += size
	}
	return len(text)
}
