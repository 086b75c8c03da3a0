// Package nameset numbers names: of a million classes it takes little more memory than
// their text.
//
//	names  [ "cat" "dog" "eel" … ]   16 bytes each, of strings that share their memory
//	text   catdogeel…                in chunks that never move
//	slots  [ 0 3 0 1 2 0 0 0 … ]     numbers from 1, by the hashes of the names: at least half are 0
package nameset

import (
	"hash/maphash"
	"strings"
)

// chunkSize is how many bytes of text are taken at a time.
const chunkSize = 64 << 10

// A Set numbers names in the order in which they are added, from 0. The zero Set is
// empty. Names of one that does not change may be found by several goroutines at once.
type Set struct {
	names []string
	slots []uint32
	seed  maphash.Seed
	chunk *strings.Builder // with room for more text; what it holds is never moved
}

// Of is the set of names, which it keeps: of two that are equal the first counts.
// second is the number of the first name that is there already, as first; negative
// where there is none.
func Of(names []string) (s *Set, first, second int) {
	s, second = &Set{names: names}, -1
	size := leastSlots
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

// Len is how many names there are.
func (s *Set) Len() int { return len(s.names) }

// Names are the names by their numbers. They hold also when others are added.
func (s *Set) Names() []string { return s.names[:len(s.names):len(s.names)] }

// Find returns the number of a name.
func (s *Set) Find(name []byte) (n int, ok bool) {
	if len(s.slots) == 0 {
		return 0, false
	}
	at := s.slots[s.slotOf(name)]
	return int(at) - 1, at > 0
}

// Add adds a name, of which it keeps a copy, unless it is there. It returns its number.
func (s *Set) Add(name []byte) (n int, added bool) {
	if 2*(len(s.names)+1) > len(s.slots) {
		s.grow()
	}
	slot := s.slotOf(name)
	if at := s.slots[slot]; at > 0 {
		return int(at) - 1, false
	}
	s.names = append(s.names, s.keep(name))
	s.slots[slot] = uint32(len(s.names))
	return len(s.names) - 1, true
}

// leastSlots is how many slots a set begins with.
const leastSlots = 16

// grow doubles the slots.
func (s *Set) grow() {
	if len(s.slots) == 0 {
		s.slots, s.seed = make([]uint32, leastSlots), maphash.MakeSeed()
		return
	}
	s.slots = make([]uint32, 2*len(s.slots))
	for i, name := range s.names {
		s.slots[s.slot(name)] = uint32(i + 1)
	}
}

// keep copies a name behind others.
func (s *Set) keep(name []byte) string {
	if s.chunk == nil || s.chunk.Cap()-s.chunk.Len() < len(name) {
		s.chunk = new(strings.Builder)
		s.chunk.Grow(max(chunkSize, len(name)))
	}
	at := s.chunk.Len()
	s.chunk.Write(name) // within its room, so that earlier names stay where they are
	return s.chunk.String()[at:]
}

// slot is the slot of a name, or the free one that it would take.
func (s *Set) slot(name string) uint64 {
	mask := uint64(len(s.slots) - 1)
	for slot := maphash.String(s.seed, name) & mask; ; slot = (slot + 1) & mask {
		if at := s.slots[slot]; at == 0 || s.names[at-1] == name {
			return slot
		}
	}
}

// slotOf is slot for a name that is no string yet.
func (s *Set) slotOf(name []byte) uint64 {
	mask := uint64(len(s.slots) - 1)
	for slot := maphash.Bytes(s.seed, name) & mask; ; slot = (slot + 1) & mask {
		if at := s.slots[slot]; at == 0 || s.names[at-1] == string(name) {
			return slot
		}
	}
}
