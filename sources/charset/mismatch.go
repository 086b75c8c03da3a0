package charset

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"tfr-build/schema"
)

// sniffed is how many bytes of a file show its encoding.
const sniffed = 64

func hasPrefix(text []byte, prefix string) bool { return bytes.HasPrefix(text, []byte(prefix)) }

// Mismatch returns an error if the decoded beginning of a file shows that the file is in another
// encoding. 64 bytes are enough.
func (e Encoding) Mismatch(head []byte) *schema.RowError {
	looks, enc := "", UTF8
	const mark = "begins with the byte order mark of"
	switch {
	case e == UTF8:
		looks, enc = utf16Pattern(head)
	case e == UTF16LE && hasPrefix(head, "\ufffe"):
		looks, enc = mark, UTF16BE
	case e == UTF16BE && hasPrefix(head, "\ufffe"):
		looks, enc = mark, UTF16LE
	case e != Latin1 && isASCII16(head):
		looks = "looks like"
	case e == Latin1 && hasPrefix(head, "ï»¿"):
		looks = mark
	case e == Latin1 && hasPrefix(head, "ÿþ"):
		looks, enc = mark, UTF16LE
	case e == Latin1 && hasPrefix(head, "þÿ"):
		looks, enc = mark, UTF16BE
	}
	if looks == "" {
		return nil
	}
	return &schema.RowError{Code: "ENCODING", At: 0,
		Message: looks + " " + strings.ToUpper(enc.String()), Hint: "encoding: " + enc.String()}
}

// isASCII16 reports whether a head that was decoded from UTF-16 is in fact ASCII, two characters
// per unit. It also recognizes the byte order mark of UTF-8. Real UTF-16 soon has a comma or a line
// end.
func isASCII16(head []byte) bool {
	const enough = 8
	text := func(b rune) bool { return b >= ' ' && b <= '~' || b == '\n' || b == '\r' || b == '\t' }
	n := 0
	for _, r := range string(head[:min(len(head), sniffed)]) {
		switch {
		case n == 0 && (r == '\ubbef' || r == '\uefbb'):
			return true
		case r == utf8.RuneError: // cut off, or half a pair
		case !text(r>>8) || !text(r&0xff):
			return false
		}
		n++
	}
	return n >= enough
}

// utf16Pattern recognizes UTF-16 by its byte order mark, or by a NUL in every second byte of text
// that is mostly ASCII.
func utf16Pattern(head []byte) (looks string, enc Encoding) {
	switch {
	case hasPrefix(head, "\xff\xfe"):
		return "looks like", UTF16LE
	case hasPrefix(head, "\xfe\xff"):
		return "looks like", UTF16BE
	}
	head = head[:min(len(head), sniffed)&^1]
	var nuls [2]int
	for i, b := range head {
		if b == 0 {
			nuls[i&1]++
		}
	}
	switch enough := len(head)/4 + 1; {
	case nuls[1] >= enough && nuls[0] == 0:
		return "looks like", UTF16LE
	case nuls[0] >= enough && nuls[1] == 0:
		return "looks like", UTF16BE
	}
	return "", UTF8
}

// Invalid returns the error of the byte rec[at] of decoded text, which is not part of a character.
func (e Encoding) Invalid(rec []byte, at int) *schema.RowError {
	if e != UTF8 {
		message := "half of a surrogate pair"
		if rec[at] == oddByte {
			message = "the last character is cut in half"
		}
		return &schema.RowError{Code: "ENCODING", At: at,
			Message: message + "; this is not " + strings.ToUpper(e.String())}
	}
	err := &schema.RowError{Code: "UTF8_INVALID", At: at,
		Message: fmt.Sprintf("byte 0x%02x is not UTF-8", rec[at])}
	if likeLatin1(rec, at) {
		err.Hint = "encoding: latin-1"
	}
	return err
}

// likeLatin1 reports whether the byte at the offset is a letter or sign of Latin-1 and has only
// ASCII next to it.
func likeLatin1(rec []byte, at int) bool {
	return rec[at] >= 0xa0 && (at == 0 || rec[at-1] < 0x80) && (at+1 == len(rec) || rec[at+1] < 0x80)
}

// Guess returns the encoding of text that begins with head. whole is true if head is all of it.
// guessed is true if the text is treated as Latin-1 only because it is not UTF-8.
func Guess(head []byte, whole bool) (enc Encoding, guessed bool) {
	if bad := UTF8.Mismatch(head); bad != nil {
		if enc, ok := Parse(strings.TrimPrefix(bad.Hint, "encoding: ")); ok {
			return enc, false
		}
	}
	valid := head
	if !whole { // it may end inside a character
		for i := 0; i < utf8.UTFMax && len(valid) > 0 && !utf8.RuneStart(valid[len(valid)-1]); i++ {
			valid = valid[:len(valid)-1]
		}
		valid = valid[:max(0, len(valid)-1)]
	}
	if utf8.Valid(valid) {
		return UTF8, false
	}
	return Latin1, true
}
