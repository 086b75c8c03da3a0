package message

import (
	"bytes"
	"cmp"
	"slices"
)

// keys are those of a map.
type keys struct {
	text      []byte
	list      []keyAt
	ascending bool
}

// A keyAt is a key with its place in the line.
type keyAt struct{ begin, end, at int }

func (k *keys) reset() { k.text, k.list, k.ascending = k.text[:0], k.list[:0], true }

// add adds a key, unless there are too many.
func (k *keys) add(key []byte, at int) bool {
	if len(k.list) == maxFeatures {
		return false
	}
	if n := len(k.list); n > 0 && bytes.Compare(k.get(k.list[n-1]), key) >= 0 {
		k.ascending = false
	}
	begin := len(k.text)
	k.text = append(k.text, key...)
	k.list = append(k.list, keyAt{begin, len(k.text), at})
	return true
}

func (k *keys) get(key keyAt) []byte { return k.text[key.begin:key.end] }

// twice finds a key that stands a second time, and where.
func (k *keys) twice() (key []byte, at int, found bool) {
	if k.ascending {
		return nil, 0, false
	}
	slices.SortFunc(k.list, func(a, b keyAt) int {
		return cmp.Or(bytes.Compare(k.get(a), k.get(b)), cmp.Compare(a.at, b.at))
	})
	for i := 1; i < len(k.list); i++ {
		if key = k.get(k.list[i]); bytes.Equal(k.get(k.list[i-1]), key) {
			return key, k.list[i].at, true
		}
	}
	return nil, 0, false
}
