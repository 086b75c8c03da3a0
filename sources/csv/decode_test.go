package csv

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"tfr-build/schema"
	"tfr-build/sources/charset"
	"tfr-build/sources/table"
)

// encode writes text in an encoding, UTF-16 with a byte order mark.
func encode(enc charset.Encoding, text string) []byte {
	var out []byte
	if enc == charset.Latin1 {
		for _, r := range text {
			out = append(out, byte(r))
		}
		return out
	}
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		if enc == charset.UTF16BE {
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
		enc  charset.Encoding
		text string
	}{
		{charset.UTF16LE, "id,täxt\r\n1,\"\U0001f600\n日本\"\r\n2,ÿþ\u0100\ufeff\r\n3,\U0010ffff"},
		{charset.UTF16BE, "id,täxt\n1,\U0001f600\n2,\n" + strings.Repeat("3,\U0001f600é\n", 5000)},
		{charset.Latin1, "id,täxt\n1,\u00ff\u0080\n2,©\n"},
	} {
		t.Run(c.enc.String(), func(t *testing.T) {
			raw := encode(c.enc, c.text)
			d := charset.NewDecoder(bytes.NewReader(raw), c.enc)
			got, err := io.ReadAll(d)
			if err != nil || string(got) != c.text {
				t.Fatalf("%.40q, %v; want %.40q", got, err, c.text)
			}
			f := plain
			f.Encoding = c.enc
			at, from := d.BOM, 0
			for _, cut := range cutWhole(f, got, 0, false) {
				rec := got[from : from+cut.n]
				n := int(c.enc.EncodedLen(rec))
				want := encode(c.enc, string(rec))
				if c.enc != charset.Latin1 {
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

// A row with bytes that are not in the file's encoding is invalid, and the error says so.
func TestDecodedRowWithInvalidCharacter(t *testing.T) {
	raw := append(encode(charset.UTF16LE, "a,b\n1,"), 0x00, 0xd8, '\n', 0, '2', 0, ',', 0, '\n', 0)
	data, err := io.ReadAll(charset.NewDecoder(bytes.NewReader(raw), charset.UTF16LE))
	if err != nil {
		t.Fatal(err)
	}
	f := plain
	f.Encoding = charset.UTF16LE
	_, rows, bad := readFile(t, f, data)
	if len(rows) != 1 || len(bad) != 1 || bad[0].Code != "ENCODING" || bad[0].At != 2 {
		t.Errorf("%q, %v", rows, bad)
	}
}

func FuzzDecoder(f *testing.F) {
	f.Add(encode(charset.UTF16LE, "a,é\n\U0001f600"), uint8(1))
	f.Add([]byte("\xfe\xff\xd8\x00\x00"), uint8(2))
	f.Add([]byte("\xe9\x00\xff"), uint8(3))
	f.Fuzz(func(t *testing.T, raw []byte, e uint8) {
		enc := charset.UTF16LE + charset.Encoding(e%3)
		d := charset.NewDecoder(iotest.HalfReader(bytes.NewReader(raw)), enc)
		got, err := io.ReadAll(d)
		if err != nil || d.BOM+int(enc.EncodedLen(got)) != len(raw) {
			t.Fatalf("%q as %v: %q, %v, mark of %d bytes", raw, enc, got, err, d.BOM)
		}
		format := plain
		format.Encoding = enc
		vals := make([]schema.Value, 1)
		s := format.NewScanner()
		for _, c := range cutWhole(format, got, 0, true) {
			if c.kind != table.Row {
				continue
			}
			if _, err := s.Scan(got[c.at:], allCells(1), vals, CheckAll); err == nil &&
				slices.Contains(vals[0].Text, 0xff) {
				t.Fatalf("%q as %v: a good row of %q", raw, enc, vals[0].Text)
			}
		}
	})
}
