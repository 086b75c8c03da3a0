package statistics

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// The bounds of the exact tables. Whether values go beyond them is a property of
// their set, and not of the order in which they come.
const (
	mostValues = 1024
	mostText   = 256     // bytes of a text
	mostTexts  = 1 << 16 // bytes of all texts of a table
	mostSlots  = 2 * mostValues
	fewSlots   = 16
)

// A numberTable counts each of a few numbers. Its keys are those of [numberKey].
type numberTable struct {
	slots []numberSlot // a power of two of them, none when it is empty
	shift uint8
	used  int
}

type numberSlot struct {
	key uint64
	n   int64 // 0 where the slot is free
}

// spread is an odd number whose product with keys that are alike is not alike in
// its upper bits: 2^64 divided by the golden ratio.
const spread = 0x9e3779b97f4a7c15

// add counts a number n times. It reports whether there is room for it.
func (t *numberTable) add(key uint64, n int64) bool {
	if len(t.slots) > 0 {
		mask := uint64(len(t.slots) - 1)
		for i := key * spread >> t.shift; ; i++ {
			slot := &t.slots[i&mask]
			if slot.key == key && slot.n > 0 {
				slot.n += n
				return true
			}
			if slot.n == 0 {
				break
			}
		}
	}
	return t.insert(key, n)
}

// addAll counts each of some numbers once, and returns those for which there is no
// room, from the first one on.
func (t *numberTable) addAll(keys []uint64) []uint64 {
	for i, key := range keys {
		slots, shift := t.slots, t.shift
		if len(slots) > 0 {
			mask := uint64(len(slots) - 1)
			at := key * spread >> (shift & 63) & mask
			for slots[at].n > 0 && slots[at].key != key {
				at = (at + 1) & mask
			}
			if slots[at].n > 0 {
				slots[at].n++
				continue
			}
		}
		if !t.insert(key, 1) {
			return keys[i:]
		}
	}
	return nil
}

// insert adds a number that is not there.
func (t *numberTable) insert(key uint64, n int64) bool {
	if t.used == mostValues {
		return false
	}
	if 2*t.used >= len(t.slots) {
		t.grow()
	}
	t.put(numberSlot{key, n})
	t.used++
	return true
}

func (t *numberTable) put(slot numberSlot) {
	mask := uint64(len(t.slots) - 1)
	i := slot.key * spread >> t.shift
	for t.slots[i&mask].n > 0 {
		i++
	}
	t.slots[i&mask] = slot
}

func (t *numberTable) grow() {
	old := t.slots
	size := max(fewSlots, 2*len(old))
	t.slots = make([]numberSlot, size)
	t.shift = shiftOf(size)
	for _, slot := range old {
		if slot.n > 0 {
			t.put(slot)
		}
	}
}

// shiftOf leaves as many bits of a hash as name one of size slots.
func shiftOf(size int) uint8 {
	shift := uint8(64)
	for ; size > 1; size >>= 1 {
		shift--
	}
	return shift
}

// reset empties the table, and keeps its memory.
func (t *numberTable) reset() {
	if t.used > 0 {
		clear(t.slots)
		t.used = 0
	}
}

// A textKey is a text as tables know it. One of up to 16 bytes is known by its
// words and its size, a longer one by its hash and its bytes.
type textKey struct {
	text []byte
	a, b uint64 // its words, or its hash and 0
	hash uint64
}

// longest is how long a text may be that is known by two words.
const longest = 16

// set makes it the key of a text.
func (k *textKey) set(text []byte) {
	k.text = text
	size := len(text)
	switch {
	case size > longest:
		k.hash = hashOf(text)
		k.a, k.b = k.hash, 0
		return
	case cap(text) >= longest: // without a branch on the size
		mask := &masks[size]
		text16 := text[:longest]
		k.a = binary.LittleEndian.Uint64(text16) & mask[0]
		k.b = binary.LittleEndian.Uint64(text16[8:]) & mask[1]
	default:
		k.a, k.b = words(text)
	}
	k.hash = hashWords(k.a, k.b, size)
}

// words are a text of up to 16 bytes, followed by zeros, as two numbers.
func words(text []byte) (a, b uint64) {
	n := len(text)
	switch {
	case n >= 8:
		return binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[n-8:]) >> (8 * (longest - n))
	case n >= 4:
		first, last := binary.LittleEndian.Uint32(text), binary.LittleEndian.Uint32(text[n-4:])
		return uint64(first) | uint64(last)<<(8*(n-4)), 0
	}
	for i, c := range text {
		a |= uint64(c) << (8 * i)
	}
	return a, 0
}

