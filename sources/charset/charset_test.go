package charset

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
)

// encode writes text in an encoding, UTF-16 with a byte order mark.
func encode(enc Encoding, text string) []byte {
	var out []byte
	if enc == Latin1 {
		for _, r := range text {
			out = append(out, byte(r))
		}
		return out
	}
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		if enc == UTF16BE {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return out
}

// A Decoder returns the same for all sizes of reads and of its input.
func TestDecoderReads(t *testing.T) {
	text := "\U0001f600a,é\n" + strings.Repeat("\U0001f600日\n", 9000)
	raw := append(encode(UTF16LE, text), 0x3d, 0xd8, 'x')
	want := text + "\xff\xfe"
	for name, r := range map[string]io.Reader{
		"whole":         bytes.NewReader(raw),
		"a byte a time": iotest.OneByteReader(bytes.NewReader(raw)),
		"halves":        iotest.HalfReader(bytes.NewReader(raw)),
		"end with data": iotest.DataErrReader(bytes.NewReader(raw)),
	} {
		d := NewDecoder(r, UTF16LE)
		got, err := io.ReadAll(iotest.OneByteReader(d))
		if err != nil || string(got) != want {
			t.Errorf("%s: %d bytes, %v; want %d", name, len(got), err, len(want))
		}
		if n := d.BOM + int(UTF16LE.EncodedLen(got)); n != len(raw) {
			t.Errorf("%s: %d bytes of the file, want %d", name, n, len(raw))
		}
	}
}

func TestDecoderErrors(t *testing.T) {
	broken := errors.New("broken")
	d := NewDecoder(io.MultiReader(strings.NewReader("a\x00b\x00"), iotest.ErrReader(broken)), UTF16LE)
	if got, err := io.ReadAll(d); string(got) != "ab" || err != broken {
		t.Errorf("%q, %v", got, err)
	}
	for in, want := range map[string]string{
		"":                         "",
		"\xff":                     "\xfe",
		"\xff\xfe":                 "",
		"\x00\xd8a\x00":            "\xffa",    // the first half alone
		"\x00\xdc\x00\xd8":         "\xff\xff", // in the wrong order
		"\x3d\xd8\x3d\xd8\x00\xde": "\xff\U0001f600",
	} {
		got, err := io.ReadAll(NewDecoder(strings.NewReader(in), UTF16LE))
		if err != nil || string(got) != want {
			t.Errorf("%q: %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestParse(t *testing.T) {
	for _, name := range []string{"utf-8", "utf-16le", "utf-16be", "latin-1"} {
		if e, ok := Parse(name); !ok || e.String() != name {
			t.Errorf("%s: %v, %v", name, e, ok)
		}
	}
	if e, ok := Parse("utf-7"); ok {
		t.Errorf("utf-7 is %v", e)
	}
}

// TestDecode decodes complete files. It rejects files in another encoding and files that are too
// long.
func TestDecode(t *testing.T) {
	for _, test := range []struct {
		enc           Encoding
		content       string
		limit         int
		want, message string
	}{
		{UTF8, "\xef\xbb\xbfGrüße", 100, "Grüße", ""},
		{UTF8, "", 100, "", ""},
		{Latin1, "Gr\xfc\xdfe", 100, "Grüße", ""},
		{Latin1, "Gr\xfc\xdfe", 7, "Grüße", ""},
		{Latin1, "Gr\xfc\xdfe", 6, "", "LIMIT_RECORD: the file has more than 6 bytes as UTF-8 (limits.record)"},
		{UTF16LE, "\xff\xfeG\x00\xfc\x00", 100, "Gü", ""},
		{UTF16BE, "\x00G\x00\xfc", 100, "Gü", ""},
		{UTF8, "Gr\xfc\xdfe", 100, "", "UTF8_INVALID: byte 0xfc is not UTF-8"},
		{UTF8, "Gr\xfc, ", 100, "", "UTF8_INVALID: byte 0xfc is not UTF-8; encoding: latin-1"},
		{UTF8, "\xff\xfeG\x00", 100, "", "ENCODING: looks like UTF-16LE; encoding: utf-16le"},
		{UTF16LE, "G\x00\x00\xd8", 100, "", "ENCODING: half of a surrogate pair; this is not UTF-16LE"},
		{UTF16LE, "G\x00x", 100, "", "ENCODING: the last character is cut in half; this is not UTF-16LE"},
	} {
		got, bad := test.enc.Decode([]byte("before"), []byte(test.content), test.limit)
		message := ""
		if bad != nil {
			message = bad.Code + ": " + bad.Message
			if bad.Hint != "" {
				message += "; " + bad.Hint
			}
		}
		if string(got) != "before"+test.want || message != test.message {
			t.Errorf("%q as %v: %q, %q; want %q, %q", test.content, test.enc, got, message, test.want, test.message)
		}
	}
}
