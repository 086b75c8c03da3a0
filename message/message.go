package message

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
)

// maxFeatures is the largest number of keys of a message that Read decodes.
const maxFeatures = 1 << 20

// ErrMany means that a message has more than 1048576 features.
var ErrMany = errors.New("a message of more than 1048576 features is not shown")

// HasMany reports whether payload is a valid message with too many features for [Message.Read].
func HasMany(kind Kind, payload []byte) bool {
	const least = 2 // smallest size of an entry
	if len(payload) <= least*maxFeatures {
		return false
	}
	n := 0
	feature, list := func([]byte, Feature) { n++ }, func([]byte, FeatureList) { n++ }
	return Walk(kind, payload, feature, list) && n > maxFeatures
}

// A Message is a decoded payload. It shares the memory of the payload. A Message can read several
// payloads one after another, and reuses its memory.
type Message struct {
	Kind     Kind
	Features []Entry[Feature]     // for a SequenceExample the features of its context
	Lists    []Entry[FeatureList] // for a SequenceExample

	payload       []byte
	hasDuplicates bool // a key occurs twice
	order         []int
	text          []byte // buffer for printing
}

// An Entry is a key of a message and its value.
type Entry[V any] struct {
	Key   []byte
	Value V
}

// Read decodes a payload. Features are in the order of the payload, and each key occurs once: the
// last value counts. If the payload is not a message of that kind, m.Kind is None. The only error
// is ErrMany.
func (m *Message) Read(kind Kind, payload []byte) error {
	m.Kind, m.payload, m.Features, m.Lists = kind, payload, m.Features[:0], m.Lists[:0]
	many := false
	room := func() bool {
		many = many || len(m.Features)+len(m.Lists) == maxFeatures
		return !many
	}
	feature := func(key []byte, f Feature) {
		if room() {
			m.Features = append(m.Features, Entry[Feature]{key, f})
		}
	}
	list := func(key []byte, l FeatureList) {
		if room() {
			m.Lists = append(m.Lists, Entry[FeatureList]{key, l})
		}
	}
	ok := Walk(kind, payload, feature, list)
	switch {
	case !ok:
		m.Kind, m.Features, m.Lists = None, m.Features[:0], m.Lists[:0]
	case many:
		return ErrMany
	}
	all := len(m.Features) + len(m.Lists)
	m.Features, m.order = lastOfEach(m.Features, m.order)
	m.Lists, m.order = lastOfEach(m.Lists, m.order)
	m.hasDuplicates = len(m.Features)+len(m.Lists) < all
	return nil
}

// lastOfEach keeps the last entry of each key, in the order of the payload. order is scratch space.
func lastOfEach[V any](entries []Entry[V], order []int) ([]Entry[V], []int) {
	order = order[:0]
	ascending := true
	for i := range entries {
		order = append(order, i)
		ascending = ascending && (i == 0 || bytes.Compare(entries[i-1].Key, entries[i].Key) < 0)
	}
	if ascending {
		return entries, order
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(bytes.Compare(entries[a].Key, entries[b].Key), cmp.Compare(a, b))
	})
	last := order[:0]
	for i, at := range order {
		if i+1 == len(order) || !bytes.Equal(entries[at].Key, entries[order[i+1]].Key) {
			last = append(last, at)
		}
	}
	slices.Sort(last)
	for i, at := range last {
		entries[i] = entries[at]
	}
	return entries[:len(last)], order
}
