package sources

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tfr-build/sources/column"
)

// The columns of a side table of JSONL are those of its first rows, so that a
// large one is read once, when it is loaded. A column that comes later is found
// because somebody wants it:
//
//	wanted, and in no first row of ours or the table  → search reads the whole table
//	wanted of somewhere else, and in a later row      → loading finds the clash

// search finds wanted columns that only later rows of side tables have, and
// reports whether there are any.
func (s *Source) search(ctx context.Context, wanted []string) (found bool, err error) {
	for i := range s.joins {
		wanted = append(slices.Clip(wanted), s.joins[i].join.On.Ours)
	}
	for i := range s.loads {
		wanted = append(wanted, s.loads[i].path.Columns()...)
	}
	var own []string // of the first rows
	for i, t := range s.joins {
		if t.all {
			continue
		}
		open := slices.DeleteFunc(slices.Clone(wanted), func(name string) bool { return !s.mayHold(t, i, name) })
		if len(open) > 0 && own == nil && s.Input.Columns().Open {
			if own, _, err = columnNames(ctx, s.Input, sampledRows); err != nil {
				return false, err
			}
		}
		inOurs := func(name string) bool {
			c, _ := s.columns.Find(name)
			return slices.Contains(own, c.Name) || slices.Contains(own, topOf(c.Name))
		}
		if !slices.ContainsFunc(open, func(name string) bool { return !inOurs(name) }) {
			continue
		}
		if t.names, t.all, err = columnNames(ctx, t.in, -1); err != nil {
			return false, err
		}
		found = true
	}
	return found, nil
}

// mayHold reports whether a column that nothing is known of may be one of a later
// row of the table, which is that of join i.
func (s *Source) mayHold(t *sideTable, i int, name string) bool {
	if _, known := s.columns.Known(name); known {
		return false
	}
	c, _ := s.columns.Find(name)
	return c.Step == column.Own && t.nameOf(name) != ""
}

// nameOf is the key of the table's rows that column name is in or below, as far
// as names tell; empty where it can be in none but those that are known.
func (t *sideTable) nameOf(name string) string {
	rest, fits := strings.CutPrefix(name, t.join.Prefix)
	top := topOf(rest)
	if t.all || !fits || top == t.join.On.Theirs || slices.Contains(t.names, top) {
		return ""
	}
	return top
}

// topOf is the key of a row that a path begins with.
func topOf(path string) string {
	top, _, _ := strings.Cut(path, ".")
	return top
}

// watch has the loading of side tables make sure that column c, called name, is
// in none of their later rows.
func (s *Source) watch(name string, c *column.Column) {
	for i, t := range s.joins {
		if c.Step == column.Join && c.Index == i {
			continue
		}
		if key := t.nameOf(name); key != "" {
			t.others[key] = fmt.Sprintf("column %q comes from %s and from join %d", name, cmp.Or(c.From, "the source itself"), i+1)
		}
	}
}
