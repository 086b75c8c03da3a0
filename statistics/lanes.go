package statistics

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// lanes are the fields of a Counter by the loops that count their entries.
//
// Most entries are short and have one value, which ends where the entry does. Those
// of a field are counted in a loop over the records of a pack, in which all that it
// needs stays in registers; the others are late, and counted after the loop.
type lanes struct {
	floats, ints, texts []lane
	others              []*tally
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

// add counts the entries of the records of a pack.
func (l *lanes) add(p *pack) {
	for i := range l.floats {
		x := &l.floats[i]
		x.addFloats(p)
		p.addLate(x.tally)
	}
	for i := range l.ints {
		x := &l.ints[i]
		x.addInts(p)
		p.addLate(x.tally)
	}
	for i := range l.texts {
		x := &l.texts[i]
		if x.tally.wide == nil {
			x.addKnown(p)
		} else {
			x.addTexts(p)
		}
		p.addLate(x.tally)
	}
	for _, t := range l.others {
		p.late = 1<<len(p.payloads) - 1
		p.addLate(t)
	}
}

// addEntry counts any entry of the field.
func (t *tally) addEntry(entry []byte) {
	key := len(t.name.key)
	switch prefix := prefixSize(key); {
	case len(entry) == 0:
	case len(entry) > prefix && len(entry) <= shortEntry:
		t.add(entry[prefix:])
	default:
		t.add(listIn(entry, key))
	}
}

// room is what is pending, with room for n numbers more. Of a field that has none yet
// there is none.
func (x *lane) room(n int) []uint64 {
	t := x.tally
	switch {
	case t.pending == nil:
		return nil
	case cap(t.pending) < batch:
		t.pending = append(make([]uint64, 0, batch), t.pending...)
	}
	if len(t.pending)+n > batch {
		t.flush()
	}
	return t.pending
}

// addFloats counts floats.
func (x *lane) addFloats(p *pack) {
	t, size := x.tally, x.opening+4
	pending, late := x.room(len(p.payloads)), uint64(0)
	begins, ends := p.entries(x.field)
	ends = ends[:len(begins)]
	before := len(pending)
	n := before
	pending = pending[:cap(pending)]
	for record, payload := range p.payloads {
		begin, end := int(begins[record]), int(ends[record])
		if end-begin != size || n >= len(pending) {
			late |= 1 << (record & 63)
			continue
		}
		pending[n] = singleBits(binary.LittleEndian.Uint32(payload[end-4 : end]))
		n++
	}
	t.ones += int64(n - before)
	t.pending, p.late = pending[:n], late
}

// singleBits are the bits of a float32 as a float64.
func singleBits(b uint32) uint64 { return math.Float64bits(float64(math.Float32frombits(b))) }

// addInts counts integers.
func (x *lane) addInts(p *pack) {
	t, opening, few := x.tally, x.opening, x.tally.few
	pending, late := x.room(len(p.payloads)), uint64(0)
	begins, ends := p.entries(x.field)
	ends = ends[:len(begins)]
	n := len(pending)
	pending = pending[:cap(pending)]
	for record, payload := range p.payloads {
		begin, end := int(begins[record]), int(ends[record])
		size := end - begin - opening
		if size == 1 && few != nil {
			few[payload[end-1]&(leastInts-1)]++
			continue
		}
		if size > 1 && size <= 8 && n < len(pending) {
			if v, ok := varintAt(payload, end, size); ok {
				pending[n] = v
				n++
				continue
			}
		}
		late |= 1 << (record & 63)
	}
	t.ones += p.early(late)
	t.pending, p.late = pending[:n], late
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

// addKnown counts texts of up to 16 bytes that their table has.
func (x *lane) addKnown(p *pack) {
	t, opening := x.tally, x.opening
	begins, ends := p.entries(x.field)
	ends = ends[:len(begins)]
	late := uint64(0)
	index, slots, shift := t.texts.index, t.texts.slots, t.texts.shift&63
	mask := uint64(len(index) - 1)
	for record, payload := range p.payloads {
		begin, end := int(begins[record]), int(ends[record])
		size := end - begin - opening
		if uint(size-1) < longest && int(payload[end-size-1]) == size {
			a, b := wordsAt(payload, end, size)
			if i := placeOf(a, b) >> shift & mask; i < uint64(len(index)) {
				// The first place has most of them.
				if at := uint(index[i]) - 1; at < uint(len(slots)) && slots[at].is(a, b, size) {
					slots[at].n++
					continue
				}
			}
		}
		late |= 1 << (record & 63)
	}
	t.ones += p.early(late)
	p.late = late
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

// sizeClass tells texts of up to 127 bytes apart by the steps that their hash takes:
// those of a class are counted together, so that a processor foresees these steps.
func sizeClass(size int) int {
	if size <= longest {
		return 0
	}
	return (size-1)>>5 + 1
}

// sizeClasses is how many classes of sizes there are.
const sizeClasses = 5

// addTexts counts texts of 1 to 127 bytes in a sketch.
func (x *lane) addTexts(p *pack) {
	t, opening := x.tally, x.opening
	begins, ends := p.entries(x.field)
	ends = ends[:len(begins)]
	late := uint64(0)
	var classes [sizeClasses]uint64 // a bit for each record
	var k textKey
	for record, payload := range p.payloads {
		begin, end := int(begins[record]), int(ends[record])
		size := end - begin - opening
		bit := uint64(1) << (record & 63)
		if size <= 0 || end-begin > shortEntry || int(payload[end-size-1]) != size {
			late |= bit
			continue
		}
		classes[sizeClass(size)] |= bit
	}
	for _, class := range classes {
		for ; class > 0; class &= class - 1 {
			if t.wide == nil { // it was not, after all
				late |= class
				break
			}
			record := bits.TrailingZeros64(class)
			begin, end := int(begins[record]), int(ends[record])
			k.setAt(p.payloads[record], end, end-begin-opening)
			t.addWide(&k)
		}
	}
	t.ones += p.early(late)
	p.late = late
}

// setAt makes it the key of the text of 1 to 127 bytes that ends there.
func (k *textKey) setAt(payload []byte, end, size int) {
	k.text = payload[end-size : end]
	if size <= longest {
		k.a, k.b = wordsAt(payload, end, size)
		k.hash = hashWords(k.a, k.b, size)
		return
	}
	k.hash = hashOf(k.text)
	k.a, k.b = k.hash, 0
}
