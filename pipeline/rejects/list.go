package rejects

import (
	"iter"
	"slices"

	"tfr-build/internal/order"
	"tfr-build/pipeline/rows"
)

// A Reject is an invalid row that the build skips: its position and its error code.
type Reject struct {
	order.Position
	Code  string
	Cause *rows.GroupCause // of a row that is invalid as a part of its group; nil for others
}

// clone returns a copy that stays valid.
func (r *Reject) clone() Reject {
	c := *r
	if c.Cause != nil {
		cause := *c.Cause
		c.Cause = &cause
	}
	return c
}

// A List has rejects. A table may have any number of invalid rows, so the list takes few bytes per reject:
// the first rejects as they are, and runs of sorted and packed rejects. The zero value is empty.
type List struct {
	recent []Reject
	runs   [][]byte // see packer
	n      int64
}

// recentRejects is the number of rejects that are not packed yet.
const recentRejects = 4096

// NewList returns a list of rejects.
func NewList(rejects ...Reject) *List {
	l := &List{}
	for _, r := range rejects {
		l.Add(r)
	}
	return l
}

// Add adds a reject.
func (l *List) Add(r Reject) {
	l.n++
	if l.recent = append(l.recent, r); len(l.recent) == recentRejects {
		l.pack()
	}
}

// pack packs the recent rejects.
func (l *List) pack() {
	if len(l.recent) > 0 {
		l.runs, l.recent = append(l.runs, packed(l.recent)), l.recent[:0]
	}
}

// AddAll adds the rejects of another list.
func (l *List) AddAll(of *List) {
	l.runs, l.n = append(l.runs, of.runs...), l.n+of.n-int64(len(of.recent))
	for _, r := range of.recent {
		l.Add(r)
	}
}

// clone returns a copy, to which rejects can be added.
func (l *List) clone() *List { return &List{slices.Clone(l.recent), slices.Clip(l.runs), l.n} }

// Len returns the number of rejects.
func (l *List) Len() int64 { return l.n }

// All returns the rejects in source order. A reject is valid until the next one.
func (l *List) All() iter.Seq[*Reject] {
	return func(yield func(*Reject) bool) {
		runs := slices.Clip(l.runs)
		if len(l.recent) > 0 {
			runs = append(runs, packed(slices.Clone(l.recent)))
		}
		m := newMerge(runs)
		for r := m.first(); r != nil; r = m.next() {
			if !yield(r) {
				return
			}
		}
	}
}

// FirstOf returns the first n rejects in source order.
func (l *List) FirstOf(n int64) *List {
	var p packer
	for r := range l.All() {
		if p.n == n {
			break
		}
		p.add(r)
	}
	return p.list()
}

// Count adds the rejects to counts by code, and returns counts. It creates the map if it is nil and a
// reject exists.
func (l *List) Count(counts map[string]int64) map[string]int64 {
	for r := range l.All() {
		if counts == nil {
			counts = map[string]int64{}
		}
		counts[r.Code]++
	}
	return counts
}

// Runs returns all rejects in the format of the staging directory. Rejects that are added later are in
// further runs.
func (l *List) Runs() [][]byte {
	l.pack()
	return slices.Clip(l.runs)
}

// Run packs all rejects as one run, and returns it; nil without rejects.
func (l *List) Run() []byte {
	switch runs := l.Runs(); len(runs) {
	case 0:
		return nil
	case 1:
		return runs[0]
	}
	*l = *l.FirstOf(l.n + 1)
	return l.runs[0]
}

// Decode returns a list of runs, which it uses. files is the number of input files.
func Decode(files int, runs ...[]byte) (*List, error) {
	l := &List{}
	for _, run := range runs {
		if len(run) == 0 {
			continue
		}
		l.runs = append(l.runs, run)
		c := cursor{data: run}
		for ok, err := c.next(); ok || err != nil; ok, err = c.next() {
			of := c.reject.Cause
			if err == nil && (!isFile(c.reject.File, files) || of != nil && !isFile(of.Other.File, files)) {
				err = errPacked
			}
			if err != nil {
				return nil, err
			}
			l.n++
		}
	}
	return l, nil
}

func isFile(number, files int) bool { return number >= 0 && number < files }

// Total returns the sum of counts.
func Total(counts map[string]int64) (n int64) {
	for _, of := range counts {
		n += of
	}
	return n
}
