package contents

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
)

// Keys has the key of each record of a shard, or of a part of a shard.
type Keys []keyed

// A keyed is a key with the row ID of its record.
type keyed struct {
	hash [16]byte // the first half of its SHA-256
	row  uint64
}

// keyedSize is the size of a stored key in bytes.
const keyedSize = 24

// Add adds the key of a record with a row ID.
func (k *Keys) Add(key []byte, row uint64) {
	sum := sha256.Sum256(key)
	*k = append(*k, keyed{[16]byte(sum[:]), row})
}

// MoveTo moves the keys to other ones, and empties k.
func (k *Keys) MoveTo(to *Keys) { *to, *k = append(*to, *k...), (*k)[:0] }

// Append appends the keys in their stored form, for a run that resumes.
func (k Keys) Append(dst []byte) []byte {
	dst = binary.AppendUvarint(slices.Grow(dst, binary.MaxVarintLen64+len(k)*keyedSize), uint64(len(k)))
	for _, one := range k {
		dst = binary.LittleEndian.AppendUint64(append(dst, one.hash[:]...), one.row)
	}
	return dst
}

// ParseKeys reads the result of Append, and returns the bytes after it.
func ParseKeys(data []byte) (k Keys, rest []byte, err error) {
	count, n := binary.Uvarint(data)
	if n <= 0 || count > uint64(len(data)-n)/keyedSize {
		return nil, nil, errors.New("the keys of a shard are damaged")
	}
	k = make(Keys, 0, count)
	for data = data[n:]; count > 0; count-- {
		k = append(k, keyed{[16]byte(data), binary.LittleEndian.Uint64(data[16:])})
		data = data[keyedSize:]
	}
	return k, data, nil
}

// sort sorts the keys by their hash, then by row.
func (k Keys) sort() {
	slices.SortFunc(k, func(a, b keyed) int {
		return cmp.Or(bytes.Compare(a.hash[:], b.hash[:]), cmp.Compare(a.row, b.row))
	})
}

// Sorted returns the keys of all lists by their hash, then by row.
func Sorted(lists []Keys) Keys {
	all := slices.Concat(lists...)
	all.sort()
	return all
}

// Twice returns the row IDs of two records with one key: of all such rows, the first one that follows a row with its
// key. The argument has the keys of a split.
func Twice(lists []Keys) (first, second uint64, ok bool) {
	var some Keys
	for partition := range byte(partitions) {
		some = some[:0]
		for _, l := range lists {
			for _, one := range l {
				if one.hash[0]>>4 == partition {
					some = append(some, one)
				}
			}
		}
		some.sort()
		for i := 1; i < len(some); i++ {
			isFirst := i < 2 || some[i-2].hash != some[i].hash
			if some[i-1].hash == some[i].hash && isFirst && (!ok || some[i].row < second) {
				first, second, ok = some[i-1].row, some[i].row, true
			}
		}
	}
	return first, second, ok
}
