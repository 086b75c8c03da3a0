package sources

import (
	"fmt"
	"slices"

	"tfr-build/internal/store"
	"tfr-build/schema"
	"tfr-build/sources/column"
)

// A boundJoin fills slots from a lookup table.
type boundJoin struct {
	table *lookupTable
	index int
	on    int      // slot of the source's column
	nulls []string // strings of that column that mean missing
	each  bool     // that column is a list, whose elements are looked up
	cells []joinedCell
}

type joinedCell struct{ column, slot int } // column is an index of lookupTable.values

// bindJoin binds slot to a column of a lookup table.
func (b *binder) bindJoin(c *column.Column, slot int) error {
	t := b.s.joins[c.Index]
	bound := func(j boundJoin) bool { return j.index == c.Index }
	if !slices.ContainsFunc(b.l.joins, bound) {
		on, err := b.slotFor(t.join.On.Ours, column.Join, c.Index)
		if err != nil {
			return err
		}
		ours, _ := b.s.columns.Find(t.join.On.Ours)
		each := b.s.columns.IsList(&ours)
		b.l.joins = append(b.l.joins, boundJoin{table: t, index: c.Index, on: on, nulls: b.s.Nulls(t.join.On.Ours), each: each})
	}
	k := slices.IndexFunc(b.l.joins, bound)
	b.l.joins[k].cells = append(b.l.joins[k].cells, joinedCell{t.requested.Of(c.Name), slot})
	return nil
}

// join fills the slots of a join from the matching rows.
func (r *Reader) join(j *boundJoin) error {
	vals := r.vals
	if on := &vals[j.on]; j.each && on.Kind == schema.List {
		return r.joinEach(j, on.List)
	}
	found, err := j.findRows(&vals[j.on])
	if err != nil {
		return err
	}
	if j.table.join.Many {
		if err := r.addSize((found.hi-found.lo)*len(j.cells), j.table.join.On.Ours); err != nil {
			return err
		}
	}
	for _, c := range j.cells {
		column := j.table.values[c.column]
		switch {
		case j.table.join.Many:
			vals[c.slot] = j.listOf(c, column[found.lo:found.hi])
		case found.isEmpty():
			vals[c.slot] = schema.Value{}
		default:
			vals[c.slot] = column[found.lo]
		}
	}
	return nil
}

// joinEach fills the slots of a join with lists, which have the match of each element.
func (r *Reader) joinEach(j *boundJoin, list []schema.Value) error {
	if err := r.addSize(len(j.cells)*len(list), j.table.join.On.Ours); err != nil {
		return err
	}
	matches := r.lists.Take(len(j.cells) * len(list))
	clear(matches)
	for i := range list {
		found, err := j.findRows(&list[i])
		if err != nil {
			return err
		}
		for k := range j.cells {
			if !found.isEmpty() {
				matches[k*len(list)+i] = j.table.values[j.cells[k].column][found.lo]
			}
		}
	}
	for k := range j.cells {
		at := k * len(list)
		r.vals[j.cells[k].slot] = j.listOf(j.cells[k], matches[at:at+len(list):at+len(list)])
	}
	return nil
}

// listOf returns the list of a cell's values in several rows.
func (j *boundJoin) listOf(c joinedCell, list []schema.Value) schema.Value {
	v := schema.Value{Kind: schema.List, List: list}
	if j.table.mixed[c.column] && schema.HasDropped(list) {
		v.Mixed = schema.MixedDropped
	}
	return v
}

// findRows returns the rows of the table that match a value of the source's column.
func (j *boundJoin) findRows(on *schema.Value) (span, error) {
	if IsMissing(j.nulls, on) {
		return span{}, nil
	}
	text, ok := on.AsText(nil)
	if !ok {
		return span{}, joinTypeError(on, j.table.join.On.Ours)
	}
	return j.table.rows[string(text)], nil
}

// explainMissing returns why the row in vals has no value in a slot of the join. It returns "" if
// the join does not fill the slot, or fills it with a list, which is never missing.
func (j *boundJoin) explainMissing(vals []schema.Value, slot int) string {
	if !slices.ContainsFunc(j.cells, func(c joinedCell) bool { return c.slot == slot }) || j.table.join.Many || j.each {
		return ""
	}
	table, on := store.Base(j.table.in.Listing().Label), j.table.join.On
	if len(j.table.in.Listing().Files) > 1 {
		table = fmt.Sprintf("join %d", j.index+1)
	}
	key, _ := vals[j.on].AsText(nil)
	text := schema.Quote(key)
	switch _, found := j.table.rows[string(key)]; {
	case IsMissing(j.nulls, &vals[j.on]):
		return fmt.Sprintf("the row has no %s to look up in %s", on.Ours, table)
	case found:
		return fmt.Sprintf("the row of %s with %s %s has no value", table, on.Theirs, text)
	}
	return fmt.Sprintf("no row of %s has %s %s", table, on.Theirs, text)
}
