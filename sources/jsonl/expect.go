package jsonl

import (
	"encoding/binary"
	"math/bits"

	"tfr-build/schema"
)

// A field is a key that the next row is expected to have.
type field struct {
	first pattern // what comes before its value if it is the row's first key: `{"key": `
	next  pattern // what does if it is a later one: `, "key": `
	slot  int     // the slot of its value; or skipped, or general
	to    *node   // where its value leads; nil if no column needs it
	name  string
}

// Instead of a slot.
const (
	skipped = -1 // no column needs the value
	general = -2 // a path leads into it, or several columns need it
)

// A pattern is text to compare with, the first 16 bytes of it as two words.
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

// words tells whether the pattern's first 16 bytes, or all if it has fewer,
// begin b.
func (t *pattern) words(b *[16]byte) bool {
	return (binary.LittleEndian.Uint64(b[:8])^t.word)&t.mask|
		(binary.LittleEndian.Uint64(b[8:])^t.word2)&t.mask2 == 0
}

// expected scans a row whose keys are all among the fields, in their order, and
// which is otherwise as most rows are. ok is false if it is not, or if anything
// is wrong with it. It is the hot loop and long for it: keys, strings without
// escapes and short numbers are recognized by words in place, what is rarer by
// functions. Where a value ends, the next one waits for: no branch that cannot be
// foreseen stands before that, and nothing that takes its time.
func (s *Scanner) expected(data []byte, vals []schema.Value) (n int, ok bool) {
	fields := s.fields
	i, p := s.firstField(data)
	if i < 0 {
		return 0, false
	}
	blank(vals, fields[:i])
	for {
		f := &fields[i]
		from, end, quote, kind := p, 0, 0, schema.Number
		if len(data)-p >= 16 && f.slot != general {
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
			if end, ok = s.takeAny(f, data, from, vals); !ok {
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
		if i++; i < len(fields) && len(data)-p >= 16 && fields[i].next.words((*[16]byte)(data[p:p+16:p+16])) {
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
		blank(vals, fields[i:next])
		if next == len(fields) {
			return s.endOfRow(data, value)
		}
		i, p = next, value
	}
}

// blank makes the values Missing of fields that a row lacks.
func blank(vals []schema.Value, lacking []field) {
	for i := range lacking {
		if slot := lacking[i].slot; slot >= 0 {
			vals[slot] = schema.Value{}
		}
	}
}

// The words true and false, by the bit that tells t from f: which of the two it
// is cannot be foreseen, so no branch asks.
var (
	boolWords = [2]uint64{'t' | 'r'<<8 | 'u'<<16 | 'e'<<24, 'f' | 'a'<<8 | 'l'<<16 | 's'<<24 | 'e'<<32}
	boolMasks = [2]uint64{1<<32 - 1, 1<<40 - 1}
)

// isBool tells whether x begins with true or false.
func isBool(x uint64) bool {
	i := x >> 1 & 1
	return (x^boolWords[i])&boolMasks[i] == 0
}

// shortNumber is the length of the number, of digits with or without a point among
// them, that x begins with and does not end with; 0 where it may be another: number
// will tell.
func shortNumber(x uint64) int {
	d := x ^ zeros
	m := (d&^highs + 0x76*lows | d) & highs            // bytes that are no digits
	if m == 0 || m&0x80 != 0 || d&0xff|m&0x8000 == 0 { // none, the first, or there is a zero before a digit
		return 0
	}
	n := bits.TrailingZeros64(m) >> 3
	if byte(x>>(8*n&63)) == '.' {
		if m &= m - 1; m == 0 {
			return 0
		}
		whole := n + 1
		if n = bits.TrailingZeros64(m) >> 3; n == whole {
			return 0
		}
	}
	if byte(x>>(8*n&63))|0x20 == 'e' {
		return 0
	}
	return n
}

// at tells whether the pattern is at p.
func (t *pattern) at(data []byte, p int) bool { return hasWord(data, p, t.text) }

// firstField is the field that the row begins with, and where its value
// is; -1 if there is none.
func (s *Scanner) firstField(data []byte) (i, value int) {
	for i := range s.fields[:min(lookAhead, len(s.fields))] {
		if t := &s.fields[i].first; t.at(data, 0) {
			return i, len(t.text)
		}
	}
	return -1, 0
}

// lookAhead is how many fields a row may lack before the next that it has.
const lookAhead = 16

// laterField is the first field from i on that is at p, and where its value is;
// or the number of fields, and what is after it, if the row's } is there; or -1.
func (s *Scanner) laterField(data []byte, p, i int) (field, value int) {
	if at(data, p) == '}' {
		return len(s.fields), p + 1
	}
	for end := min(i+lookAhead, len(s.fields)); i < end; i++ {
		if t := &s.fields[i].next; t.at(data, p) {
			return i, p + len(t.text)
		}
	}
	return -1, 0
}

// endOfRow returns the length of the row whose last bracket ends at p.
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

// takeAny scans the value of a field at p in the general way.
func (s *Scanner) takeAny(f *field, data []byte, p int, vals []schema.Value) (end int, ok bool) {
	var err error
	s.used, s.vals = true, vals
	if f.slot >= 0 {
		end, err = s.capture(data, p, &vals[f.slot], 1)
	} else {
		end, err = s.value(f.to, data, p, 1)
	}
	return end, err == nil
}
