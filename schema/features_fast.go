package schema

import (
	"encoding/binary"
	"unicode/utf8"
)

// appendFast writes the entries of fields to buf, the first at offset n, and notes their ends in
// bounds, which may be shorter. It stops at the first field that needs the slow path, and if buf has no
// room for one more entry. It returns the offset of the next entry and the index of its field.
//
// The most frequent conversions are inlined in the loop, which saves a call for each. The length of
// a value is not predictable, and a mispredicted branch costs more time than encoding an entry. So
// the code has few branches on lengths.
func appendFast(buf []byte, n int, fields []fastField, vals []Value, bounds []uint32, row []uint64) (end, next int) {
	buf = buf[:len(buf):len(buf)]
	for i := range fields {
		s := &fields[i]
		if len(buf)-n < fastRoom || int(s.slot) >= len(vals) {
			return n, i
		}
		v := &vals[s.slot]
		if !s.takes(v) {
			return n, i
		}
		p := (*[fastRoom]byte)(buf[n:])
		to, text, noted := s.to, v.Text, uint64(0)
		if v.Kind == Array {
			to = toNothing
		}
		switch to {
		case toInt:
			x, ok := parseIntFast(text)
			if !ok || x < s.lowest || x > s.highest {
				return n, i
			}
			noted = uint64(x)
			n += s.putInt(p, noted)
		case toFloat:
			float, ok := parseFloatFast(text)
			if !ok {
				var v parseResult
				if float, v = parseFloatSlow(text); v != numberOK {
					return n, i
				}
			}
			noted = uint64(float)
			n += s.putFloat(p, float)
		case toBool:
			x, ok := parseBool(text)
			if !ok {
				return n, i
			}
			at := s.putHeader(p, 1)
			p[at], noted = byte(x), uint64(x)
			n += at + 1
		case toBytes, toString:
			if len(text) > int(s.maxSize) || s.to == toString && v.Kind == Text && !utf8.Valid(text) {
				return n, i
			}
			at := s.putHeader(p, uint64(len(text)))
			if uint(len(text)-1) < 8 { // an empty string wraps around
				binary.LittleEndian.PutUint64(p[at:], loadWord(text))
			} else {
				copyString((*[maxFastString]byte)(p[at:]), text)
			}
			n += at + len(text)
			noted = uint64(n)<<32 | uint64(len(text))
		default:
			size, x := s.put(p, v)
			if size == 0 {
				return n, i
			}
			n += size
			noted = x
		}
		if len(row) > i {
			row[i] = noted
		}
		if len(bounds) > i {
			bounds[i] = uint32(n)
		}
	}
	return n, len(fields)
}

// copyString copies a string of up to maxFastString bytes to dst, unless loadWord takes it. It
// copies blocks of 16 bytes; the last block ends with the string and may overlap the block before it.
func copyString(dst *[maxFastString]byte, text []byte) {
	last := len(text) - 16
	if last < 0 {
		copyWords(dst, text)
		return
	}
	copyBlock(dst, text, 0)
	copyBlock(dst, text, min(16, last))
	copyBlock(dst, text, min(32, last))
	copyBlock(dst, text, last)
	if last <= 48 {
		return
	}
	copyBlock(dst, text, 48)
	copyBlock(dst, text, min(64, last))
	copyBlock(dst, text, min(80, last))
	copyBlock(dst, text, min(96, last))
}

// copyWords is copyString for a string of 9 to 15 bytes. It copies an empty string, too.
func copyWords(dst *[maxFastString]byte, text []byte) {
	if n := len(text); n > 8 {
		first, last := binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[n-8:])
		binary.LittleEndian.PutUint64(dst[:], first)
		binary.LittleEndian.PutUint64(dst[n-8:], last)
	}
}

func copyBlock(dst *[maxFastString]byte, text []byte, at int) {
	*(*[16]byte)(dst[at:]) = [16]byte(text[at:])
}
