package pipeline

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources"
)

// A tally counts rows: what was found, written and rejected, by source and by
// split. At the end of a run it has to balance.
type tally struct {
	mu      sync.Mutex
	sources []sourceTally
	notes   map[sources.Note]sources.Noted
	seen    map[string]*sources.SeenFacts // by image column
	numbers map[string]schema.Notice
}

type sourceTally struct {
	found, blank, written int64
}

func newTally(sourceCount int) tally {
	return tally{sources: make([]sourceTally, sourceCount), notes: map[sources.Note]sources.Noted{}, seen: map[string]*sources.SeenFacts{}, numbers: map[string]schema.Notice{}}
}

func (t *tally) find(source int, found sources.Found) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sources[source].found += int64(found.Rows)
	t.sources[source].blank += int64(found.Blank)
}

// merge adds what a reader met on its way.
func (t *tally) merge(r *sources.Reader) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for n, noted := range r.Notes {
		t.notes[n] = t.notes[n].Add(noted)
	}
	for column, seen := range r.Seen {
		all := t.seen[column]
		if all == nil {
			all = sources.NewSeenFacts()
			t.seen[column] = all
		}
		all.Add(seen)
	}
}

// wrote adds what a worker wrote of a source.
func (t *tally) wrote(source int, rows int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sources[source].written += rows
}

// balance checks that every row that was found was written.
func (t *tally) balance(plans []*splitPlan) error {
	for i := range t.sources {
		if s := &t.sources[i]; s.found != s.written {
			return fmt.Errorf("internal error: source %d has %d rows, but %d were written", i+1, s.found, s.written)
		}
	}
	for _, p := range plans {
		if n := p.records(); n != int64(p.rows) {
			return fmt.Errorf("internal error: split %s has %d rows, but %d were written", p.name, p.rows, n)
		}
	}
	return nil
}

// sentences are the notes for people, always in the same order.
func (t *tally) sentences() []string {
	var list []string
	byCode := func(a, b sources.Note) int { return cmp.Compare(a.Code, b.Code) }
	for _, n := range slices.SortedFunc(maps.Keys(t.notes), byCode) {
		noted := t.notes[n]
		first := ", the first "
		if noted.Count == 1 {
			first = ", "
		}
		list = append(list, fmt.Sprintf("%s%s%q: %s [%s]", plural.Of(noted.Count, "image"), first, noted.Example, n.Text, n.Code))
	}
	for _, key := range slices.Sorted(maps.Keys(t.numbers)) {
		if n := t.numbers[key]; n.LeadingZeros > 0 {
			list = append(list, fmt.Sprintf("feature %q: %s with leading zeros; names rather than numbers are better stored as bytes", key, plural.Of(n.LeadingZeros, "integer")))
		}
		if n := t.numbers[key]; n.Underflows > 0 {
			list = append(list, fmt.Sprintf("feature %q: %s too small for a float32 became 0", key, plural.Of(n.Underflows, "number")))
		}
	}
	return list
}
