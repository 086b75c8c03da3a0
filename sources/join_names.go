package sources

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tfr-build/sources/column"
)

// The columns of a lookup table of JSONL are the keys of its first rows. So a large table is read
// only once, when it is loaded. A column that only later rows have is found if something requires
// it:
//
//	required, and not in the first rows of source or table  → searchColumns reads all rows of the table
//	required from elsewhere, and in a later row             → loading reports the conflict

// readColumns reads the names of the table's columns. If only rows have them, it reads the first
// limit rows, or all rows if limit is negative.
func (t *lookupTable) readColumns(ctx context.Context, limit int) (err error) {
	var own []string
	own, t.all, err = columnNames(ctx, t.source.Input, limit)
	// A table without rows has no names. Loading it reports that it has no rows, and not a missing column.
	t.found, t.names = len(own) > 0, t.source.columns.TableNames(own)
	t.known = column.SetOf(t.names)
	return err
}

// searchColumns finds required columns that only later rows of lookup tables have. It reports
// whether it found any.
func (s *Source) searchColumns(ctx context.Context, required []string) (found bool, err error) {
	var ours map[string]bool // keys of the source's first rows; nil until they are needed
	for _, t := range s.joins {
		open := slices.DeleteFunc(slices.Clone(required), func(name string) bool { return !s.mayHave(t, name) })
		if len(open) > 0 && ours == nil {
			if ours, err = s.firstKeys(ctx); err != nil {
				return false, err
			}
		}
		isOurs := func(name string) bool {
			c, _ := s.columns.Find(name) // rows have the name from before rename
			return ours[c.Name] || ours[topOf(c.Name)]
		}
		if slices.ContainsFunc(open, func(name string) bool { return !isOurs(name) }) {
			if err := t.readColumns(ctx, -1); err != nil {
				return false, err
			}
			found = true
		}
	}
	return found, nil
}

// addStepColumns adds the columns that the steps of the source need.
func (s *Source) addStepColumns(required []string) []string {
	required = slices.Clip(required) // the array is the caller's
	for i := range s.joins {
		ours, _ := s.joins[i].join.On.Names()
		required = append(required, ours...)
	}
	for i := range s.loads {
		required = append(required, s.loads[i].path.Columns()...)
	}
	for i := range s.spec.Derive {
		required = append(required, column.Named(string(s.spec.Derive[i].Expr))...)
	}
	return required
}

// findRealColumns finds out which required row columns, such as @id, the rows have themselves. If
// only rows have the columns of the source, its first rows decide.
func (s *Source) findRealColumns(ctx context.Context, required []string) error {
	isRequired := func(name string) bool { return slices.Contains(required, name) }
	if !slices.ContainsFunc(column.RowColumns, isRequired) {
		return nil
	}
	keys, err := s.firstKeys(ctx)
	for _, name := range column.RowColumns {
		if keys[name] {
			s.real = append(s.real, name)
		}
	}
	return err
}

// firstKeys returns the keys of the first rows of the source itself, if only rows have its
// columns.
func (s *Source) firstKeys(ctx context.Context) (map[string]bool, error) {
	if !s.Input.Columns().Open {
		return map[string]bool{}, nil
	}
	names, _, err := columnNames(ctx, s.Input, sampleRows)
	return column.SetOf(names), err
}

// mayHave reports whether a later row of the table may have a column whose origin is unknown.
func (s *Source) mayHave(t *lookupTable, name string) bool {
	if _, known := s.columns.Known(name); known {
		return false
	}
	c, _ := s.columns.Find(name) // an open set has each unknown name as a column of the source itself
	return c.Step == column.Own && t.laterKey(name) != ""
}

// laterKey returns the key of the table's rows that column name would be in or below. It is empty
// if the key is known already, or if the table cannot have the column.
func (t *lookupTable) laterKey(name string) string {
	rest, fits := strings.CutPrefix(name, t.join.Prefix)
	top := topOf(rest)
	if _, theirs := t.join.On.Names(); t.all || !fits || slices.Contains(theirs, top) || t.known[top] {
		return ""
	}
	return top
}

// topOf returns the key of a row that a path begins with.
func topOf(path string) string {
	top, _, _ := strings.Cut(path, ".")
	return top
}

// forbidInJoins makes the loading of lookup tables check that none of their later rows has column
// c, called name.
func (s *Source) forbidInJoins(name string, c *column.Column) {
	for i, t := range s.joins {
		if c.Step == column.Join && c.Index == i {
			continue
		}
		if key := t.laterKey(name); key != "" {
			t.forbidden[key] = fmt.Sprintf("column %q comes from %s and from join %d", name,
				cmp.Or(c.From, "the source itself"), i+1)
		}
	}
}