// masks keep so many bytes of two words.
var masks = func() (m [longest + 1][2]uint64) {
	for size := range m {
		m[size] = [2]uint64{1<<(8*min(size, 8)) - 1, 1<<(8*max(0, size-8)) - 1}
	}
	return m
}()

// hashWords is a hash of a text of so many bytes by its words.
func hashWords(a, b uint64, size int) uint64 {
	high, low := bits.Mul64(a^0x2d358dccaa6c78a5, b^0x8bb84b93962eacc9^uint64(size))
	return high ^ low ^ a
}

// placeOf is a hash that only places texts in tables, and costs little.
func placeOf(a, b uint64) uint64 { return (a + b*spread) * spread }

// A textTable counts each of a few texts.
type textTable struct {
	slots []textSlot // a power of two of them, none when it is empty
	shift uint8
	used  int
	texts []byte
}

type textSlot struct {
	a, b        uint64
	n           int64 // 0 where the slot is free
	begin, size uint32
}

func (t *textTable) text(slot *textSlot) []byte { return t.texts[slot.begin:][:slot.size] }

// key is that of the text of a slot.
func (t *textTable) key(slot *textSlot) textKey {
	return textKey{t.text(slot), slot.a, slot.b, slot.hash()}
}

func (s *textSlot) hash() uint64 {
	if s.size <= longest {
		return hashWords(s.a, s.b, int(s.size))
	}
	return s.a
}

// slot is where a text is, or where it may be put; nil where there are no slots.
func (t *textTable) slot(k *textKey) *textSlot {
	if len(t.slots) == 0 {
		return nil
	}
	mask := uint64(len(t.slots) - 1)
	for i := placeOf(k.a, k.b) >> (t.shift & 63); ; i++ {
		slot := &t.slots[i&mask]
		if slot.n == 0 {
			return slot
		}
		if slot.a == k.a && slot.b == k.b && int(slot.size) == len(k.text) &&
			(len(k.text) <= longest || bytes.Equal(t.text(slot), k.text)) {
			return slot
		}
	}
}

// add counts a text n times. It reports whether there is room for it.
func (t *textTable) add(k *textKey, n int64) bool {
	if slot := t.slot(k); slot != nil && slot.n > 0 {
		slot.n += n
		return true
	}
	return t.insert(k, n)
}

// known is the slot of a text of 1 to 16 bytes by its words and its size; nil where the
// table lacks it.
func (t *textTable) known(a, b uint64, size int) *textSlot {
	slots := t.slots
	mask := uint64(len(slots) - 1)
	for i := placeOf(a, b) >> (t.shift & 63) & mask; i < uint64(len(slots)); i = (i + 1) & mask {
		s := &slots[i]
		if (s.a^a)|(s.b^b)|(uint64(s.size)^uint64(size)) == 0 {
			return s
		}
		if s.n == 0 {
			break
		}
	}
	return nil
}

// insert adds a text that is not there.
func (t *textTable) insert(k *textKey, n int64) bool {
	if t.used == mostValues || len(k.text) > mostText || len(t.texts)+len(k.text) > mostTexts {
		return false
	}
	if 2*t.used >= len(t.slots) {
		t.grow()
	}
	*t.slot(k) = textSlot{k.a, k.b, n, uint32(len(t.texts)), uint32(len(k.text))}
	t.texts = append(t.texts, k.text...)
	t.used++
	return true
}

func (t *textTable) grow() {
	old := t.slots
	size := max(fewSlots, 2*len(old))
	t.slots = make([]textSlot, size)
	t.shift = shiftOf(size)
	for i := range old {
		if old[i].n > 0 {
			k := t.key(&old[i])
			*t.slot(&k) = old[i]
		}
	}
}

// find is the count of a text; 0 where it is not there.
func (t *textTable) find(k *textKey) int64 {
	if slot := t.slot(k); slot != nil {
		return slot.n
	}
	return 0
}

// reset empties the table, and keeps its memory.
func (t *textTable) reset() {
	if t.used > 0 {
		clear(t.slots)
		t.used, t.texts = 0, t.texts[:0]
	}
}

// find is the count of a number; 0 where it is not there.
func (t *numberTable) find(key uint64) int64 {
	if len(t.slots) == 0 {
		return 0
	}
	mask := uint64(len(t.slots) - 1)
	for i := key * spread >> t.shift; ; i++ {
		slot := &t.slots[i&mask]
		if slot.n == 0 || slot.key == key {
			return slot.n
		}
	}
}
