package statistics

import (
	"encoding/binary"
	"math"
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
		p.late = p.all()
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
	pending, late := x.room(p.n), uint64(0)
	before := len(pending)
	n := before
	pending = pending[:cap(pending)]
	buf, bounds := p.buf, p.bounds
	for record, at := 0, x.field; record < p.n; record, at = record+1, at+p.stride {
		begin, end := int(bounds[at]), int(bounds[at+1])
		if end-begin != size || n >= len(pending) {
			late |= 1 << (record & 63)
			continue
		}
		pending[n] = singleBits(binary.LittleEndian.Uint32(buf[end-4 : end]))
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
	pending, late := x.room(p.n), uint64(0)
	n := len(pending)
	pending = pending[:cap(pending)]
	buf, bounds := p.buf, p.bounds
	for record, at := 0, x.field; record < p.n; record, at = record+1, at+p.stride {
		begin, end := int(bounds[at]), int(bounds[at+1])
		size := end - begin - opening
		if size == 1 && few != nil {
			few[buf[end-1]&(leastInts-1)]++
			continue
		}
		if size > 1 && size <= 8 && n < len(pending) {
			if v, ok := varintAt(buf, end, size); ok {
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
func varintAt(buf []byte, end, size int) (v uint64, ok bool) {
	shift := -8 * size & 63
	v = binary.LittleEndian.Uint64(buf[end-8:end]) >> shift
	if v&ascii != ascii>>8>>shift {
		return 0, false
	}
	v &^= ascii
	v = v&0x007f007f007f007f | v&0x7f007f007f007f00>>1
	v = v&0x00003fff00003fff | v&0x3fff00003fff0000>>2
	v = v&0x0fffffff | v&0x0fffffff00000000>>4
	return v, true
}
