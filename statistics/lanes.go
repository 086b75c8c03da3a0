package statistics

import (
	"encoding/binary"
	"math"
)

// lanes are the fields of a Counter by the loops that count their entries.
//
// Most entries are short and have one value, which ends where the entry does. These
// are counted in loops that call nothing, so that all they need stays in registers;
// the others are late, and counted after the loops.
type lanes struct {
	floats, ints, texts []lane
	others              []*tally
	late                []*tally // room for all
}

// A lane is a field whose key is short.
type lane struct {
	tally   *tally
	field   int // its number
	opening int // bytes before the value in a short entry
}

// join adds a field.
func (l *lanes) join(t *tally) {
	x := lane{t, t.field, prefixSize(len(t.name.key)) + 2}
	l.late = append(l.late, nil)
	switch {
	case x.opening+longest > shortEntry:
		l.others = append(l.others, t)
	case t.list == floatList:
		l.floats = append(l.floats, x)
	case t.list == int64List:
		l.ints = append(l.ints, x)
	case t.list == bytesList:
		l.texts = append(l.texts, x)
	default:
		l.others = append(l.others, t)
	}
}

// add counts the entries of a record, which are between those bounds.
func (l *lanes) add(payload []byte, bounds []int32) {
	late := l.addFloats(payload, bounds, 0)
	late = l.addInts(payload, bounds, late)
	late = l.addTexts(payload, bounds, late)
	for _, t := range l.late[:late] {
		t.addEntry(payload, bounds)
	}
	for _, t := range l.others {
		t.addEntry(payload, bounds)
	}
}

// addEntry counts any entry of the field.
func (t *tally) addEntry(payload []byte, bounds []int32) {
	begin, end := bounds[t.field], bounds[t.field+1]
	entry, key := payload[begin:end:end], len(t.name.key)
	switch prefix := prefixSize(key); {
	case len(entry) == 0:
	case len(entry) > prefix && len(entry) <= shortEntry:
		t.add(entry[prefix:])
	default:
		t.add(listIn(entry, key))
	}
}

// addFloats counts floats, and returns how many tallies are late, with those that
// were before. A number that fills what is pending is late, too, for it is then
// counted.
func (l *lanes) addFloats(payload []byte, bounds []int32, late int) int {
	for i := range l.floats {
		x := &l.floats[i]
		begin, end := int(bounds[x.field]), int(bounds[x.field+1])
		t := x.tally
		n := len(t.pending)
		if end-begin != x.opening+4 || n >= min(batch-1, cap(t.pending)) {
			l.late[late] = t
			late++
			continue
		}
		t.ones++
		t.pending = t.pending[:n+1]
		t.pending[n] = singleBits(binary.LittleEndian.Uint32(payload[end-4 : end]))
	}
	return late
}

// singleBits are the bits of a float32 as a float64.
func singleBits(b uint32) uint64 { return math.Float64bits(float64(math.Float32frombits(b))) }

// addInts counts integers, as addFloats does floats.
func (l *lanes) addInts(payload []byte, bounds []int32, late int) int {
	for i := range l.ints {
		x := &l.ints[i]
		begin, end := int(bounds[x.field]), int(bounds[x.field+1])
		t := x.tally
		size := end - begin - x.opening
		if size == 1 && t.few != nil {
			t.ones++
			t.few[payload[end-1]&(leastInts-1)]++
			continue
		}
		n := len(t.pending)
		if size > 1 && size <= 8 && n < min(batch-1, cap(t.pending)) {
			if v, ok := varintAt(payload, end, size); ok {
				t.ones++
				t.pending = t.pending[:n+1]
				t.pending[n] = v
				continue
			}
		}
		l.late[late] = t
		late++
	}
	return late
}

// varintAt is the varint of 2 to 8 bytes that ends there, if it is one alone. Each
// byte has seven bits of it, which are moved together.
func varintAt(payload []byte, end, size int) (v uint64, ok bool) {
	shift := -8 * size & 63
	v = binary.LittleEndian.Uint64(payload[end-8:end]) >> shift
	if v&ascii != ascii>>8>>shift {
		return 0, false
	}
	v &^= ascii
	v = v&0x007f007f007f007f | v&0x7f007f007f007f00>>1
	v = v&0x00003fff00003fff | v&0x3fff00003fff0000>>2
	v = v&0x0fffffff | v&0x0fffffff00000000>>4
	return v, true
}

// addTexts counts texts of up to 16 bytes that their tables have, or of which a
// sketch needs little, as addFloats does floats.
func (l *lanes) addTexts(payload []byte, bounds []int32, late int) int {
	for i := range l.texts {
		x := &l.texts[i]
		begin, end := int(bounds[x.field]), int(bounds[x.field+1])
		t := x.tally
		if size := end - begin - x.opening; uint(size-1) < longest && int(payload[end-size-1]) == size {
			a, b := wordsAt(payload, end, size)
			if t.wide != nil {
				if x.addPlain(a, b, size) {
					t.ones++
					if t.isGuess {
						t.hold(payload[end-size : end])
					}
					continue
				}
			} else if slot := t.texts.known(a, b, size); slot != nil {
				slot.n++
				t.ones++
				continue
			}
		}
		l.late[late] = t
		late++
	}
	return late
}

// wordsAt are the words of the text of 1 to 16 bytes that ends there. It stands in
// an entry, so that there are 8 bytes or more before its end.
func wordsAt(payload []byte, end, size int) (a, b uint64) {
	a = binary.LittleEndian.Uint64(payload[end-8 : end])
	shift := -8 * size & 63
	if size <= 8 {
		return a >> shift, 0
	}
	return binary.LittleEndian.Uint64(payload[end-size:]), a >> shift
}

// addPlain counts a text of 1 to 16 bytes by its words in the sketch, if that needs no
// more of it than its hash and its size, as [sketch.addContent] has it: it is ASCII and
// no candidate.
func (x *lane) addPlain(a, b uint64, size int) bool {
	t, hash := x.tally, hashWords(a, b, size)
	if !t.isText || (a|b)&ascii != 0 || size >= len(t.sizes) || t.of != nil && t.of.mayHave(hash) {
		return false
	}
	t.wide.distinct.add(mix(hash))
	t.sizes[size]++
	return true
}
