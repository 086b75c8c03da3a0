package csv

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"tfr-build/schema"
	"tfr-build/sources/table"
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

// TestDecoder decodes files, reads their records, and finds each of them in
// the file by EncodedLen.
func TestDecoder(t *testing.T) {
	for _, c := range []struct {
		enc  Encoding
		text string
	}{
		{UTF16LE, "id,täxt\r\n1,\"\U0001f600\n日本\"\r\n2,ÿþ\u0100\ufeff\r\n3,\U0010ffff"},
		{UTF16BE, "id,täxt\n1,\U0001f600\n2,\n" + strings.Repeat("3,\U0001f600é\n", 5000)},
		{Latin1, "id,täxt\n1,\u00ff\u0080\n2,©\n"},
	} {
		t.Run(c.enc.String(), func(t *testing.T) {
			raw := encode(c.enc, c.text)
			d := NewDecoder(bytes.NewReader(raw), c.enc)
			got, err := io.ReadAll(d)
			if err != nil || string(got) != c.text {
				t.Fatalf("%.40q, %v; want %.40q", got, err, c.text)
			}
			f := plain
			f.Encoding = c.enc
			at, from := d.BOM(), 0
			for _, cut := range cutWhole(f, got, 0, false) {
				rec := got[from : from+cut.n]
				n := int(c.enc.EncodedLen(rec))
				want := encode(c.enc, string(rec))
				if c.enc != Latin1 {
					want = want[2:]
				}
				if !bytes.Equal(raw[at:at+n], want) {
					t.Fatalf("record %.40q is %.40q in the file", rec, raw[at:at+n])
				}
				at, from = at+n, from+cut.n
			}
			if at != len(raw) {
				t.Errorf("records add up to %d of %d bytes", at, len(raw))
			}
		})
	}
}

// A Decoder gives the same however it is read and however its input comes.
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
		if n := d.BOM() + int(UTF16LE.EncodedLen(got)); n != len(raw) {
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

// A row of a decoded file that is not of the encoding is bad, and says so.
func TestDecodedRowNotOfTheEncoding(t *testing.T) {
	raw := append(encode(UTF16LE, "a,b\n1,"), 0x00, 0xd8, '\n', 0, '2', 0, ',', 0, '\n', 0)
	data, err := io.ReadAll(NewDecoder(bytes.NewReader(raw), UTF16LE))
	if err != nil {
		t.Fatal(err)
	}
	f := plain
	f.Encoding = UTF16LE
	_, rows, bad := readFile(t, f, data)
	if len(rows) != 1 || len(bad) != 1 || bad[0].Code != "ENCODING" || bad[0].At != 2 {
		t.Errorf("%q, %v", rows, bad)
	}
}

func TestParseEncoding(t *testing.T) {
	for _, name := range []string{"utf-8", "utf-16le", "utf-16be", "latin-1"} {
		if e, ok := ParseEncoding(name); !ok || e.String() != name {
			t.Errorf("%s: %v, %v", name, e, ok)
		}
	}
	if e, ok := ParseEncoding("utf-7"); ok {
		t.Errorf("utf-7 is %v", e)
	}
}

func FuzzDecoder(f *testing.F) {
	f.Add(encode(UTF16LE, "a,é\n\U0001f600"), uint8(1))
	f.Add([]byte("\xfe\xff\xd8\x00\x00"), uint8(2))
	f.Add([]byte("\xe9\x00\xff"), uint8(3))
	f.Fuzz(func(t *testing.T, raw []byte, e uint8) {
		enc := UTF16LE + Encoding(e%3)
		d := NewDecoder(iotest.HalfReader(bytes.NewReader(raw)), enc)
		got, err := io.ReadAll(d)
		if err != nil || d.BOM()+int(enc.EncodedLen(got)) != len(raw) {
			t.Fatalf("%q as %v: %q, %v, mark of %d bytes", raw, enc, got, err, d.BOM())
		}
		format := plain
		format.Encoding = enc
		vals := make([]schema.Value, 1)
		s := format.NewScanner()
		for _, c := range cutWhole(format, got, 0, true) {
			if c.kind != table.Row {
				continue
			}
			if _, err := s.Scan(got[c.at:], allCells(1), vals, CheckAll); err == nil && slices.Contains(vals[0].Text, loneHalf) {
				t.Fatalf("%q as %v: a good row of %q", raw, enc, vals[0].Text)
			}
		}
	})
}
