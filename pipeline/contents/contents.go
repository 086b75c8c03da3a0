// Package contents finds content that is in two splits.
//
// The content of a record is its payload, and also each image in it on its own. A content is
// represented by its XXH3-128 hash, 16 bytes; the content itself is not stored:
//
//	records ─Add─► List, one per shard ─MoveTo─► Shared ─► number of rows, by split, whose content another split has
//
// Two contents are treated as equal if all 128 bits agree. For a billion different contents, a
// collision happens by chance in one of 10^20 datasets.
package contents

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"

	"github.com/zeebo/xxh3"
)

// A List has the contents of the records of a shard, or of a part of a shard.
type List struct {
	records int64
	hashes  []hashed
}

// NewList returns an empty list with room for so many records without images.
func NewList(records int) *List { return &List{hashes: make([]hashed, 0, records)} }

// A hashed is one content of a record.
type hashed struct {
	hash   xxh3.Uint128
	record uint32 // index in the list
}

// maxRecords is the largest number of records that a list can distinguish.
const maxRecords = 1<<32 - 1

// Add adds a record by its payload and the images in it.
func (l *List) Add(payload []byte, images ...[]byte) {
	l.add(payload)
	for _, image := range images {
		l.add(image)
	}
	l.records++
}

func (l *List) add(content []byte) {
	if l.records <= maxRecords {
		l.hashes = append(l.hashes, hashed{xxh3.Hash128(content), uint32(l.records)})
	}
}

// MoveTo moves the records of l to another list, and empties l.
func (l *List) MoveTo(to *List) {
	for _, m := range l.hashes {
		m.record += uint32(to.records)
		to.hashes = append(to.hashes, m)
	}
	to.records += l.records
	l.records, l.hashes = 0, l.hashes[:0]
}

// hashedSize is the size of a stored content in bytes.
const hashedSize = 20

// Append appends the list in its stored form, for a run that resumes.
func (l *List) Append(dst []byte) []byte {
	dst = binary.AppendUvarint(slices.Grow(dst, binary.MaxVarintLen64+len(l.hashes)*hashedSize), uint64(l.records))
	for _, m := range l.hashes {
		dst = binary.LittleEndian.AppendUint64(dst, m.hash.Lo)
		dst = binary.LittleEndian.AppendUint64(dst, m.hash.Hi)
		dst = binary.LittleEndian.AppendUint32(dst, m.record)
	}
	return dst
}

// Parse reads the result of Append.
func Parse(data []byte) (List, error) {
	records, n := binary.Uvarint(data)
	if n <= 0 || (len(data)-n)%hashedSize != 0 || records > maxRecords {
		return List{}, errors.New("the contents of a shard are damaged")
	}
	l := List{records: int64(records)}
	for data = data[n:]; len(data) > 0; data = data[hashedSize:] {
		m := hashed{xxh3.Uint128{Lo: binary.LittleEndian.Uint64(data), Hi: binary.LittleEndian.Uint64(data[8:])},
			binary.LittleEndian.Uint32(data[16:])}
		if uint64(m.record) >= records {
			return List{}, errors.New("the contents of a shard are damaged")
		}
		l.hashes = append(l.hashes, m)
	}
	return l, nil
}

// partitions is the number of partitions, by hash, in which the contents are compared: only one of
// them is copied in memory at a time.
const partitions = 16

func compareHashes(a, b xxh3.Uint128) int {
	return cmp.Or(cmp.Compare(a.Hi, b.Hi), cmp.Compare(a.Lo, b.Lo))
}

// A located is a content with its split and its list.
type located struct {
	hash        xxh3.Uint128
	record      uint32
	split, list int32
}

// Shared returns, by split, the number of records with a content that is also in another split. The
// content is the payload or an image. The argument has the lists of each split.
func Shared(splits [][]*List) []int64 {
	seen := make([][][]uint64, len(splits)) // by split and list, one bit per record
	for s, lists := range splits {
		for _, l := range lists {
			seen[s] = append(seen[s], make([]uint64, (l.records+63)/64))
		}
	}
	var some []located
	for partition := range uint64(partitions) {
		some = some[:0]
		for s, lists := range splits {
			for i, l := range lists {
				for _, m := range l.hashes {
					if m.hash.Hi>>60 == partition {
						some = append(some, located{m.hash, m.record, int32(s), int32(i)})
					}
				}
			}
		}
		visitShared(some, func(p *located) { seen[p.split][p.list][p.record/64] |= 1 << (p.record % 64) })
	}
	counts := make([]int64, len(splits))
	for s, lists := range seen {
		for _, words := range lists {
			for _, w := range words {
				counts[s] += int64(bits.OnesCount64(w))
			}
		}
	}
	return counts
}

// visitShared calls visit for each content that is in two splits.
func visitShared(some []located, visit func(*located)) {
	slices.SortFunc(some, func(a, b located) int { return compareHashes(a.hash, b.hash) })
	for from := 0; from < len(some); {
		to, two := from+1, false
		for to < len(some) && some[to].hash == some[from].hash {
			two = two || some[to].split != some[from].split
			to++
		}
		for i := from; two && i < to; i++ {
			visit(&some[i])
		}
		from = to
	}
}
