package config

import (
	"cmp"
	"slices"
	"strings"

	"tfr-build/internal/nearest"
	"tfr-build/sources"
	"tfr-build/sources/column"
)

// columnSets has the columns of each source, as far as they are known without its files.
type columnSets []*column.Set

// deriveColumns returns what is known of the columns of s. It reports each step that cannot be
// done.
func (c *checker) deriveColumns(s *Source) *column.Set {
	open := column.NewSet(column.Column{})
	open.Open = true
	if s.Kind.Options == nil {
		return open // the source type is missing, which is reported elsewhere
	}
	for _, q := range s.Rename {
		if !isNotEmpty(q.Value) {
			c.report(q.At, "found %s; expected the name of a column", quoteValue(q.Value))
		}
	}
	spec := s.Spec()
	steps, err := spec.Steps(func(i int) column.Joined {
		if s.Join[i].Kind.Options == nil {
			return column.Joined{}
		}
		known, set := s.Join[i].Kind.Options.Known(), s.tables[i]
		names := knownNames(s.Join[i].Kind)
		if names != nil {
			names = set.TableNames(names)
		}
		return column.Joined{Names: names, Table: set, Nested: known.Nested}
	})
	if err != nil {
		return open // a pattern is invalid, which is already reported
	}
	return column.Derive(spec.Kind.Options.Known(), steps, func(f column.Problem) {
		hint := f.Hint
		if f.Kind == column.NotFound && hint == "" {
			hint = nearest.Hint(f.Column, f.Names)
			if f.Step == column.Computed && !f.Rename {
				hint = cmp.Or(hint, quoteHint(string(s.Derive[f.Index].Expr), f.At, f.Column))
			}
		}
		at := s.problemPath(&f)
		switch {
		case !c.isValid(at), f.Step == column.Computed && !f.Rename && s.Derive[f.Index].Expr == "":
		case f.Step == column.Computed && !f.Rename && f.Kind != column.Conflict:
			c.reportInExpression(at, f.At, hint, f.Text)
		default:
			c.reportWithHint(at, hint, "%s", f.Text)
		}
	})
}

// problemPath returns the path of the key of a step that cannot be done.
func (s *Source) problemPath(f *column.Problem) string {
	if f.Step == column.Follow {
		of := s.conversions()[f.Index]
		return of.At + "." + of.Spec.KeyOf(f.Column)
	}
	spec := s.Spec()
	return cmp.Or(spec.KeyOf(f), subPath(s.At, "from_path"))
}

// knownNames returns the columns that the options of a source type name; nil if only the files do.
func knownNames(k sources.Chosen) []string {
	if known := k.Options.Known(); !known.Open {
		return known.Names()
	}
	return nil
}

// checkNotLate reports a column that is known too late in a source to decide the split or the position of a row.
func (c *checker) checkNotLate(path, name string, sets ...*column.Set) {
	for _, set := range sets {
		if text := lateColumnText(name, set); text != "" && c.isValid(path) {
			c.report(path, "%s", text)
		}
	}
}

// lateColumnText returns the text of that problem; empty without one. The column that is known
// too late is name itself, or one that name is computed from.
func lateColumnText(name string, set *column.Set) string {
	late, of := set.Late(name), ""
	if late != name {
		of = "the column " + quoteValue(name) + " is made of others; of these "
	}
	switch late {
	case "":
		return ""
	case "@split":
		return of + "@split is known only when the rows are split; expected another column"
	case column.StepName, column.StepsName:
		return of + late + " is known only when the rows are grouped; expected another column"
	}
	if c, _ := set.Find(late); c.Follows {
		return of + "the column " + quoteValue(late) +
			" follows the image, which is converted later; expected another column"
	}
	return of + "the column " + quoteValue(late) + " is loaded; expected one that the row itself has"
}

// each returns what all sources have in common for a column. Its type is empty if the sources
// differ, or if one does not know it.
func (sets columnSets) each(name string) column.Column {
	var all column.Column
	for i, set := range sets {
		what, _ := set.Known(name)
		if i == 0 {
			all = what
			continue
		}
		if all.Type != what.Type {
			all.Type = ""
		}
		all.Content = all.Content && what.Content
		all.Image = all.Image && what.Image
		all.List = all.List || what.List
		all.Array = all.Array || what.Array
	}
	return all
}

// mayBeImage reports whether a column is the content of image files in a source.
func (sets columnSets) mayBeImage(name string) bool {
	return slices.ContainsFunc(sets, func(set *column.Set) bool {
		what, _ := set.Known(name)
		return what.Image
	})
}

// mayList reports whether a column may have lists in a source.
func (sets columnSets) mayList(name string) bool {
	return slices.ContainsFunc(sets, func(set *column.Set) bool { return set.MayList(name) })
}

// mayBeTyped reports whether the files of a source may determine the type of a column.
func (sets columnSets) mayBeTyped(name string) bool {
	return slices.ContainsFunc(sets, func(set *column.Set) bool {
		found, known := set.Known(name)
		return !known && set.Typed && found.Step == column.Own
	})
}

// isStarred reports whether a column is a path through all elements of arrays, such as a.*.b.
func (sets columnSets) isStarred(name string) bool {
	return slices.Contains(strings.Split(name, "."), "*") &&
		slices.ContainsFunc(sets, func(set *column.Set) bool { return set.Nested })
}

// mayBeMany reports whether a column may be from a lookup table with many matches, whose columns
// only its files name.
func (sets columnSets) mayBeMany(name string) bool {
	return slices.ContainsFunc(sets, func(set *column.Set) bool {
		what, known := set.Known(name)
		return set.MayBeMany(name) && (!known || what.Step == column.Follow && what.MayList)
	})
}
