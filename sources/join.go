package sources

import (
	"fmt"
	"slices"
	"strings"

	"tfr-build/internal/store"
	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
)

// A boundJoin fills slots from a lookup table.
type boundJoin struct {
	table *lookupTable
	index int
	on    []inputColumn
	each  bool // the only join column is a list, whose elements are looked up
	cells []joinedCell
}

type joinedCell struct{ column, slot int } // column is an index of lookupTable.values

// bindJoin binds slot to a column of a lookup table.
func (b *binder) bindJoin(c *column.Column, slot int) error {
	if err := b.bindKeys(c.Index); err != nil {
		return err
	}
	k := slices.IndexFunc(b.l.joins, func(j boundJoin) bool { return j.index == c.Index })
	b.l.joins[k].cells = append(b.l.joins[k].cells, joinedCell{b.s.joins[c.Index].requested.Of(c.Name), slot})
	return nil
}

// bindKeys binds the join columns of a join, unless they are bound.
func (b *binder) bindKeys(index int) error {
	if slices.ContainsFunc(b.l.joins, func(j boundJoin) bool { return j.index == index }) {
		return nil
	}
	t := b.s.joins[index]
	j := boundJoin{table: t, index: index}
	for _, on := range t.join.On {
		ours, err := b.inputOf(on.Ours, column.Join, index)
		if err != nil {
			return err
		}
		j.each = len(t.join.On) == 1 && ours.isList
		j.on = append(j.on, ours)
	}
	b.l.joins = append(b.l.joins, j)
	return nil
}

// bindAllKeys binds the join columns of all joins, so that each counts its matches. It passes over a join whose
// columns the source does not have: nothing uses it.
func (b *binder) bindAllKeys() error {
	for i, t := range b.s.joins {
		lacks := func(on JoinColumn) bool {
			c, ok := b.s.columns.FindBefore(on.Ours, column.Join, i)
			return !ok || !c.Before(column.Join, i)
		}
		if slices.ContainsFunc(t.join.On, lacks) {
			continue
		}
		if err := b.bindKeys(i); err != nil {
			return err
		}
	}
	return nil
}

// join fills the slots of the k-th join of the layout from the matching rows.
func (r *Reader) join(k int) error {
	j := &r.l.joins[k]
	vals := r.vals
	r.Observed.AddImages(j.table.join.Prefix, j.table.observed)
	if r.counts != nil {
		r.counts[k].Read++
	}
	if on := &vals[j.on[0].slot]; j.each && on.Kind == schema.List {
		return r.joinEach(k, on.List)
	}
	found, err := r.findMatches(j)
	if err != nil {
		return err
	}
	if r.counts != nil {
		r.countMatch(k, found, -1)
	}
	if found.isInvalid() {
		return j.table.refuse(found, &vals[j.on[0].slot])
	}
	if j.table.join.Many.Allowed {
		if err := r.addSize(input.ElementSize*(found.hi-found.lo)*len(j.cells), j.on[0].name); err != nil {
			return err
		}
	}
	for _, c := range j.cells {
		column := j.table.values[c.column]
		switch {
		case j.table.join.Many.Allowed:
			vals[c.slot] = j.listOf(c, column[found.lo:found.hi])
		case found.isEmpty():
			vals[c.slot] = schema.Value{}
		default:
			vals[c.slot] = column[found.lo]
		}
	}
	return nil
}

// findMatches returns the rows of the table that match the row.
func (r *Reader) findMatches(j *boundJoin) (span, error) {
	if len(j.on) == 1 {
		return r.findRows(j, &r.vals[j.on[0].slot])
	}
	if isMissing, err := r.key.read(r.vals, j.on); isMissing || err != nil {
		return span{}, err
	}
	return j.table.find(&r.key), nil
}

// joinEach fills the slots of a join with lists, which have the match of each element.
func (r *Reader) joinEach(k int, list []schema.Value) error {
	j := &r.l.joins[k]
	if err := r.addSize(input.ElementSize*len(j.cells)*len(list), j.on[0].name); err != nil {
		return err
	}
	matches := r.lists.Take(len(j.cells) * len(list))
	clear(matches)
	for i := range list {
		found, err := r.findRows(j, &list[i])
		if err != nil {
			return err
		}
		if r.counts != nil {
			r.countMatch(k, found, i)
		}
		if found.isInvalid() {
			return j.table.refuse(found, &list[i])
		}
		for c := range j.cells {
			if !found.isEmpty() {
				matches[c*len(list)+i] = j.table.values[j.cells[c].column][found.lo]
			}
		}
	}
	for c := range j.cells {
		at := c * len(list)
		r.vals[j.cells[c].slot] = j.listOf(j.cells[c], matches[at:at+len(list):at+len(list)])
	}
	return nil
}

// listOf returns the list of a cell's values in several rows.
func (j *boundJoin) listOf(c joinedCell, list []schema.Value) schema.Value {
	v := schema.Value{Kind: schema.List, List: list}
	if len(list) > 0 {
		v.At = list[0].At // an error of the list names its first value
	}
	if j.table.mixed[c.column] && schema.HasDropped(list) {
		v.Mixed = schema.MixedDropped
	}
	return v
}

// findRows returns the rows of the table that match a value of the only join column.
func (r *Reader) findRows(j *boundJoin, v *schema.Value) (span, error) {
	if IsMissing(j.on[0].nulls, v) {
		return span{}, nil
	}
	if v.Kind == schema.Text && j.table.spelled == nil { // the key of most rows is a cell
		return j.table.rows[string(v.Text)], nil
	}
	r.key.reset()
	if !r.key.add(v, 1) {
		return span{}, j.on[0].joinTypeError(v)
	}
	return j.table.find(&r.key), nil
}

// explainMissing returns why the row that r has read has no value from the join. It returns "" if the join makes lists,
// which are never missing.
func (r *Reader) explainMissing(j *boundJoin) string {
	if j.table.join.Many.Allowed || j.each {
		return ""
	}
	listing := j.table.source.Listing()
	table := store.Base(listing.Label)
	if len(listing.Files) > 1 {
		table = fmt.Sprintf("join %d", j.index+1)
	}
	var parts []string
	for i := range j.on {
		on := &j.on[i]
		if IsMissing(on.nulls, &r.vals[on.slot]) {
			return fmt.Sprintf("the row has no %s to look up in %s", on.name, table)
		}
		parts = append(parts, keyText(j.table.join.On[i].Theirs, &r.vals[on.slot]))
	}
	text := strings.Join(parts, ", ")
	if found, err := r.findMatches(j); err == nil && !found.isEmpty() {
		if len(listing.Files) > 1 {
			table = j.table.pathOf(int(j.table.files[found.lo]))
		}
		return fmt.Sprintf("the row of %s with %s has no value", table, text)
	}
	return fmt.Sprintf("no row of %s has %s", table, text)
}
