package sources

import (
	"fmt"
	"slices"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A Loss is a column of which rows have values that it does not take, and no other
// column does.
type Loss struct {
	Column string // as the config calls it
	Join   int    // the number of the lookup table whose rows they are; -1 for the source's own
	Rows   int    // rows that were read, from the first; 0 for all
	Values uint64 // dropped
	Empty  bool   // no row has a value that the column takes

	slot int
}

// Text says in which rows values are dropped.
func (l *Loss) Text() string {
	rows := "the rows"
	if l.Rows > 0 {
		rows = "the first " + plural.Of(l.Rows, "row")
	}
	if l.Join >= 0 {
		rows += fmt.Sprintf(" of the lookup table of join[%d]", l.Join)
	}
	text := fmt.Sprintf("%s of %q in %s dropped, whose kind does not fit the path (mixed: empty)", plural.Of(l.Values, "value"), l.Column, rows)
	if l.Empty {
		text += "; no value is left"
	}
	return text
}

// A lossCounter counts values that no column takes. A nil one counts nothing.
type lossCounter []Loss

// newLossCounter returns a counter for the columns of an input; nil if the input drops
// no values.
func newLossCounter(in input.Input, columns int) lossCounter {
	if mixing, ok := in.(interface{ Mixes() bool }); !ok || !mixing.Mixes() {
		return nil
	}
	c := make(lossCounter, columns)
	for i := range c {
		c[i].slot, c[i].Empty = i, true
	}
	return c
}

func (c lossCounter) count(vals []schema.Value) {
	for i := range c {
		c[i].Values += vals[i].CountDropped()
		c[i].Empty = c[i].Empty && !holds(&vals[i])
	}
}

// losses are the columns of which values are dropped, of so many rows.
func (c lossCounter) losses(columns []input.Bound, rows int) []Loss {
	var all []Loss
	for i := range c {
		if c[i].Values > 0 {
			c[i].slot, c[i].Rows = columns[i].Slot, rows
			all = append(all, c[i])
		}
	}
	return all
}

// holds reports whether v is a value, or has one.
func holds(v *schema.Value) bool {
	if v.Kind == schema.List {
		return slices.ContainsFunc(v.List, func(e schema.Value) bool { return holds(&e) })
	}
	return v.Kind != schema.Missing
}
