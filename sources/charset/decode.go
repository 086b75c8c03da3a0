package charset

import (
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// An Encoding is the character encoding of a file.
type Encoding uint8

const (
	UTF8 Encoding = iota
	UTF16LE
	UTF16BE
	Latin1 // ISO 8859-1: each byte is the code point with that number
)

var encodings = [...]string{UTF8: "utf-8", UTF16LE: "utf-16le", UTF16BE: "utf-16be", Latin1: "latin-1"}

// String returns the encoding's name in configs.
func (e Encoding) String() string { return encodings[e] }

// IsUTF16 reports whether the encoding is UTF-16, in which text has bytes that are NUL.
func (e Encoding) IsUTF16() bool { return e == UTF16LE || e == UTF16BE }

// Parse returns the encoding with that name. If no encoding has the name, it returns false.
func Parse(name string) (Encoding, bool) {
	for e, s := range encodings {
		if s == name {
			return Encoding(e), true
		}
	}
	return 0, false
}

// Bytes that a Decoder writes for input that is not a character. Neither byte occurs in UTF-8.
const (
	loneHalf = 0xff // half of a surrogate pair: two bytes of the file
	oddByte  = 0xfe // the last byte of a file with an odd number of bytes
)

// A Decoder converts a stream in another encoding to UTF-8. It removes a byte order mark of UTF-16.
// From a part of its output, EncodedLen computes the length of that part in the file.
type Decoder struct {
	Encoding Encoding
	BOM      int // length of the byte order mark that was removed; known after the first Read

	r     io.Reader
	in    []byte // in[:n] was read and not decoded
	n     int
	out   []byte // decoded and not returned
	err   error  // from r; returned after out is used up
	begun bool
}

// NewDecoder returns a Decoder that reads from r, which is not UTF-8.
func NewDecoder(r io.Reader, enc Encoding) *Decoder {
	return &Decoder{r: r, Encoding: enc, in: make([]byte, 32<<10)}
}

// Read reads decoded bytes.
func (d *Decoder) Read(p []byte) (int, error) {
	for len(d.out) == 0 {
		if d.err != nil {
			return 0, d.err
		}
		d.fill()
	}
	n := copy(p, d.out)
	d.out = d.out[n:]
	return n, nil
}

// fill reads once and decodes the complete characters.
func (d *Decoder) fill() {
	k, err := d.r.Read(d.in[d.n:])
	d.n += k
	d.err = err
	src := d.in[:d.n]
	if !d.begun && (len(src) >= 2 || err != nil) {
		d.begun = true
		if d.Encoding != Latin1 && len(src) >= 2 && d.unit(src) == 0xfeff {
			d.BOM = 2
			src = src[2:]
		}
	}
	if !d.begun {
		return
	}
	d.out = d.out[:0]
	if d.Encoding == Latin1 {
		for _, b := range src {
			d.out = utf8.AppendRune(d.out, rune(b))
		}
		src = nil
	} else {
		src = d.decode16(src, err != nil)
	}
	d.n = copy(d.in, src)
}

func (d *Decoder) unit(b []byte) rune {
	if d.Encoding == UTF16BE {
		return rune(binary.BigEndian.Uint16(b))
	}
	return rune(binary.LittleEndian.Uint16(b))
}

// decode16 decodes UTF-16 and returns the bytes that need more input.
func (d *Decoder) decode16(src []byte, atEOF bool) (rest []byte) {
	for len(src) >= 2 {
		r := d.unit(src)
		n := 2
		if utf16.IsSurrogate(r) {
			if len(src) < 4 && !atEOF {
				return src
			}
			pair := rune(utf8.RuneError)
			if len(src) >= 4 {
				pair = utf16.DecodeRune(r, d.unit(src[2:]))
			}
			if pair == utf8.RuneError {
				d.out = append(d.out, loneHalf)
				src = src[2:]
				continue
			}
			r, n = pair, 4
		}
		d.out = utf8.AppendRune(d.out, r)
		src = src[n:]
	}
	if atEOF && len(src) == 1 {
		d.out = append(d.out, oddByte)
		return nil
	}
	return src
}

// EncodedLen returns how many bytes a part of a Decoder's output has in the file, whose encoding is e. The
// part must begin and end between characters.
func (e Encoding) EncodedLen(decoded []byte) int64 {
	var n int64
	for _, b := range decoded {
		n += int64(e.width(b))
	}
	return n
}

// width returns the number of bytes in the file of the character that b begins, or 0 if b continues
// one.
func (e Encoding) width(b byte) int {
	continued := b >= 0x80 && b < 0xc0
	switch {
	case continued:
		return 0
	case e == Latin1, b == oddByte:
		return 1
	case b >= 0xf0 && b != loneHalf:
		return 4
	}
	return 2
}
