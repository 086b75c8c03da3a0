package sources

import (
	"fmt"
	"slices"

	"tfr-build/internal/store"
	"tfr-build/schema"
	"tfr-build/sources/column"
)

// A boundJoin fills slots from a side table.
type boundJoin struct {
	table *sideTable
	index int
	on    int      // slot of our column
	nulls []string // of our column
	each  bool     // our column is a list, whose elements are joined on
	cells []joinedCell
}

type joinedCell struct{ column, slot int } // column is that of sideTable.values

// join notes that slot takes its value from a side table.
func (b *binder) join(c *column.Column, slot int) error {
	t := b.s.joins[c.Index]
	bound := func(j boundJoin) bool { return j.index == c.Index }
	if !slices.ContainsFunc(b.l.joins, bound) {
		on, err := b.needed(t.join.On.Ours, column.Join, c.Index)
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

// join sets the join's slots from the rows that match.
func (r *Reader) join(j *boundJoin) error {
	vals := r.vals
	if on := &vals[j.on]; j.each && on.Kind == schema.List {
		return r.joinEach(j, on.List)
	}
	found, err := j.match(&vals[j.on])
	if err != nil {
		return err
	}
	if j.table.join.Many {
		if err := r.add((found.hi-found.lo)*len(j.cells), j.table.join.On.Ours); err != nil {
			return err
		}
	}
	for _, c := range j.cells {
		column := j.table.values[c.column]
		switch {
		case j.table.join.Many:
			vals[c.slot] = j.listOf(c, column[found.lo:found.hi])
		case found.hi == 0:
			vals[c.slot] = schema.Value{}
		default:
			vals[c.slot] = column[found.lo]
		}
	}
	return nil
}

// joinEach sets the join's slots to lists, of what matches each of the elements.
func (r *Reader) joinEach(j *boundJoin, list []schema.Value) error {
	if err := r.add(len(j.cells)*len(list), j.table.join.On.Ours); err != nil {
		return err
	}
	room := r.lists.Take(len(j.cells) * len(list))
	clear(room)
	for i := range list {
		found, err := j.match(&list[i])
		if err != nil {
			return err
		}
		for k := range j.cells {
			if found.hi > 0 {
				room[k*len(list)+i] = j.table.values[j.cells[k].column][found.lo]
			}
		}
	}
	for k := range j.cells {
		at := k * len(list)
		r.vals[j.cells[k].slot] = j.listOf(j.cells[k], room[at:at+len(list):at+len(list)])
	}
	return nil
}

// listOf is the list of a cell's values of several rows.
func (j *boundJoin) listOf(c joinedCell, list []schema.Value) schema.Value {
	v := schema.Value{Kind: schema.List, List: list}
	if j.table.mixed[c.column] && schema.HasDropped(list) {
		v.Mixed = schema.MixedDropped
	}
	return v
}

// match finds the rows of the table for a value of our column.
func (j *boundJoin) match(on *schema.Value) (span, error) {
	if IsMissing(j.nulls, on) {
		return span{}, nil
	}
	text, ok := on.AsText(nil)
	if !ok {
		return span{}, noText(on, j.table.join.On.Ours)
	}
	return j.table.rows[string(text)], nil
}

// lacks says why the row in vals has no value in a slot of the join; empty where
// it is no slot of it.
func (j *boundJoin) lacks(vals []schema.Value, slot int) string {
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
		return fmt.Sprintf("the row has no %s to find in %s", on.Ours, table)
	case found:
		return fmt.Sprintf("the row of %s with %s %s has none", table, on.Theirs, text)
	}
	return fmt.Sprintf("no row of %s has %s %s", table, on.Theirs, text)
}
