package config

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// plainText reports whether src is UTF-8 without control characters, which
// YAML has no place for.
func plainText(f *faults, src []byte) bool {
	text := bytes.TrimPrefix(src, []byte("\ufeff"))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		wrong := ""
		switch {
		case r == utf8.RuneError && size == 1:
			wrong = fmt.Sprintf("the byte 0x%02x is not UTF-8", text[i])
		case r == 0:
			wrong = "a NUL byte"
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', r == 0x7f, 0x80 <= r && r < 0xa0 && r != 0x85,
			r == 0xfeff, r == 0xfffe, r == 0xffff:
			wrong = fmt.Sprintf("the control character %U", r)
		}
		if wrong != "" {
			before := text[:i]
			line := bytes.LastIndexByte(before, '\n') + 1
			f.add(Problem{Line: bytes.Count(before, []byte("\n")) + 1, Col: utf8.RuneCount(before[line:]) + 1,
				Text: wrong, Hint: "a config is a text in UTF-8"})
			return false
		}
		i += size
	}
	return true
}
