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

// A mark is the content of a record, and its number among all that are compared: the
// records of a split stand together. When marks are compared, high and low of one
// whose content is in the same split of the other side become its pair.
type mark struct {
	high, low uint64
	number    uint64
}

func byContent(a, b mark) int {
	return cmp.Or(cmp.Compare(a.high, b.high), cmp.Compare(a.low, b.low), cmp.Compare(a.number, b.number))
}

// marks are those of one side, and where the records of each split end.
type marks struct {
	list []mark
	ends []uint64
}

// split is the number of the split that a record is in.
func (m *marks) split(number uint64) int {
	i, found := slices.BinarySearch(m.ends, number)
	if found {
		i++
	}
	for i < len(m.ends)-1 && m.ends[i] == number { // empty splits end where they begin
		i++
	}
	return i
}

// readMarks reads the marks of the splits that are compared, sorted by content. place has
// the number in the result of each split, or -1 of one that need not be read.
func readMarks(ctx context.Context, records *dataset.Records, place []int, splits, workers int) (*marks, error) {
	part := *records
	part.Files = nil
	m := &marks{ends: make([]uint64, splits)}
	for to := range splits {
		for _, f := range records.Files {
			if place[f.Split] == to {
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
		m.ends[place[f.Split]] = total
	}
	for to := 1; to < splits; to++ {
		m.ends[to] = max(m.ends[to], m.ends[to-1])
	}
	m.list = make([]mark, total)
	var found atomic.Uint64
	err := part.Each(ctx, workers, func(_ int, at dataset.RecordPlace, payload []byte) error {
		if f := part.Files[at.File]; at.Record >= f.Records {
			return &CountError{f.Path, f.Records}
		}
		sum, number := xxh3.Hash128(payload), begins[at.File]+uint64(at.Record)
		m.list[number] = mark{sum.Hi, sum.Lo, number}
		found.Add(1)
		return nil
	})
	if err == nil && found.Load() < total {
		err = &CountError{records.Files[0].Path, int64(total)}
	}
	slices.SortFunc(m.list, byContent)
	return m, err
}

// A CountError says that there are not as many records as the manifest says.
type CountError struct {
	Path    string
	Records int64 // as the manifest has it
}

func (e *CountError) Error() string {
	return fmt.Sprintf("%s: there are not %d records, as the manifest says; verify tells what is damaged", e.Path, e.Records)
}

// match compares the marks of both sides, and counts in splits.
func match(old, new *marks, splits []Split) {
	for i, j := 0, 0; i < len(old.list) || j < len(new.list); {
		var content mark // the lesser of both
		if j == len(new.list) || i < len(old.list) && sameOrLess(&old.list[i], &new.list[j]) {
			content = old.list[i]
		} else {
			content = new.list[j]
		}
		iEnd, jEnd := endOf(old.list, i, &content), endOf(new.list, j, &content)
		matchContent(old, new, old.list[i:iEnd], new.list[j:jEnd], splits)
		i, j = iEnd, jEnd
	}
	reordered(old, splits)
}

func sameOrLess(a, b *mark) bool {
	return a.high < b.high || a.high == b.high && a.low <= b.low
}

// endOf is where the marks of a content end that begin at i, if they do.
func endOf(list []mark, i int, content *mark) int {
	for i < len(list) && list[i].high == content.high && list[i].low == content.low {
		i++
	}
	return i
}

// Whether a mark has a pair, and in low its number.
const (
	unpaired = 0
	paired   = 1
)

// matchContent compares the records of one content, which stand in the order of
// their splits.
func matchContent(old, new *marks, before, after []mark, splits []Split) {
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
	moved := min(sum(lost), sum(gained))
	deal(lost, moved, func(split int, moved, rest int64) {
		splits[split].MovedOut += moved
		splits[split].Removed += rest
	})
	deal(gained, moved, func(split int, moved, rest int64) {
		splits[split].MovedIn += moved
		splits[split].Added += rest
	})
}

// A leftover is records of one content that a split of the other side lacks.
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

// deal tells how many of each split were moved, the first splits first.
func deal(list []leftover, moved int64, tell func(split int, moved, rest int64)) {
	for _, l := range list {
		n := min(moved, l.n)
		moved -= n
		tell(l.split, n, l.n-n)
	}
}

// reordered notes the splits whose equal records stand in another order. Marks stand
// by their numbers afterwards.
func reordered(old *marks, splits []Split) {
	for i := range old.list { // each swap brings one to its place
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
