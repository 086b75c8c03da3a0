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
// is wrong with it. It is the hot loop and long for it: keys, short strings and
// short numbers are recognized by words in place, what is rarer by functions.
func (s *Scanner) expected(data []byte, vals []schema.Value) (n int, ok bool) {
	fields := s.fields
	i, p := s.firstField(data)
	if i < 0 {
		return 0, false
	}
	for {
		f := &fields[i]
		from, kind := p, schema.Number
		if len(data)-p < 16 || f.slot == general {
			if p, ok = s.takeAny(f, data, p, vals); !ok {
				return 0, false
			}
			goto next
		}
		switch c := data[p]; {
		case c == '"':
			p++
			x := word(data, p)
			q, b := x^quotes, x^slashes
			if m := ((x-spaces)&^x | (q-lows)&^q | (b-lows)&^b) & highs; m != 0 {
				p += bits.TrailingZeros64(m) >> 3
			} else if p = special(data, p+8); p == len(data) {
				return 0, false
			}
			if data[p] != '"' {
				if p, ok = s.takeAny(f, data, from, vals); !ok {
					return 0, false
				}
				goto next
			}
			if f.slot >= 0 {
				v := &vals[f.slot]
				v.Text, v.At, v.Kind = data[from+1:p], uint32(from), schema.String
			}
			p++
			goto next
		case c-'0' <= 9:
			if p, ok = shortNumber(data, p); !ok {
				if p, _, ok = number(data, from); !ok {
					return 0, false
				}
			}
		case boolAt(word(data, p)):
			p, kind = p+len("true")+int(c>>1&1), schema.Bool
		default:
			if p, ok = s.takeAny(f, data, p, vals); !ok {
				return 0, false
			}
			goto next
		}
		if f.slot >= 0 {
			v := &vals[f.slot]
			v.Text, v.At, v.Kind = data[from:p], uint32(from), kind
		}
	next:
		if i++; i < len(fields) && len(data)-p >= 16 && fields[i].next.words((*[16]byte)(data[p:p+16:p+16])) {
			size := len(fields[i].next.text)
			if size > 16 && !hasWord(data, p+16, fields[i].next.text[16:]) {
				return 0, false
			}
			p += size
			continue
		}
		if i, p = s.laterField(data, p, i); i < 0 {
			return 0, false
		}
		if i == len(fields) {
			return s.endOfRow(data, p)
		}
	}
}

// The words true and false, by the bit that tells t from f: which of the two it
// is cannot be foreseen, so no branch asks.
var (
	boolWords = [2]uint64{'t' | 'r'<<8 | 'u'<<16 | 'e'<<24, 'f' | 'a'<<8 | 'l'<<16 | 's'<<24 | 'e'<<32}
	boolMasks = [2]uint64{1<<32 - 1, 1<<40 - 1}
)

// boolAt tells whether x begins with true or false.
func boolAt(x uint64) bool {
	i := x >> 1 & 1
	return (x^boolWords[i])&boolMasks[i] == 0
}

// shortNumber is the end of the number of digits, with or without a point
// among them, that begins at p, where 16 bytes are. ok is false where it may be
// otherwise: number will tell.
func shortNumber(data []byte, p int) (end int, ok bool) {
	x := word(data, p) ^ zeros
	m := (x&^highs + 0x76*lows | x) & highs
	if m == 0 {
		return p, false
	}
	if x&0xff|m&0x8000 == 0 { // a zero before another digit
		return p, false
	}
	n := bits.TrailingZeros64(m) >> 3
	if data[p+n] == '.' {
		if m &= m - 1; m == 0 {
			return p, false
		}
		whole := n + 1
		if n = bits.TrailingZeros64(m) >> 3; n == whole {
			return p, false
		}
	}
	return p + n, data[p+n]|0x20 != 'e'
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
