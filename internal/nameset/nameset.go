// Package nameset assigns numbers to names. A million names take little more memory than their
// bytes:
//
//	names  [ "cat" "dog" "eel" … ]   16 bytes each, of strings that share their memory
//	bytes  catdogeel…                in chunks that never move
//	slots  [ 0 3 0 1 2 0 0 0 … ]     numbers from 1, by the hashes of the names: at least half are 0
package nameset

import (
	"hash/maphash"
	"strings"
)

// chunkSize is the number of bytes that are allocated for names at a time.
const chunkSize = 64 << 10

// A Set numbers names in the order in which they are added, from 0. The zero Set is empty. Several
// goroutines may read a Set that does not change.
type Set struct {
	names []string
	slots []uint32
	seed  maphash.Seed
	chunk *strings.Builder // the current chunk; its bytes never move
}

// Of returns the set of names, and keeps the slice. If a name occurs twice, its first number
// counts. second is the number of the first repeated name, and first the number of its first
// occurrence. second is negative if all names are unique.
func Of(names []string) (s *Set, first, second int) {
	s, second = &Set{names: names}, -1
	size := minSlots
	for size < 2*len(names) {
		size *= 2
	}
	s.slots, s.seed = make([]uint32, size), maphash.MakeSeed()
	for i, name := range names {
		slot := s.slot(name)
		switch at := s.slots[slot]; {
		case at == 0:
			s.slots[slot] = uint32(i + 1)
		case second < 0:
			first, second = int(at-1), i
		}
	}
	return s, first, second
}

// Len returns the number of names.
func (s *Set) Len() int { return len(s.names) }

// Names returns the names, indexed by their numbers. The result stays valid if names are added.
func (s *Set) Names() []string { return s.names[:len(s.names):len(s.names)] }

// Find returns the number of a name, and whether the set has it.
func (s *Set) Find(name []byte) (n int, ok bool) {
	if len(s.slots) == 0 {
		return 0, false
	}
	at := s.slots[s.slotOf(name)]
	return int(at) - 1, at > 0
}

// Add adds a copy of a name unless the set has it already. It returns the number of the name, and
// whether it was added.
func (s *Set) Add(name []byte) (n int, added bool) {
	if 2*(len(s.names)+1) > len(s.slots) {
		s.grow()
	}
	slot := s.slotOf(name)
	if at := s.slots[slot]; at > 0 {
		return int(at) - 1, false
	}
	s.names = append(s.names, s.copyName(name))
	s.slots[slot] = uint32(len(s.names))
	return len(s.names) - 1, true
}

// minSlots is the initial number of slots.
const minSlots = 16

// grow doubles the number of slots.
func (s *Set) grow() {
	if len(s.slots) == 0 {
		s.slots, s.seed = make([]uint32, minSlots), maphash.MakeSeed()
		return
	}
	s.slots = make([]uint32, 2*len(s.slots))
	for i, name := range s.names {
		s.slots[s.slot(name)] = uint32(i + 1)
	}
}

// copyName copies a name to the current chunk, or to a new one if the current chunk is full.
func (s *Set) copyName(name []byte) string {
	if s.chunk == nil || s.chunk.Cap()-s.chunk.Len() < len(name) {
		s.chunk = new(strings.Builder)
		s.chunk.Grow(max(chunkSize, len(name)))
	}
	at := s.chunk.Len()
	s.chunk.Write(name) // within the capacity, so earlier names do not move
	return s.chunk.String()[at:]
}

// slot returns the slot of a name, or the free slot where it would be inserted.
func (s *Set) slot(name string) uint64 {
	mask := uint64(len(s.slots) - 1)
	for slot := maphash.String(s.seed, name) & mask; ; slot = (slot + 1) & mask {
		if at := s.slots[slot]; at == 0 || s.names[at-1] == name {
			return slot
		}
	}
}

// slotOf is slot for a name as bytes.
func (s *Set) slotOf(name []byte) uint64 {
	mask := uint64(len(s.slots) - 1)
	for slot := maphash.Bytes(s.seed, name) & mask; ; slot = (slot + 1) & mask {
		if at := s.slots[slot]; at == 0 || s.names[at-1] == string(name) {
			return slot
		}
	}
}
