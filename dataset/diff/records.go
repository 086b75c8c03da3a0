package diff

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/zeebo/xxh3"

	"tfr-build/dataset"
)

// A fingerprint is the hash of a record's content, and the record's number among all compared
// records of its side. Records of a split have consecutive numbers. After matching, high and low
// are the pair of the record in the same split of the other side, see [paired].
type fingerprint struct {
	high, low uint64
	number    uint64
}

func byContent(a, b fingerprint) int {
	return cmp.Or(cmp.Compare(a.high, b.high), cmp.Compare(a.low, b.low), cmp.Compare(a.number, b.number))
}

// fingerprints are the fingerprints of one side.
type fingerprints struct {
	list []fingerprint
	ends []uint64 // by split: the number after its last record
}

// split returns the split of a record.
func (m *fingerprints) split(number uint64) int {
	i, found := slices.BinarySearch(m.ends, number)
	if found {
		i++
	}
	for i < len(m.ends)-1 && m.ends[i] == number { // empty splits end where they begin
		i++
	}
	return i
}

// readFingerprints reads the fingerprints of the splits that are compared, sorted by content.
// splitIndex has the index of each split in the result, or -1 for a split that need not be read.
func readFingerprints(ctx context.Context, records *dataset.Records, splitIndex []int, splits,
	workers int) (*fingerprints, error) {
	part := *records
	part.Files = nil
	m := &fingerprints{ends: make([]uint64, splits)}
	for to := range splits {
		for _, f := range records.Files {
			if splitIndex[f.Split] == to {
				part.Files = append(part.Files, f)
			}
		}
	}
	if err := part.Count(ctx); err != nil {
		return nil, err
	}
	begins, total := make([]uint64, len(part.Files)), uint64(0)
	for i, f := range part.Files {
		begins[i] = total
		total += uint64(f.Records)
		m.ends[splitIndex[f.Split]] = total
	}
	for to := 1; to < splits; to++ {
		m.ends[to] = max(m.ends[to], m.ends[to-1])
	}
	m.list = make([]fingerprint, total)
	var found atomic.Uint64
	err := part.Each(ctx, workers, func(_ int, at dataset.RecordPosition, payload []byte) error {
		if f := part.Files[at.File]; at.Record >= f.Records {
			return countError(f.Path, f.Records)
		}
		sum, number := xxh3.Hash128(payload), begins[at.File]+uint64(at.Record)
		m.list[number] = fingerprint{sum.Hi, sum.Lo, number}
		found.Add(1)
		return nil
	})
	if err == nil && found.Load() < total {
		err = countError(records.Files[0].Path, int64(total))
	}
	slices.SortFunc(m.list, byContent)
	return m, err
}

// countError returns the error that the number of records differs from that in the manifest.
func countError(path string, records int64) error {
	return fmt.Errorf("%s: there are not %d records, as the manifest says; verify tells what is damaged", path, records)
}

// match compares the fingerprints of both sides, and sets the counts of splits.
func match(old, new *fingerprints, splits []Split) {
	for i, j := 0, 0; i < len(old.list) || j < len(new.list); {
		var content fingerprint // the lesser of both
		if j == len(new.list) || i < len(old.list) && sameOrLess(&old.list[i], &new.list[j]) {
			content = old.list[i]
		} else {
			content = new.list[j]
		}
		iEnd, jEnd := endOf(old.list, i, &content), endOf(new.list, j, &content)
		matchContent(old, new, old.list[i:iEnd], new.list[j:jEnd], splits)
		i, j = iEnd, jEnd
	}
	findReordered(old, splits)
}

func sameOrLess(a, b *fingerprint) bool {
	return a.high < b.high || a.high == b.high && a.low <= b.low
}

// endOf returns the end of the fingerprints with that content, which begin at i if there are any.
func endOf(list []fingerprint, i int, content *fingerprint) int {
	for i < len(list) && list[i].high == content.high && list[i].low == content.low {
		i++
	}
	return i
}

// The values of high after matching. If it is paired, low is the number of the pair.
const (
	unpaired = 0
	paired   = 1
)

// matchContent compares the records of one content, which are in the order of their splits.
func matchContent(old, new *fingerprints, before, after []fingerprint, splits []Split) {
	var lost, gained []leftover
	for i, j := 0, 0; i < len(before) || j < len(after); {
		split := len(splits)
		if i < len(before) {
			split = old.split(before[i].number)
		}
		if j < len(after) {
			split = min(split, new.split(after[j].number))
		}
		iEnd, jEnd := i, j
		for iEnd < len(before) && before[iEnd].number < old.ends[split] {
			iEnd++
		}
		for jEnd < len(after) && after[jEnd].number < new.ends[split] {
			jEnd++
		}
		equal := min(iEnd-i, jEnd-j)
		for k := range iEnd - i {
			before[i+k].high = unpaired
			if k < equal {
				before[i+k].high, before[i+k].low = paired, after[j+k].number
			}
		}
		splits[split].Equal += int64(equal)
		lost = add(lost, split, iEnd-i-equal)
		gained = add(gained, split, jEnd-j-equal)
		i, j = iEnd, jEnd
	}
	// What one split lost and another gained has moved.
	moved := min(sum(lost), sum(gained))
	splitMoved(lost, moved, func(split int, moved, rest int64) {
		splits[split].MovedOut += moved
		splits[split].Removed += rest
	})
	splitMoved(gained, moved, func(split int, moved, rest int64) {
		splits[split].MovedIn += moved
		splits[split].Added += rest
	})
}

// A leftover is a number of records with the same content that the same split of the other side
// does not have.
type leftover struct {
	split int
	n     int64
}

func add(list []leftover, split, n int) []leftover {
	if n == 0 {
		return list
	}
	return append(list, leftover{split, int64(n)})
}

func sum(list []leftover) (n int64) {
	for _, l := range list {
		n += l.n
	}
	return n
}

// splitMoved calls set with the numbers of moved and of other records of each split. The first
// splits get the moved ones.
func splitMoved(list []leftover, moved int64, set func(split int, moved, rest int64)) {
	for _, l := range list {
		n := min(moved, l.n)
		moved -= n
		set(l.split, n, l.n-n)
	}
}

// findReordered sets Reordered for splits whose equal records are in another order. It sorts the
// fingerprints by number.
func findReordered(old *fingerprints, splits []Split) {
	for i := range old.list { // each swap puts one at its position
		for n := old.list[i].number; n != uint64(i); n = old.list[i].number {
			old.list[i], old.list[n] = old.list[n], old.list[i]
		}
	}
	begin := uint64(0)
	for split, end := range old.ends {
		last := uint64(0)
		for _, m := range old.list[begin:end] {
			if m.high == paired {
				splits[split].Reordered = splits[split].Reordered || m.low < last
				last = m.low
			}
		}
		begin = end
	}
}
