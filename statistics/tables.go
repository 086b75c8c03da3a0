package statistics

// The bounds of the exact tables. Whether values go beyond them is a property of
// their set, and not of the order in which they come.
const (
	mostValues = 1024
	mostText   = 256     // bytes of a text
	mostTexts  = 1 << 16 // bytes of all texts of a table
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
