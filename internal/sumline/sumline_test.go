package sumline

import (
	"bytes"
	"strings"
	"testing"
)

// TestAppend checks the bytes of lines. The sum of the digits 1 to 9 is the check value in catalogs
// of CRCs; the sum of 32 zeros is in RFC 3720.
func TestAppend(t *testing.T) {
	zeros := strings.Repeat("\x00", 32)
	for text, want := range map[string]string{
		"":          "00000000 \n",
		"123456789": "e3069283 123456789\n",
		zeros:       "8a9136aa " + zeros + "\n",
	} {
		line := string(Append([]byte("before "), []byte(text)))
		if line != "before "+want {
			t.Errorf("%q: %q, want %q", text, line, want)
		}
		if got, ok := Text([]byte(want)); !ok || string(got) != text {
			t.Errorf("%q: read as %q, %t", want, got, ok)
		}
	}
}

// TestDamage rejects lines with a flipped bit, and lines that are shorter or longer.
func TestDamage(t *testing.T) {
	line := Append(nil, []byte(`{"sealed":"0123456789abcdef"}`))
	for n := range line {
		if text, ok := Text(line[:n]); ok {
			t.Errorf("%d bytes: %q", n, text)
		}
		for bit := range 8 {
			damaged := bytes.Clone(line)
			damaged[n] ^= 1 << bit
			if text, ok := Text(damaged); ok && !sameLetter(line[n], damaged[n], n) {
				t.Errorf("bit %d of byte %d: %q", bit, n, text)
			}
		}
	}
	for _, longer := range []string{" ", "\n", "\x00"} {
		if text, ok := Text(append(bytes.Clone(line), longer...)); ok {
			t.Errorf("with %q behind it: %q", longer, text)
		}
	}
}

// sameLetter reports whether byte n of a line is a digit of the sum, in the other case.
func sameLetter(a, b byte, n int) bool { return n < digits && a|' ' == b|' ' && a > '9' }

// FuzzText reads any bytes. A valid line has the data that was written.
func FuzzText(f *testing.F) {
	for _, line := range []string{"", "00000000 \n", "00000000\n", "e3069283 123456789\n", "+3069283 123456789\n",
		"e3069283 123456789"} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if text, ok := Text(line); ok && !bytes.EqualFold(Append(nil, text)[:digits], line[:digits]) || ok &&
			!bytes.HasSuffix(Append(nil, text), line[digits:]) {
			t.Fatalf("%q is not a line of %q", line, text)
		}
		if text, ok := Text(Append(nil, line)); !ok || !bytes.Equal(text, line) {
			t.Fatalf("the line of %q is read as %q, %t", line, text, ok)
		}
	})
}

// TestDecode rejects lines with data after the value, or with unknown keys.
func TestDecode(t *testing.T) {
	type value struct {
		File int `json:"file"`
	}
	line, err := Encode(value{7})
	var v value
	if err != nil || !Decode(line, &v) || v.File != 7 {
		t.Errorf("%q, %v became %+v", line, err, v)
	}
	for _, text := range []string{"", "{}{}", `{"file":1} 2`, `{"fi|e":1}`, `{"file":"1"}`, `{"file":1`,
		`{"file":1}]`} {
		if Decode(Append(nil, []byte(text)), &v) {
			t.Errorf("%s was taken", text)
		}
	}
	line[len(line)-3] ^= 1
	if Decode(line, &v) {
		t.Errorf("%q was taken", line)
	}
}
