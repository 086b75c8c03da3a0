package jsonl

import (
	"encoding/binary"
	"math/bits"

	"tfr-build/schema"
)

// A field is a key that the next row is expected to have.
type field struct {
	first string  // text before the value, if the key is the row's first: `{"key": `
	next  pattern // text before the value otherwise: `, "key": `
	slot  int     // slot of the value; or skipped, or slowPath
	to    *node   // node that the value leads to; nil if no column uses it
	name  string
}

// Special slots.
const (
	skipped  = -1 // no column uses the value
	slowPath = -2 // a path leads into the value, or several columns use it
)

// A pattern is text to compare with. Its first 16 bytes are also two words.
type pattern struct {
	word, mask   uint64
	word2, mask2 uint64
	text         string
}

func newPattern(text []byte) pattern {
	var words, masks [16]byte
	for i := range copy(words[:], text) {
		masks[i] = 0xff
	}
	return pattern{
		word: binary.LittleEndian.Uint64(words[:]), mask: binary.LittleEndian.Uint64(masks[:]),
		word2: binary.LittleEndian.Uint64(words[8:]), mask2: binary.LittleEndian.Uint64(masks[8:]),
		text: string(text),
	}
}

// matchesWords reports whether b begins with the first 16 bytes of the pattern, or with all of a
// shorter one.
func (t *pattern) matchesWords(b *[16]byte) bool {
	return (binary.LittleEndian.Uint64(b[:8])^t.word)&t.mask|
		(binary.LittleEndian.Uint64(b[8:])^t.word2)&t.mask2 == 0
}

// scanExpected parses a row whose keys are all among the fields, in order, and whose values are of
// the common forms. Otherwise, or if the row is invalid, ok is false.
//
// It is the hot loop, and one long function for that reason. Inline code recognizes keys, strings
// without escapes, and short numbers by words; functions parse the rarer forms. The start of the
// next value depends on the end of the current value. So the code before that end has no
// unpredictable branch and no slow instruction.
func (s *Scanner) scanExpected(data []byte, vals []schema.Value) (n int, ok bool) {
	fields := s.fields
	i, p := s.firstField(data)
	if i < 0 {
		return 0, false
	}
	setMissing(vals, fields[:i])
	for {
		f := &fields[i]
		from, end, quote, kind := p, 0, 0, schema.Number
		if len(data)-p >= 16 && f.slot != slowPath {
			x := word(data, p)
			switch c := byte(x); {
			case c == '"':
				p++
				m := specials(word(data, p))
				for m == 0 && len(data)-p >= 16 {
					p += 8
					m = specials(word(data, p))
				}
				if p += bits.TrailingZeros64(m) >> 3; at(data, p) == '"' {
					end, quote, kind = p+1, 1, schema.String
				}
			case c-'0' <= 9 || c == '-':
				end = p + shortNumber(x)
				if end == p {
					if end, _, ok = number(data, p); !ok {
						return 0, false
					}
				}
			case isBool(x):
				end, kind = p+len("true")+int(c>>1&1), schema.Bool
			}
		}
		if end == 0 {
			if end, ok = s.scanField(f, data, from, vals); !ok {
				return 0, false
			}
		} else if f.slot >= 0 {
			v := &vals[f.slot]
			v.Text, v.At, v.Kind = data[from+quote:end-quote], uint32(from), kind
			if v.List != nil {
				v.List = nil
			}
		}
		p = end
		if i++; i < len(fields) && len(data)-p >= 16 && fields[i].next.matchesWords((*[16]byte)(data[p:p+16:p+16])) {
			size := len(fields[i].next.text)
			if size > 16 && !hasWord(data, p+16, fields[i].next.text[16:]) {
				return 0, false
			}
			p += size
			continue
		}
		next, value := s.laterField(data, p, i)
		if next < 0 {
			return 0, false
		}
		setMissing(vals, fields[i:next])
		if next == len(fields) {
			return s.endOfRow(data, value)
		}
		i, p = next, value
	}
}

// setMissing sets the values of fields that a row does not have to Missing.
func setMissing(vals []schema.Value, lacking []field) {
	for i := range lacking {
		if slot := lacking[i].slot; slot >= 0 {
			vals[slot] = schema.Value{}
		}
	}
}

// The words true and false, indexed by the bit in which t and f differ. A branch on which word it
// is would be unpredictable.
var (
	boolWords = [2]uint64{'t' | 'r'<<8 | 'u'<<16 | 'e'<<24, 'f' | 'a'<<8 | 'l'<<16 | 's'<<24 | 'e'<<32}
	boolMasks = [2]uint64{1<<32 - 1, 1<<40 - 1}
)

// isBool reports whether x begins with true or false.
func isBool(x uint64) bool {
	i := x >> 1 & 1
	return (x^boolWords[i])&boolMasks[i] == 0
}

// shortNumber returns the length of the number that x begins with. The number must consist of
// digits with at most one decimal point between them, and end before the end of x. For other
// numbers it returns 0; then call number.
func shortNumber(x uint64) int {
	d := x ^ zeros
	m := (d&^highs + 0x76*lows | d) & highs            // bytes that are not digits
	if m == 0 || m&0x80 != 0 || d&0xff|m&0x8000 == 0 { // all digits, none first, or a zero before a digit
		return 0
	}
	n := bits.TrailingZeros64(m) >> 3
	if byte(x>>(8*n&63)) == '.' {
		if m &= m - 1; m == 0 {
			return 0
		}
		fraction := n + 1
		if n = bits.TrailingZeros64(m) >> 3; n == fraction {
			return 0
		}
	}
	if byte(x>>(8*n&63))|0x20 == 'e' {
		return 0
	}
	return n
}

// firstField returns the field that the row begins with and the offset of its value, or -1.
func (s *Scanner) firstField(data []byte) (i, value int) {
	for i := range s.fields[:min(lookAhead, len(s.fields))] {
		if t := s.fields[i].first; hasWord(data, 0, t) {
			return i, len(t)
		}
	}
	return -1, 0
}

// lookAhead is how many fields are compared with the next key. A row may be without fewer consecutive
// fields than that.
const lookAhead = 16

// laterField returns the first field from i on that is at p, and the offset of its value. At the
// row's closing bracket it returns the number of fields and the offset after the bracket; otherwise
// -1.
func (s *Scanner) laterField(data []byte, p, i int) (field, value int) {
	if at(data, p) == '}' {
		return len(s.fields), p + 1
	}
	for end := min(i+lookAhead, len(s.fields)); i < end; i++ {
		if t := s.fields[i].next.text; hasWord(data, p, t) {
			return i, p + len(t)
		}
	}
	return -1, 0
}

// endOfRow returns the length of the row whose closing bracket ends at p.
func (s *Scanner) endOfRow(data []byte, p int) (n int, ok bool) {
	if s.inDocument {
		return p, true
	}
	if at(data, p) == '\r' {
		p++
	}
	if p == len(data) {
		return p, true
	}
	return p + 1, data[p] == '\n'
}

// scanField parses the value of a field at p in the slow path.
func (s *Scanner) scanField(f *field, data []byte, p int, vals []schema.Value) (end int, ok bool) {
	var err error
	s.used, s.vals = true, vals
	if f.slot >= 0 {
		end, err = s.capture(data, p, &vals[f.slot], 1)
	} else {
		end, err = s.scanValue(f.to, data, p, 1)
	}
	return end, err == nil
}
