package statistics

import (
	"encoding/binary"
	"math"

	"tfr-build/message"
)

// columnLoops groups the fields of a Counter by the loop that counts their entries.
//
// Most entries are short and have one value at their end. One loop per field counts these entries
// in all records of a batch, so its state stays in CPU registers. The other entries go to the
// fallback after the loop.
type columnLoops struct {
	kind                  message.Kind
	floats, ints, strings []columnLoop
	others                []*accumulator
}

// A columnLoop is a field with a short key.
type columnLoop struct {
	acc         *accumulator
	field       int // the index in the layout
	valueOffset int // of the value in a short entry
}

// maxShortEntry is the maximum size of an entry whose sizes are varints of one byte.
const maxShortEntry = 2 + 0x7f

// shortPrefix is the size of everything before the value in a short entry, except the key:
//
//	tag | size | tag | size | key | tag | size | tag of the list | size | tag | size
const shortPrefix = 10

// addField adds a field.
func (l *columnLoops) addField(t *accumulator) {
	x := columnLoop{t, t.field, shortPrefix + len(t.name.key)}
	switch {
	case x.valueOffset+maxInline > maxShortEntry:
		l.others = append(l.others, t)
	case t.list == floatList:
		l.floats = append(l.floats, x)
	case t.list == int64List:
		l.ints = append(l.ints, x)
	case t.list == bytesList:
		l.strings = append(l.strings, x)
	default:
		l.others = append(l.others, t)
	}
}

// add counts the entries of the records of a batch.
func (l *columnLoops) add(p *recordBatch) {
	for i := range l.floats {
		x := &l.floats[i]
		x.addFloats(p)
		p.countFallback(l.kind, x.acc)
	}
	for i := range l.ints {
		x := &l.ints[i]
		x.addInts(p)
		p.countFallback(l.kind, x.acc)
	}
	for i := range l.strings {
		x := &l.strings[i]
		if x.acc.wide == nil {
			x.addTableStrings(p)
		} else {
			x.addStrings(p)
		}
		p.countFallback(l.kind, x.acc)
	}
	for _, t := range l.others {
		p.fallback = p.recordBits()
		p.countFallback(l.kind, t)
	}
}

// addEntry is the fallback: it counts any entry of the field.
func (t *accumulator) addEntry(kind message.Kind, entry []byte) {
	if len(entry) == 0 {
		return
	}
	if _, f, ok := message.ReadEntry(kind, entry); ok {
		t.addRecord(t.addFeature(&f))
	}
}

// pendingWithRoom returns the pending numbers, with capacity for n more. It returns nil while the
// field had none: the fallback counts its first number.
func (x *columnLoop) pendingWithRoom(n int) []uint64 {
	t := x.acc
	switch {
	case t.pending == nil:
		return nil
	case cap(t.pending) < numberBatch:
		t.pending = append(make([]uint64, 0, numberBatch), t.pending...)
	}
	if len(t.pending)+n > numberBatch {
		t.flush()
	}
	return t.pending
}

// addFloats counts entries of one float32.
func (x *columnLoop) addFloats(p *recordBatch) {
	t, size := x.acc, x.valueOffset+4
	pending, fallback := x.pendingWithRoom(p.n), uint64(0)
	before := len(pending)
	n := before
	pending = pending[:cap(pending)]
	buf, bounds := p.buf, p.bounds
	for record, at := 0, x.field; record < p.n; record, at = record+1, at+p.stride {
		begin, end := int(bounds[at]), int(bounds[at+1])
		if end-begin != size || n >= len(pending) {
			fallback |= 1 << (record & 63)
			continue
		}
		pending[n] = float32Key(binary.LittleEndian.Uint32(buf[end-4 : end]))
		n++
	}
	t.singleValued += int64(n - before)
	t.pending, p.fallback = pending[:n], fallback
}

// float32Key returns the bits of the float64 that equals a float32.
func float32Key(b uint32) uint64 { return math.Float64bits(float64(math.Float32frombits(b))) }

// addInts counts entries of one integer.
func (x *columnLoop) addInts(p *recordBatch) {
	t, valueOffset, smallInts := x.acc, x.valueOffset, x.acc.smallInts
	pending, fallback := x.pendingWithRoom(p.n), uint64(0)
	n := len(pending)
	pending = pending[:cap(pending)]
	buf, bounds := p.buf, p.bounds
	for record, at := 0, x.field; record < p.n; record, at = record+1, at+p.stride {
		begin, end := int(bounds[at]), int(bounds[at+1])
		size := end - begin - valueOffset
		if size == 1 && smallInts != nil {
			smallInts[buf[end-1]&(smallIntCount-1)]++
			continue
		}
		if size > 1 && size <= 8 && n < len(pending) {
			if v, ok := varintAt(buf, end, size); ok {
				pending[n] = v
				n++
				continue
			}
		}
		fallback |= 1 << (record & 63)
	}
	t.singleValued += p.countLooped(fallback)
	t.pending, p.fallback = pending[:n], fallback
}

// varintAt returns the varint in the size bytes before end, which are 2 to 8. ok is false if they
// are not exactly one varint. Each byte has seven bits of the number, which are merged in
// parallel.
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
