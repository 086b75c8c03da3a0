package config

import (
	"fmt"
	"slices"
	"strings"

	"tfr-build/sources/column"
)

// UnalignedLists returns a problem for each use of a list that has an element per box of a `convert`, but is not in
// `with`: it would keep the elements of dropped boxes. set has the columns of source i, which only its files may
// name. The result is nil without a problem.
func (c *Config) UnalignedLists(i int, set *column.Set) error {
	s := &c.Sources[i]
	f := newCollector()
	f.positions = c.positions
	uses := c.columnUses(s, set)
	for _, of := range s.conversions() {
		for k := range of.Spec.Boxes {
			b := &of.Spec.Boxes[k]
			first := b.Columns()[0]
			list := s.listOf(set, first)
			if list == "" {
				continue
			}
			var with column.Slots[string]
			for _, name := range b.With {
				with.Of(name)
			}
			var found []columnUse
			for _, use := range uses {
				if use.list == list {
					found = append(found, use)
					with.Of(use.column)
				}
			}
			hint := fmt.Sprintf("with: [%s] in %s.boxes[%d]", strings.Join(with.Columns(), ", "), of.At, k)
			for _, use := range found {
				f.reportWithHint(use.path, hint,
					"the column %s has an element for each box of %s, and would keep the elements of dropped boxes",
					quoteValue(use.column), quoteValue(first))
			}
		}
	}
	if len(f.list) == 0 {
		return nil
	}
	return newProblems(c.File, c.lines, f.list)
}

// A columnUse is a feature, a derived column, or an element of points that uses a column.
type columnUse struct {
	path, column string
	list         string // the result of listOf
}

// columnUses returns the uses of columns in features, in the derived columns of a source, and in points. It omits the
// columns that lose the elements of dropped boxes.
func (c *Config) columnUses(s *Source, set *column.Set) (uses []columnUse) {
	named := column.SetOf(s.boxColumns())
	if named[""] = true; len(named) == 1 {
		return nil
	}
	add := func(path string, columns []string) {
		for _, name := range columns {
			if !named[name] {
				uses = append(uses, columnUse{path, name, s.listOf(set, name)})
			}
		}
	}
	for _, f := range c.AllFeatures() {
		path := f.At
		if _, given := c.positions[f.At+".from"]; given {
			path += ".from"
		}
		add(path, append(slices.Clone(f.From.Columns), f.Repeat))
	}
	for _, d := range s.Derive {
		add(d.At, column.Named(string(d.Expr)))
	}
	for _, of := range s.conversions() {
		for i := range of.Spec.Points { // the columns of one of them have equal lengths
			add(fmt.Sprintf("%s.points[%d]", of.At, i), of.Spec.Points[i].Columns())
		}
	}
	return uses
}

// boxColumns returns the columns of all boxes, and those in `with`.
func (s *Source) boxColumns() (names []string) {
	for _, of := range s.conversions() {
		for i := range of.Spec.Boxes {
			names = slices.Concat(names, of.Spec.Boxes[i].Columns(), of.Spec.Boxes[i].With)
		}
	}
	return names
}

// listOf returns a name for the list of objects from which a column has one value of each: the matches of a join, the
// list in its join column, or the list before the first * of a path. It is empty if the column is not of such a list.
func (s *Source) listOf(set *column.Set, name string) string {
	c, ok := set.Find(name)
	switch {
	case !ok:
		return ""
	case c.Step == column.Follow: // masks in runs
		return s.listOf(set, name+".counts")
	case c.Step == column.Own:
		return beforeStar(c.Name)
	case c.Step != column.Join:
		return ""
	}
	j := &s.Join[c.Index]
	if j.Many.Allowed {
		return fmt.Sprintf("join %d", c.Index)
	}
	if key, _ := set.Find(j.On[0].Ours); len(j.On) == 1 && set.IsList(&key) {
		return s.listOf(set, j.On[0].Ours)
	}
	if list := beforeStar(c.Name); list != "" {
		return fmt.Sprintf("join %d %s", c.Index, list)
	}
	return ""
}

// beforeStar returns the part of a path before its first *. It is empty if the path has none.
func beforeStar(path string) string {
	levels := strings.Split(path, ".")
	if i := slices.Index(levels, "*"); i > 0 {
		return strings.Join(levels[:i], ".")
	}
	return ""
}
