package contents

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/zeebo/xxh3"
)

// A span has the contents of a record: the hashes from … to-1 of a list.
type span struct {
	of       *List
	from, to int
}

func (s *span) hashes() []hashed { return s.of.hashes[s.from:s.to] }

// AppendSplit appends the contents of all records of a split, for a dataset that gets more records. It does not depend
// on the order of the records: each is the number of its contents, and the hash of each.
func AppendSplit(dst []byte, lists []*List) []byte {
	var records []span
	hashes := 0
	for _, l := range lists {
		hashes += len(l.hashes)
		for i := range l.hashes {
			if i == 0 || l.hashes[i].record != l.hashes[i-1].record {
				records = append(records, span{l, i, i})
			}
			records[len(records)-1].to++
		}
	}
	slices.SortFunc(records, func(a, b span) int {
		return slices.CompareFunc(a.hashes(), b.hashes(), func(a, b hashed) int {
			return compareHashes(a.hash, b.hash)
		})
	})
	dst = slices.Grow(dst, len(records)+hashes*hashSize)
	for i := range records {
		dst = binary.AppendUvarint(dst, uint64(records[i].to-records[i].from))
		for _, m := range records[i].hashes() {
			dst = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(dst, m.hash.Lo), m.hash.Hi)
		}
	}
	return dst
}

const hashSize = 16

// ParseSplit reads the result of AppendSplit.
func ParseSplit(data []byte) (lists []*List, err error) {
	var l *List
	for len(data) > 0 {
		count, n := binary.Uvarint(data)
		if n <= 0 || count == 0 || count > uint64(len(data)-n)/hashSize {
			return nil, errors.New("the contents of a split are damaged")
		}
		if l == nil || l.records == maxRecords {
			l = &List{}
			lists = append(lists, l)
		}
		for data = data[n:]; count > 0; count-- {
			hash := xxh3.Uint128{Lo: binary.LittleEndian.Uint64(data), Hi: binary.LittleEndian.Uint64(data[8:])}
			l.hashes = append(l.hashes, hashed{hash, uint32(l.records)})
			data = data[hashSize:]
		}
		l.records++
	}
	return lists, nil
}
