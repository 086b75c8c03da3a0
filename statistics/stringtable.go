package statistics

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// A stringKey is a string in the form that tables compare. A string of up to 16 bytes is
// identified by its two words and its size, a longer one by its hash and its bytes.
type stringKey struct {
	text []byte
	a, b uint64 // the two words; or the hash and 0
	hash uint64
}

// maxInline is the maximum size of a string that two words represent.
const maxInline = 16

// set sets the key to a string.
func (k *stringKey) set(text []byte) {
	k.text = text
	size := len(text)
	switch {
	case size > maxInline:
		k.hash = hashOf(text)
		k.a, k.b = k.hash, 0
		return
	case cap(text) >= maxInline: // no branch on the size
		mask := &masks[size]
		text16 := text[:maxInline]
		k.a = binary.LittleEndian.Uint64(text16) & mask[0]
		k.b = binary.LittleEndian.Uint64(text16[8:]) & mask[1]
	default:
		k.a, k.b = words(text)
	}
	k.hash = hashWords(k.a, k.b, size)
}

// words returns a string of up to 16 bytes as two little-endian numbers, padded with zeros.
func words(text []byte) (a, b uint64) {
	n := len(text)
	switch {
	case n >= 8:
		return binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[n-8:]) >> (8 * (maxInline - n))
	case n >= 4:
		first, last := binary.LittleEndian.Uint32(text), binary.LittleEndian.Uint32(text[n-4:])
		return uint64(first) | uint64(last)<<(8*(n-4)), 0
	}
	for i, c := range text {
		a |= uint64(c) << (8 * i)
	}
	return a, 0
}

// masks[size] masks the first size bytes of two words.
var masks = func() (m [maxInline + 1][2]uint64) {
	for size := range m {
		m[size] = [2]uint64{1<<(8*min(size, 8)) - 1, 1<<(8*max(0, size-8)) - 1}
	}
	return m
}()

// hashWords returns the hash of a string of so many bytes by its words.
func hashWords(a, b uint64, size int) uint64 {
	// The constants are the first two secrets of wyhash, which mixes by a multiplication, too.
	high, low := bits.Mul64(a^0x2d358dccaa6c78a5, b^0x8bb84b93962eacc9^uint64(size))
	return high ^ low ^ a
}

// tableHash returns a cheap hash for positions in a table.
func tableHash(a, b uint64) uint64 { return (a + b*hashMultiplier) * hashMultiplier }

// A stringTable is a hash table that counts each of a few strings. The strings follow each other
// in the order of their first use. So frequent strings are close together in memory.
//
//	hash ─► index ─► slots ─► data
type stringTable struct {
	index []uint16 // indexes of slots plus 1; the length is 0 or a power of two
	shift uint8
	slots []stringSlot
	data  []byte
}

type stringSlot struct {
	a, b        uint64
	n           int64 // 0 if the string was not counted since reset
	begin, size uint32
}

func (t *stringTable) text(slot *stringSlot) []byte { return t.data[slot.begin:][:slot.size] }

// key returns the key of the string in a slot.
func (t *stringTable) key(slot *stringSlot) stringKey {
	return stringKey{t.text(slot), slot.a, slot.b, slot.hash()}
}

func (s *stringSlot) hash() uint64 {
	if s.size <= maxInline {
		return hashWords(s.a, s.b, int(s.size))
	}
	return s.a
}

// is reports whether the slot has the string of up to 16 bytes with these words.
func (s *stringSlot) is(a, b uint64, size int) bool {
	return (s.a^a)|(s.b^b)|(uint64(s.size)^uint64(size)) == 0 // one branch instead of three
}

// slot returns the slot of a string, or nil if it is not in the table.
func (t *stringTable) slot(k *stringKey) *stringSlot {
	mask := uint64(len(t.index) - 1)
	// "& 63" and the condition tell the compiler what it would check otherwise: the shift and the index.
	for i := tableHash(k.a, k.b) >> (t.shift & 63) & mask; i < uint64(len(t.index)); i = (i + 1) & mask {
		at := t.index[i]
		if at == 0 {
			break
		}
		slot := &t.slots[at-1]
		if slot.is(k.a, k.b, len(k.text)) && (len(k.text) <= maxInline || bytes.Equal(t.text(slot), k.text)) {
			return slot
		}
	}
	return nil
}

// add counts a string n times. It returns false if the table is full.
func (t *stringTable) add(k *stringKey, n int64) bool {
	if slot := t.slot(k); slot != nil {
		slot.n += n
		return true
	}
	return t.insert(k, n)
}

// insert adds a string that is not in the table.
func (t *stringTable) insert(k *stringKey, n int64) bool {
	if len(k.text) > maxTableString {
		return false
	}
	if !t.hasRoom(k) {
		if t.dropUncounted(); !t.hasRoom(k) {
			return false
		}
	}
	t.slots = append(t.slots, stringSlot{k.a, k.b, n, uint32(len(t.data)), uint32(len(k.text))})
	t.data = append(t.data, k.text...)
	if 4*len(t.slots) > len(t.index) { // at most a quarter is used: most searches end at their first slot
		t.index = make([]uint16, max(4*minSlots, 2*len(t.index)))
		t.shift = shiftOf(len(t.index))
		t.putAll()
	} else {
		t.put(len(t.slots) - 1)
	}
	return true
}

func (t *stringTable) hasRoom(k *stringKey) bool {
	return len(t.slots) < maxTableValues && len(t.data)+len(k.text) <= maxTableBytes
}

// put adds a slot to the index.
func (t *stringTable) put(slot int) {
	mask := uint64(len(t.index) - 1)
	i := tableHash(t.slots[slot].a, t.slots[slot].b) >> (t.shift & 63)
	for t.index[i&mask] > 0 {
		i++
	}
	t.index[i&mask] = uint16(slot + 1)
}

func (t *stringTable) putAll() {
	for i := range t.slots {
		t.put(i)
	}
}

// dropUncounted removes the strings without counts since reset.
func (t *stringTable) dropUncounted() {
	slots, data := t.slots[:0], t.data[:0]
	for _, slot := range t.slots {
		if slot.n > 0 {
			text := t.text(&slot)
			slot.begin = uint32(len(data))
			slots, data = append(slots, slot), append(data, text...)
		}
	}
	if len(slots) < len(t.slots) {
		t.slots, t.data = slots, data
		clear(t.index)
		t.putAll()
	}
}

// find returns the count of a string, or 0 if it is not in the table.
func (t *stringTable) find(k *stringKey) int64 {
	if slot := t.slot(k); slot != nil {
		return slot.n
	}
	return 0
}

// reset sets all counts to 0. It keeps the strings, because they are likely to come again.
func (t *stringTable) reset() {
	for i := range t.slots {
		t.slots[i].n = 0
	}
}
