// Package textformat reads messages and writes strings of protobuf's text format:
// https://protobuf.dev/reference/protobuf/textformat-spec
package textformat

import "unicode/utf8"

// firstPlain is the first character after the control characters of Latin-1. All characters below
// it, except ASCII, are not printable.
const firstPlain = 0xa0

// AppendQuoted appends a string literal to out. Printable characters are not escaped, others are octal.
// It uses no Unicode table, because these change.
func AppendQuoted(out []byte, s string) []byte {
	out = append(out, '"')
	for _, r := range s {
		switch {
		case r == '\n':
			out = append(out, `\n`...)
		case r == '\r':
			out = append(out, `\r`...)
		case r == '\t':
			out = append(out, `\t`...)
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case ' ' <= r && r <= '~' || firstPlain <= r && !isHidden(r):
			out = utf8.AppendRune(out, r)
		default:
			out = appendOctal(out, r)
		}
	}
	return append(out, '"')
}

// isHidden reports whether a character ends lines or changes the direction of its neighbors, so
// that a string would look like another one.
func isHidden(r rune) bool {
	return 0x200e <= r && r <= 0x200f || 0x2028 <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069 || r == 0xfeff
}

func appendOctal(out []byte, r rune) []byte {
	for _, b := range utf8.AppendRune(nil, r) {
		out = append(out, '\\', '0'+b>>6, '0'+b>>3&7, '0'+b&7)
	}
	return out
}
