package expr

import (
	"unicode"
	"unicode/utf8"
)

// appendLower appends a string in lower case.
func appendLower(dst, text []byte) []byte { return appendCase(dst, text, unicode.ToLower) }

// appendUpper appends a string in upper case.
func appendUpper(dst, text []byte) []byte { return appendCase(dst, text, unicode.ToUpper) }

// appendCase appends a string in the case to which convert converts a character. Bytes that are not
// UTF-8 do not change.
func appendCase(dst, text []byte, convert func(rune) rune) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		to := convert(r)
		if to == r || r >= utf8.RuneSelf && !(unicode.Is(known, r) && unicode.Is(known, to)) {
			dst = append(dst, text[:size]...)
		} else {
			dst = utf8.AppendRune(dst, to)
		}
		text = text[size:]
	}
	return dst
}

// known has the characters of Unicode 15.0 around those that have another case. Go's tables follow
// the versions of Unicode, which never change a pair of characters, but add some: a new version of
// Go must not change the results of expressions.
var known = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1, 0x377, 1}, {0x37a, 0x37f, 1}, {0x384, 0x38a, 1}, {0x38c, 0x38c, 1}, {0x38e, 0x3a1, 1}, {0x3a3, 0x52f, 1},
		{0x531, 0x556, 1}, {0x559, 0x58a, 1}, {0x1000, 0x10c5, 1}, {0x10c7, 0x10c7, 1}, {0x10cd, 0x10cd, 1},
		{0x10d0, 0x1248, 1}, {0x13a0, 0x13f5, 1}, {0x13f8, 0x13fd, 1}, {0x1c4d, 0x1c88, 1}, {0x1c90, 0x1cba, 1},
		{0x1cbd, 0x1cc7, 1}, {0x1d00, 0x1f15, 1}, {0x1f18, 0x1f1d, 1}, {0x1f20, 0x1f45, 1}, {0x1f48, 0x1f4d, 1},
		{0x1f50, 0x1f57, 1}, {0x1f59, 0x1f59, 1}, {0x1f5b, 0x1f5b, 1}, {0x1f5d, 0x1f5d, 1}, {0x1f5f, 0x1f7d, 1},
		{0x1f80, 0x1fb4, 1}, {0x1fb6, 0x1fc4, 1}, {0x1fc6, 0x1fd3, 1}, {0x1fd6, 0x1fdb, 1}, {0x1fdd, 0x1fef, 1},
		{0x1ff2, 0x1ff4, 1}, {0x1ff6, 0x1ffe, 1}, {0x2100, 0x218b, 1}, {0x2460, 0x2b73, 1}, {0x2b97, 0x2cf3, 1},
		{0x2cf9, 0x2d25, 1}, {0x2d27, 0x2d27, 1}, {0x2d2d, 0x2d2d, 1}, {0xa640, 0xa6f7, 1}, {0xa700, 0xa7ca, 1},
		{0xa7d0, 0xa7d1, 1}, {0xa7d5, 0xa7d9, 1}, {0xa7f2, 0xa82c, 1}, {0xab30, 0xab6b, 1}, {0xab70, 0xabed, 1},
		{0xff01, 0xffbe, 1},
	},
	R32: []unicode.Range32{
		{0x10400, 0x1049d, 1}, {0x104b0, 0x104d3, 1}, {0x104d8, 0x104fb, 1}, {0x1056f, 0x1057a, 1}, {0x1057c, 0x1058a, 1},
		{0x1058c, 0x10592, 1}, {0x10594, 0x10595, 1}, {0x10597, 0x105a1, 1}, {0x105a3, 0x105b1, 1}, {0x105b3, 0x105b9, 1},
		{0x105bb, 0x105bc, 1}, {0x10c80, 0x10cb2, 1}, {0x10cc0, 0x10cf2, 1}, {0x118a0, 0x118f2, 1}, {0x16e40, 0x16e9a, 1},
		{0x1e900, 0x1e94b, 1},
	},
}
