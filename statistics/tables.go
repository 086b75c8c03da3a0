package statistics

// The limits of the exact tables. Whether values exceed them depends on the set of values, not on
// their order.
const (
	maxTableValues = 1024    // distinct values
	maxTableString = 256     // bytes of a string
	maxTableBytes  = 1 << 16 // bytes of all strings in a table
	minSlots       = 16
)

// A numberTable is a hash table that counts each of a few numbers.
type numberTable struct {
	slots []numberSlot // the length is a power of two, or 0 if the table is empty
	shift uint8
	used  int
}

type numberSlot struct {
	key uint64
	n   int64 // 0 if the slot is free
}

// hashMultiplier is 2^64 divided by the golden ratio. The product of a key with it hashes the
// key: similar keys have different upper bits.
const hashMultiplier = 0x9e3779b97f4a7c15

// add counts a number n times. It returns false if the table is full.
func (t *numberTable) add(key uint64, n int64) bool {
	if len(t.slots) > 0 {
		mask := uint64(len(t.slots) - 1)
		for i := key * hashMultiplier >> t.shift; ; i++ {
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

// addAll counts each number once. If the table gets full, it returns the remaining numbers.
func (t *numberTable) addAll(keys []uint64) []uint64 {
	for i, key := range keys {
		slots, shift := t.slots, t.shift
		if len(slots) > 0 {
			mask := uint64(len(slots) - 1)
			at := key * hashMultiplier >> (shift & 63) & mask
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

// insert adds a number that is not in the table.
func (t *numberTable) insert(key uint64, n int64) bool {
	if t.used == maxTableValues {
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
	i := slot.key * hashMultiplier >> t.shift
	for t.slots[i&mask].n > 0 {
		i++
	}
	t.slots[i&mask] = slot
}

func (t *numberTable) grow() {
	old := t.slots
	size := max(minSlots, 2*len(old))
	t.slots = make([]numberSlot, size)
	t.shift = shiftOf(size)
	for _, slot := range old {
		if slot.n > 0 {
			t.put(slot)
		}
	}
}

// shiftOf returns the shift that turns a hash into the index of one of size slots.
func shiftOf(size int) uint8 {
	shift := uint8(64)
	for ; size > 1; size >>= 1 {
		shift--
	}
	return shift
}

// reset removes all numbers, and keeps the memory.
func (t *numberTable) reset() {
	if t.used > 0 {
		clear(t.slots)
		t.used = 0
	}
}

// find returns the count of a number, or 0 if it is not in the table.
func (t *numberTable) find(key uint64) int64 {
	if len(t.slots) == 0 {
		return 0
	}
	mask := uint64(len(t.slots) - 1)
	for i := key * hashMultiplier >> t.shift; ; i++ {
		slot := &t.slots[i&mask]
		if slot.n == 0 || slot.key == key {
			return slot.n
		}
	}
}
