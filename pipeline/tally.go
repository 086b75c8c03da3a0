package pipeline

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"tfr-build/dataset"
	"tfr-build/internal/plural"
	"tfr-build/sources"
)

// A tally counts the rows that were found, by source. At the end of a run each
// has to be written or rejected.
type tally struct {
	mu      sync.Mutex
	sources []sourceTally
}

type sourceTally struct {
	Found int64 `json:"found"`
	Blank int64 `json:"blank"`
}

func (t *tally) find(source int, found sources.Found) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sources[source].Found += int64(found.Rows)
	t.sources[source].Blank += int64(found.Blank)
}

// A balance is what has become of all rows.
type balance struct {
	sources []dataset.Counts
	splits  []dataset.Counts
	without dataset.Counts // a split
	facts   facts
}

// balance adds up what has become of the rows, and checks that each that was
// found is written or rejected.
func (j *job) balance(plans []*splitPlan) (*balance, error) {
	b := &balance{sources: make([]dataset.Counts, len(j.sources)), facts: newFacts()}
	for i := range b.sources {
		b.sources[i].Found = j.tally.sources[i].Found
	}
	count := func(c *dataset.Counts, list []reject) {
		for _, r := range list {
			addReject(c, r.code)
			addReject(&b.sources[j.files[r.File].source.number], r.code)
		}
	}
	count(&b.without, j.rejects.without)
	b.without.Found = int64(len(j.rejects.without))
	for _, p := range plans {
		c := dataset.Counts{Found: int64(p.rows)}
		for _, sh := range p.files {
			c.Written += sh.account.Records
			for i, n := range sh.account.Written {
				b.sources[i].Written += n
			}
			count(&c, sh.account.rejects)
			b.facts.add(&sh.account.Facts)
		}
		b.splits = append(b.splits, c)
	}
	return b, b.check(plans)
}

func addReject(c *dataset.Counts, code string) {
	if c.Rejected == nil {
		c.Rejected = map[string]int64{}
	}
	c.Rejected[code]++
}

// check is the promise that no row gets lost.
func (b *balance) check(plans []*splitPlan) error {
	for i, c := range b.sources {
		if c.Found != c.Written+rejected(c) {
			return fmt.Errorf("internal error: source %d has %d rows, but %d were written and %d rejected", i+1, c.Found, c.Written, rejected(c))
		}
	}
	for i, c := range b.splits {
		if c.Found != c.Written+rejected(c) {
			return fmt.Errorf("internal error: split %s has %d rows, but %d were written and %d rejected", plans[i].name, c.Found, c.Written, rejected(c))
		}
	}
	return nil
}

// rejected is how many rows were rejected.
func rejected(c dataset.Counts) (n int64) {
	for _, of := range c.Rejected {
		n += of
	}
	return n
}

// reasons are the rejected rows by code: "CSV_RAGGED 2, INT_SYNTAX 1".
func reasons(byCode map[string]int64) string {
	var list []string
	for _, code := range slices.Sorted(maps.Keys(byCode)) {
		list = append(list, fmt.Sprintf("%s %d", code, byCode[code]))
	}
	return strings.Join(list, ", ")
}

// sentences are facts for people, always in the same order.
func (f *facts) sentences() []string {
	var list []string
	byCode := func(a, b sources.Note) int { return cmp.Compare(a.Code, b.Code) }
	for _, n := range slices.SortedFunc(maps.Keys(f.notes), byCode) {
		noted := f.notes[n]
		first := ", the first "
		if noted.Count == 1 {
			first = ", "
		}
		list = append(list, fmt.Sprintf("%s%s%q: %s [%s]", plural.Of(noted.Count, "image"), first, noted.Example, n.Text, n.Code))
	}
	for _, key := range slices.Sorted(maps.Keys(f.numbers)) {
		if n := f.numbers[key]; n.LeadingZeros > 0 {
			list = append(list, fmt.Sprintf("feature %q: %s with leading zeros; names rather than numbers are better stored as bytes", key, plural.Of(n.LeadingZeros, "integer")))
		}
		if n := f.numbers[key]; n.Underflows > 0 {
			list = append(list, fmt.Sprintf("feature %q: %s too small for a float32 became 0", key, plural.Of(n.Underflows, "number")))
		}
	}
	return list
}
