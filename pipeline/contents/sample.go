package contents

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
)

// maxSampled is the number of records up to which all are compared. Of more, about as many are.
const maxSampled = 1 << 14

// A Level says which records are sampled: those whose hash ends in so many zero bits. Equal records have
// equal hashes, so either all of them are sampled, or none.
type Level uint8

// LevelOf returns the level for a number of records.
func LevelOf(records int) (l Level) {
	for ; records>>l > maxSampled; l++ {
	}
	return l
}

// Has reports whether records with a hash are sampled.
func (l Level) Has(hash uint64) bool { return hash&(1<<l-1) == 0 }

// A Sample has the number of each sampled record, by its hash.
type Sample map[uint64]int64

// Merge adds the counts of another sample of the same level.
func (s Sample) Merge(other Sample) {
	for hash, n := range other {
		s[hash] += n
	}
}

// Append appends the sample in its stored form, for a run that resumes.
func (s Sample) Append(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	for _, hash := range slices.Sorted(maps.Keys(s)) {
		dst = binary.LittleEndian.AppendUint64(dst, hash)
		dst = binary.AppendUvarint(dst, uint64(s[hash]))
	}
	return dst
}

var errSample = errors.New("the sample of a shard is damaged")

// ParseSample reads the result of Append, and returns the bytes after it.
func ParseSample(data []byte) (s Sample, rest []byte, err error) {
	entries, n := binary.Uvarint(data)
	if n <= 0 || entries > uint64(len(data)-n)/9 {
		return nil, nil, errSample
	}
	s, data = make(Sample, entries), data[n:]
	for range entries {
		if len(data) < 9 {
			return nil, nil, errSample
		}
		hash := binary.LittleEndian.Uint64(data)
		count, n := binary.Uvarint(data[8:])
		if n <= 0 || count == 0 || count > 1<<62 {
			return nil, nil, errSample
		}
		s[hash], data = int64(count), data[8+n:]
	}
	return s, data, nil
}

// Equal says how many records are equal to others.
type Equal struct {
	Records int64   // without one of each
	Shared  []int64 // by split: those that are equal to a record of another split
	About   bool    // the counts are estimates, from a sample
}

// CountEqual counts the equal records of splits, whose samples have one level.
func CountEqual(splits []Sample, l Level) Equal {
	e := Equal{Shared: make([]int64, len(splits)), About: l > 0}
	for i, s := range splits {
		for hash, n := range s {
			first, others := true, false
			for k, other := range splits {
				if k != i && other[hash] > 0 {
					first, others = first && k > i, true
				}
			}
			e.Records += n
			if first {
				e.Records--
			}
			if others {
				e.Shared[i] += n
			}
		}
	}
	e.Records <<= l
	for i := range e.Shared {
		e.Shared[i] <<= l
	}
	return e
}
