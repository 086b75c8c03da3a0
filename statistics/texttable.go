package statistics

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

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

// A textTable counts each of a few texts. The texts stand one after another, as they
// came; so those that are looked for again and again are close together in memory.
//
//	hash ─► index ─► slots ─► texts
type textTable struct {
	index []uint16 // numbers of slots plus 1; a power of two of them, none when it is empty
	shift uint8
	slots []textSlot
	texts []byte
}

type textSlot struct {
	a, b        uint64
	n           int64 // 0 of a text that was not counted since reset
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

// is reports whether a text of up to 16 bytes is that of the slot.
func (s *textSlot) is(a, b uint64, size int) bool {
	return (s.a^a)|(s.b^b)|(uint64(s.size)^uint64(size)) == 0
}

// slot is where a text is; nil where the table lacks it.
func (t *textTable) slot(k *textKey) *textSlot {
	mask := uint64(len(t.index) - 1)
	for i := placeOf(k.a, k.b) >> (t.shift & 63) & mask; i < uint64(len(t.index)); i = (i + 1) & mask {
		at := t.index[i]
		if at == 0 {
			break
		}
		slot := &t.slots[at-1]
		if slot.is(k.a, k.b, len(k.text)) && (len(k.text) <= longest || bytes.Equal(t.text(slot), k.text)) {
			return slot
		}
	}
	return nil
}

// add counts a text n times. It reports whether there is room for it.
func (t *textTable) add(k *textKey, n int64) bool {
	if slot := t.slot(k); slot != nil {
		slot.n += n
		return true
	}
	return t.insert(k, n)
}

// insert adds a text that is not there.
func (t *textTable) insert(k *textKey, n int64) bool {
	if len(k.text) > mostText {
		return false
	}
	if !t.hasRoom(k) {
		if t.forget(); !t.hasRoom(k) {
			return false
		}
	}
	t.slots = append(t.slots, textSlot{k.a, k.b, n, uint32(len(t.texts)), uint32(len(k.text))})
	t.texts = append(t.texts, k.text...)
	if 4*len(t.slots) > len(t.index) {
		t.index = make([]uint16, max(4*fewSlots, 2*len(t.index)))
		t.shift = shiftOf(len(t.index))
		t.putAll()
	} else {
		t.put(len(t.slots) - 1)
	}
	return true
}

func (t *textTable) hasRoom(k *textKey) bool {
	return len(t.slots) < mostValues && len(t.texts)+len(k.text) <= mostTexts
}

// put puts a slot into the index.
func (t *textTable) put(slot int) {
	mask := uint64(len(t.index) - 1)
	i := placeOf(t.slots[slot].a, t.slots[slot].b) >> (t.shift & 63)
	for t.index[i&mask] > 0 {
		i++
	}
	t.index[i&mask] = uint16(slot + 1)
}

func (t *textTable) putAll() {
	for i := range t.slots {
		t.put(i)
	}
}

// forget leaves out the texts that were not counted since reset.
func (t *textTable) forget() {
	slots, texts := t.slots[:0], t.texts[:0]
	for _, slot := range t.slots {
		if slot.n > 0 {
			text := t.text(&slot)
			slot.begin = uint32(len(texts))
			slots, texts = append(slots, slot), append(texts, text...)
		}
	}
	if len(slots) < len(t.slots) {
		t.slots, t.texts = slots, texts
		clear(t.index)
		t.putAll()
	}
}

// find is the count of a text; 0 where it is not there.
func (t *textTable) find(k *textKey) int64 {
	if slot := t.slot(k); slot != nil {
		return slot.n
	}
	return 0
}

// reset forgets what was counted. The texts stay, for they are likely to come again.
func (t *textTable) reset() {
	for i := range t.slots {
		t.slots[i].n = 0
	}
}
