package message

import (
	"bytes"
	"cmp"
	"slices"
)

// keys are the keys of a map, to find duplicates.
type keys struct {
	buf       []byte
	list      []keyRange
	ascending bool
}

// A keyRange is the range of a key in keys.buf, and its offset in the line.
type keyRange struct{ begin, end, at int }

func (k *keys) reset() { k.buf, k.list, k.ascending = k.buf[:0], k.list[:0], true }

// add adds a key. It returns false if there are too many.
func (k *keys) add(key []byte, at int) bool {
	if len(k.list) == maxFeatures {
		return false
	}
	if n := len(k.list); n > 0 && bytes.Compare(k.get(k.list[n-1]), key) >= 0 {
		k.ascending = false
	}
	begin := len(k.buf)
	k.buf = append(k.buf, key...)
	k.list = append(k.list, keyRange{begin, len(k.buf), at})
	return true
}

func (k *keys) get(key keyRange) []byte { return k.buf[key.begin:key.end] }

// findDuplicate returns a key that occurs twice, and the offset of its second occurrence.
func (k *keys) findDuplicate() (key []byte, at int, found bool) {
	if k.ascending {
		return nil, 0, false
	}
	slices.SortFunc(k.list, func(a, b keyRange) int {
		return cmp.Or(bytes.Compare(k.get(a), k.get(b)), cmp.Compare(a.at, b.at))
	})
	for i := 1; i < len(k.list); i++ {
		if key = k.get(k.list[i]); bytes.Equal(k.get(k.list[i-1]), key) {
			return key, k.list[i].at, true
		}
	}
	return nil, 0, false
}
