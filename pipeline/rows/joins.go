package rows

import (
	"reflect"

	"tfr-build/sources"
)

// A Joined is a join whose matches were counted.
type Joined struct {
	Source *Source
	Index  int // of the join in the source
	sources.JoinSummary
}

// Joins returns how many of the observed rows have a match in each join that looked up a value. A row of a table has a
// match if a row of any source matches it: sources may share a table.
func (in *Input) Joins(o *Observations) (list []Joined) {
	for i, src := range in.Sources {
		for k := range o.matches[i] {
			seen := o.matches[i][k]
			if seen.Rows == 0 {
				continue
			}
			seen.Used = in.usedOf(&src.Spec().Join[k], o)
			list = append(list, Joined{src, k, src.SummarizeJoin(k, &seen)})
		}
	}
	return list
}

// usedOf returns the rows of the table of a join that match, in all joins with that table.
func (in *Input) usedOf(join *sources.Join, o *Observations) sources.RowSet {
	var all sources.JoinMatches
	for i, src := range in.Sources {
		for k := range o.matches[i] {
			if other := &src.Spec().Join[k]; other == join || isSameTable(join, other) {
				all.Add(&o.matches[i][k])
			}
		}
	}
	return all.Used
}

// isSameTable reports whether two joins have the same rows in the same order.
func isSameTable(a, b *sources.Join) bool {
	_, mine := a.On.Names()
	_, theirs := b.On.Names()
	return a.Where == b.Where && a.FromPath == b.FromPath && a.Many.Sort == b.Many.Sort && a.Many.Type == b.Many.Type &&
		reflect.DeepEqual(mine, theirs) && reflect.DeepEqual(a.Derive, b.Derive) && reflect.DeepEqual(a.Kind, b.Kind)
}
