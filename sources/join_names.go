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

// learn learns the table's columns, from its first most rows where only rows tell,
// or from all where most is negative.
func (t *sideTable) learn(ctx context.Context, most int) (err error) {
	t.names, t.all, err = columnNames(ctx, t.in, most)
	t.known = setOf(t.names)
	return err
}

// search finds wanted columns that only later rows of side tables have, and
// reports whether there are any.
func (s *Source) search(ctx context.Context, wanted []string) (found bool, err error) {
	for i := range s.joins {
		wanted = append(slices.Clip(wanted), s.joins[i].join.On.Ours)
	}
	for i := range s.loads {
		wanted = append(wanted, s.loads[i].path.Columns()...)
	}
	for i := range s.spec.Derive {
		wanted = append(wanted, column.Named(string(s.spec.Derive[i].Expr))...)
	}
	var ours map[string]bool // the keys of our first rows; nil until somebody asks
	for _, t := range s.joins {
		open := slices.DeleteFunc(slices.Clone(wanted), func(name string) bool { return !s.mayHold(t, name) })
		if len(open) > 0 && ours == nil {
			if ours, err = s.firstKeys(ctx); err != nil {
				return false, err
			}
		}
		isOurs := func(name string) bool {
			c, _ := s.columns.Find(name)
			return ours[c.Name] || ours[topOf(c.Name)]
		}
		if slices.ContainsFunc(open, func(name string) bool { return !isOurs(name) }) {
			if err := t.learn(ctx, -1); err != nil {
				return false, err
			}
			found = true
		}
	}
	return found, nil
}

// firstKeys are the keys of the first rows of the source itself, where only rows
// tell its columns.
func (s *Source) firstKeys(ctx context.Context) (map[string]bool, error) {
	if !s.Input.Columns().Open {
		return map[string]bool{}, nil
	}
	names, _, err := columnNames(ctx, s.Input, sampledRows)
	return setOf(names), err
}

func setOf(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, n := range names {
		set[n] = true
	}
	return set
}

// mayHold reports whether a column that nothing is known of may be one of a later
// row of the table.
func (s *Source) mayHold(t *sideTable, name string) bool {
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
	if t.all || !fits || top == t.join.On.Theirs || t.known[top] {
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
