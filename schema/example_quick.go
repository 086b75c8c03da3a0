package schema

import "unicode/utf8"

// appendShorts writes the entries of the features from the i-th on to buf, the first at n,
// as long as they are short and there is room for one more. It returns where the
// next entry goes, and of which feature that is.
//
// The usual conversions stand in the loop, which saves each a call. A processor that
// guesses a branch wrong loses more time than an entry takes, and nothing foretells
// how long a value is: few branches ask.
func (e *Encoder) appendShorts(buf []byte, n, i int, vals []Value) (end, next int) {
	buf = buf[:len(buf):len(buf)]
	shorts, bounds := e.schema.shorts[i:], *e.bounds
	for k := range shorts {
		s := &shorts[k]
		if len(buf)-n < shortRoom || int(s.slot) >= len(vals) {
			return n, i + k
		}
		v := &vals[s.slot]
		if !s.takes(v) {
			return n, i + k
		}
		p := (*[shortRoom]byte)(buf[n:])
		to, text := s.to, v.Text
		if v.Kind == Array {
			to = toNothing
		}
		switch to {
		case toInt:
			x, ok := shortInt(text)
			if !ok || x < s.lowest || x > s.highest {
				return n, i + k
			}
			n += s.putInt(p, uint64(x))
		case toFloat:
			float, ok := shortFloat(text)
			if !ok {
				var v verdict
				if float, v = longFloat(text); v != numberFine {
					return n, i + k
				}
			}
			n += s.putFloat(p, float)
		case toBool:
			x, ok := parseBool(text)
			if !ok {
				return n, i + k
			}
			at := s.putHead(p, 1)
			p[at] = byte(x)
			n += at + 1
		case toBytes, toString:
			if len(text) > int(s.most) || s.to == toString && v.Kind == Text && !utf8.Valid(text) {
				return n, i + k
			}
			at := s.putHead(p, uint64(len(text)))
			if len(text) <= 16 && cap(text) >= 16 {
				*(*[16]byte)(p[at:]) = [16]byte(text[:16])
			} else {
				copyText((*[shortText]byte)(p[at:]), text)
			}
			n += at + len(text)
		default:
			size := s.put(p, v)
			if size == 0 {
				return n, i + k
			}
			n += size
		}
		if len(bounds) > i+k+1 {
			bounds[i+k+1] = uint32(n)
		}
	}
	return n, i + len(shorts)
}

// copyText copies a text of up to shortText bytes to dst: in blocks of 16, the last of
// which ends with it.
func copyText(dst *[shortText]byte, text []byte) {
	last := len(text) - 16
	if last < 0 {
		copy(dst[:], text)
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

func copyBlock(dst *[shortText]byte, text []byte, at int) {
	*(*[16]byte)(dst[at:]) = [16]byte(text[at:])
}
