// Package contents finds content that stands in two splits.
//
// The content of a record is its payload, and that of each image in it alone. Both
// are known by their XXH3-128, 16 bytes each, and not kept otherwise:
//
//	records ─Add─► List, one a shard ─Merge─► Shared ─► rows by split whose content another split has, too
//
// Two contents are taken for one where all 128 bits agree, which for a billion
// different ones happens by chance once in 10^20 datasets.
package contents

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"

	"github.com/zeebo/xxh3"
)

// A List is the contents of the records of a shard, or of a part of one.
type List struct {
	records int64
	marks   []mark
}

// A mark is one content of a record.
type mark struct {
	hash   xxh3.Uint128
	record uint32 // of the list
}

// maxRecords is how many records a list can tell apart.
const maxRecords = 1<<32 - 1

// Add adds a record, by its payload and the images in it.
func (l *List) Add(payload []byte, images ...[]byte) {
	l.mark(payload)
	for _, image := range images {
		l.mark(image)
	}
	l.records++
}

func (l *List) mark(content []byte) {
	if l.records <= maxRecords {
		l.marks = append(l.marks, mark{xxh3.Hash128(content), uint32(l.records)})
	}
}

// MoveTo adds the records of l to another list, and empties l.
func (l *List) MoveTo(to *List) {
	for _, m := range l.marks {
		m.record += uint32(to.records)
		to.marks = append(to.marks, m)
	}
	to.records += l.records
	l.records, l.marks = 0, l.marks[:0]
}

// markSize is the size of a mark as it is kept.
const markSize = 20

// Append appends the list as it is kept for a run that resumes.
func (l *List) Append(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(l.records))
	for _, m := range l.marks {
		dst = binary.LittleEndian.AppendUint64(dst, m.hash.Lo)
		dst = binary.LittleEndian.AppendUint64(dst, m.hash.Hi)
		dst = binary.LittleEndian.AppendUint32(dst, m.record)
	}
	return dst
}

// Parse reads what Append wrote.
func Parse(data []byte) (List, error) {
	records, n := binary.Uvarint(data)
	if n <= 0 || (len(data)-n)%markSize != 0 || records > maxRecords {
		return List{}, errors.New("the contents of a shard are damaged")
	}
	l := List{records: int64(records)}
	for data = data[n:]; len(data) > 0; data = data[markSize:] {
		m := mark{xxh3.Uint128{Lo: binary.LittleEndian.Uint64(data), Hi: binary.LittleEndian.Uint64(data[8:])}, binary.LittleEndian.Uint32(data[16:])}
		if uint64(m.record) >= records {
			return List{}, errors.New("the contents of a shard are damaged")
		}
		l.marks = append(l.marks, m)
	}
	return l, nil
}

// parts is how many parts the contents are looked at in, by their hash: only one
// of them is in memory a second time.
const parts = 16

// A placed mark is one with the split and the list it stands in.
type placed struct {
	hash        xxh3.Uint128
	record      uint32
	split, list int32
}

// Shared counts, by split, the records whose content, or that of an image in them,
// also stands in another split. lists are those of each split.
func Shared(splits [][]*List) []int64 {
	seen := make([][][]uint64, len(splits)) // by split and list, a bit a record
	for s, lists := range splits {
		for _, l := range lists {
			seen[s] = append(seen[s], make([]uint64, (l.records+63)/64))
		}
	}
	var some []placed
	for part := range uint64(parts) {
		some = some[:0]
		for s, lists := range splits {
			for i, l := range lists {
				for _, m := range l.marks {
					if m.hash.Hi>>60 == part {
						some = append(some, placed{m.hash, m.record, int32(s), int32(i)})
					}
				}
			}
		}
		shared(some, func(p *placed) { seen[p.split][p.list][p.record/64] |= 1 << (p.record % 64) })
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

// shared calls visit for each content that stands in two splits.
func shared(some []placed, visit func(*placed)) {
	slices.SortFunc(some, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.hash.Hi, b.hash.Hi), cmp.Compare(a.hash.Lo, b.hash.Lo))
	})
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
