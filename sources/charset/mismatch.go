package charset

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/sources/lines"
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

// A Guess is what the beginning of a file shows about its encoding.
type Guess struct {
	Encoding Encoding
	Note     string // the reason, if it is not UTF-8
	Problem  string // what the text is, if no encoding reads it
}

// NewGuess guesses the encoding of text from its beginning. complete says that head is all of it.
func NewGuess(head []byte, complete bool) (g Guess) {
	if bad := UTF8.Mismatch(head); bad != nil {
		g.Encoding, _ = Parse(strings.TrimPrefix(bad.Hint, "encoding: "))
		g.Note = "as the file begins"
		return g
	}
	if at := bytes.IndexByte(head, 0); at >= 0 {
		g.Problem = fmt.Sprintf("text with a NUL byte in line %d; tr -d '\\000' < OLD > NEW removes such bytes",
			bytes.Count(head[:at], []byte("\n"))+1)
		if bytes.ContainsAny(head, "\x01\x02\x03\x04\x05\x06\x07\x7f") ||
			bytes.Count(head, []byte{0}) > bytes.Count(head, []byte("\n")) {
			g.Problem = "binary data of a kind that is not read"
		}
		return g
	}
	if !complete { // it may end inside a character
		for i := 0; i < utf8.UTFMax && len(head) > 0 && !utf8.RuneStart(head[len(head)-1]); i++ {
			head = head[:len(head)-1]
		}
		head = head[:max(0, len(head)-1)]
	}
	at := lines.FirstInvalid(head)
	if at == len(head) {
		return g
	}
	line := bytes.Count(head[:at], []byte("\n")) + 1
	g.Encoding, g.Note = Latin1, fmt.Sprintf("a guess: the byte 0x%02x in line %d is not UTF-8", head[at], line)
	invalid := 0
	for i := at; i < len(head); {
		r, size := utf8.DecodeRune(head[i:])
		switch {
		case r != utf8.RuneError || size > 1:
			i += size
			if size > 1 { // a character of UTF-8, which text in Latin-1 hardly has
				invalid--
			}
			continue
		case !isLatin1(head, i) && g.Problem == "":
			g.Problem = fmt.Sprintf("text with the byte 0x%02x in line %d, which is not UTF-8, UTF-16, or Latin-1; "+
				"iconv -f WINDOWS-1252 -t UTF-8 OLD > NEW converts it, if that is its encoding", head[i],
				bytes.Count(head[:i], []byte("\n"))+1)
		}
		invalid++
		i++
	}
	if multi := utf8.RuneCount(head[:at]) < at; multi || invalid < 0 {
		return Guess{} // the rows with other bytes are invalid
	}
	return g
}

// isLatin1 reports whether a byte may be a character of Latin-1: not a control, a sign before a letter, or one of
// three such bytes.
func isLatin1(text []byte, at int) bool {
	const before = "¡¿«»°ªºµ·©£§²" // signs that may be before a letter
	c, next := text[at], byte(' ')
	if at+1 < len(text) {
		next = text[at+1]
	}
	isSign := c > 0xa0 && c < 0xc0 && !strings.ContainsRune(before, rune(c))
	isLetter := next >= 0xa0 || next|0x20 >= 'a' && next|0x20 <= 'z'
	return c >= 0xa0 && !(isSign && isLetter) && !(at > 1 && text[at-1] >= 0xa0 && text[at-2] >= 0xa0)
}
