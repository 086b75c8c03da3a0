package rejects

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"tfr-build/order"
	"tfr-build/schema"
)

// A Kind is what faults of rows have in common.
type Kind struct{ Code, Column, Feature string }

// kindOf is the kind of a fault. What spoils a row as a whole has no column: one is
// only where the reader stood, and may depend on the way of the build.
func kindOf(bad *schema.RowError) Kind {
	k := Kind{bad.Code, bad.Column, bad.Feature}
	if bad.Feature == "" && wholeRow.MatchString(bad.Code) {
		k.Column = ""
	}
	return k
}

var wholeRow = regexp.MustCompile(`^(CSV_.*|JSON_.*|LIMIT_.*|UTF8_INVALID|ENCODING)$`)

// A Tally is the rows with one kind of fault.
type Tally struct {
	Kind  Kind
	First order.Place
	Rows  int64

	values map[string]int64 // the lowest of the texts that were found, with one more than are told
}

// told is how many different texts of a kind are told: each unknown class, and some
// of other values.
func (k *Kind) told() int {
	if k.Code == "LABEL_UNKNOWN" {
		return 20
	}
	return 5
}

// tallies are what ended a run.
type tallies map[Kind]*Tally

func (t tallies) add(at order.Place, bad *schema.RowError) {
	kind := kindOf(bad)
	tally := t[kind]
	if tally == nil {
		tally = &Tally{Kind: kind, First: at, values: map[string]int64{}}
		t[kind] = tally
	}
	if before(at, tally.First) {
		tally.First = at
	}
	tally.Rows++
	if bad.Found != "" {
		tally.found(bad.Found)
	}
}

// found counts a text. Which texts are kept follows from the texts alone, not from
// the order in which they come, and one that stays is never dropped on the way: so
// its count is of all rows.
func (t *Tally) found(text string) {
	if t.values[text]++; len(t.values) <= t.Kind.told()+1 {
		return
	}
	highest := ""
	for v := range t.values {
		highest = max(highest, v)
	}
	delete(t.values, highest)
}

// sorted are the tallies by their first rows.
func (t tallies) sorted() []Tally {
	var list []Tally
	for _, tally := range t {
		list = append(list, *tally)
	}
	slices.SortFunc(list, func(a, b Tally) int {
		return cmp.Or(comparePlaces(a.First, b.First), cmp.Compare(a.Kind.Feature, b.Kind.Feature),
			cmp.Compare(a.Kind.Column, b.Kind.Column), cmp.Compare(a.Kind.Code, b.Kind.Code))
	})
	return list
}

// Text says how many rows have the fault, and with which texts; empty for one row.
func (t *Tally) Text() string {
	if t.Rows == 1 {
		return ""
	}
	text := fmt.Sprintf("; the first of %d such rows", t.Rows)
	if len(t.values) < 2 {
		return text
	}
	var list []string
	for _, v := range slices.Sorted(maps.Keys(t.values)) {
		if n := t.values[v]; n > 1 {
			v = fmt.Sprintf("%s (%d)", v, n)
		}
		list = append(list, v)
	}
	if most := t.Kind.told(); len(list) > most {
		list = append(list[:most], "and others")
	}
	return text + ", with " + strings.Join(list, ", ")
}

// beyond is what is known of rejects beyond the budget.
type beyond struct {
	first  []Reject // a multiple of the first ones, in no order
	counts map[string]int64
}

// add adds a reject; most are kept, the first in source order.
func (b *beyond) add(r Reject, most int64) {
	b.counts = Count(b.counts, []Reject{r})
	if b.first = append(b.first, r); int64(len(b.first)) > 2*most+1000 {
		Sort(b.first)
		b.first = b.first[:most]
	}
}
