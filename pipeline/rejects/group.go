package rejects

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"tfr-build/internal/order"
	"tfr-build/pipeline/rows"
	"tfr-build/schema"
)

// A Kind identifies errors of rows that are reported together.
type Kind struct{ Code, Column, Feature string }

// kindOf returns the kind of an error. An error of the complete row has no column in its kind: the
// column only says where the reader was, and may depend on how the row was read.
func kindOf(bad *schema.RowError) Kind {
	k := Kind{bad.Code, bad.Column, bad.Feature}
	if bad.Feature == "" && rowCodes.MatchString(bad.Code) {
		k.Column = ""
	}
	return k
}

var rowCodes = regexp.MustCompile(`^(CSV_.*|JSON_.*|LIMIT_.*|UTF8_INVALID|ENCODING)$`)

// A Group has the rows with one kind of error.
type Group struct {
	Kind  Kind
	First order.Position
	cause *rows.GroupCause // of the first row
	Rows  int64

	// values counts rows by value. It has the lowest values, one more than the message shows.
	values map[string]int64
}

// maxValues returns how many different values the message of a kind shows. Unknown classes get
// more.
func (k *Kind) maxValues() int {
	if k.Code == "LABEL_UNKNOWN" {
		return 20
	}
	return 5
}

// groups groups errors by kind.
type groups map[Kind]*Group

func (g groups) add(at order.Position, bad *schema.RowError, cause *rows.GroupCause) {
	kind := kindOf(bad)
	group := g[kind]
	if group == nil {
		group = &Group{Kind: kind, First: at, cause: cause, values: map[string]int64{}}
		g[kind] = group
	}
	if before(at, group.First) {
		group.First, group.cause = at, cause
	}
	group.Rows++
	if bad.Found != "" {
		group.addValue(bad.Found)
	}
}

// addValue counts a value. Which values are kept depends only on the values, not on their order. A
// value that is kept at the end was never dropped before, so its count is of all rows.
func (g *Group) addValue(text string) {
	if g.values[text]++; len(g.values) <= g.Kind.maxValues()+1 {
		return
	}
	highest := ""
	for v := range g.values {
		highest = max(highest, v)
	}
	delete(g.values, highest)
}

// sorted returns the groups in the order of their first rows.
func (g groups) sorted() []Group {
	var list []Group
	for _, group := range g {
		list = append(list, *group)
	}
	slices.SortFunc(list, func(a, b Group) int {
		return cmp.Or(comparePositions(a.First, b.First), cmp.Compare(a.Kind.Feature, b.Kind.Feature),
			cmp.Compare(a.Kind.Column, b.Kind.Column), cmp.Compare(a.Kind.Code, b.Kind.Code))
	})
	return list
}

// Text says how many rows have the error and with which values. It is empty for one row.
func (g *Group) Text() string {
	if g.Rows == 1 {
		return ""
	}
	text := fmt.Sprintf("; the first of %d such rows", g.Rows)
	if len(g.values) < 2 {
		return text
	}
	var list []string
	for _, v := range slices.Sorted(maps.Keys(g.values)) {
		if n := g.values[v]; n > 1 {
			v = fmt.Sprintf("%s (%d)", v, n)
		}
		list = append(list, v)
	}
	if most := g.Kind.maxValues(); len(list) > most {
		list = append(list[:most], "and others")
	}
	return text + ", with " + strings.Join(list, ", ")
}

// excess has the rejects beyond the budget.
type excess struct {
	first  List // the first ones and some more
	counts map[string]int64
}

// add adds a reject. It keeps at least the first `most` ones in source order.
func (e *excess) add(r Reject, most int64) {
	if e.counts == nil {
		e.counts = map[string]int64{}
	}
	e.counts[r.Code]++
	if e.first.Add(r); e.first.Len() > 2*most+1000 {
		e.first = *e.first.FirstOf(most)
	}
}
