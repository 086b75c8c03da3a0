package config

import (
	"cmp"
	"slices"
	"strings"

	"tfr-build/internal/nearest"
	"tfr-build/sources"
	"tfr-build/sources/column"
)

// columnSets are what is known of the columns of all sources without their files.
type columnSets []*column.Set

// columns is what is known of the columns of s. A step that cannot do what it says
// is a fault.
func (c *checker) columns(s *Source) *column.Set {
	open := column.NewSet(column.Column{})
	open.Open = true
	if s.Kind.Options == nil {
		return open // there is no kind, which is a fault of its own
	}
	for _, q := range s.Rename {
		if !isLine(q.Value) {
			c.bad(q.At, "found %s; expected the name of a column", quoteValue(q.Value))
		}
	}
	spec := s.Spec()
	steps, err := spec.Steps(func(i int) column.Joined {
		if s.Join[i].Kind.Options == nil {
			return column.Joined{}
		}
		known := s.Join[i].Kind.Options.Known()
		return column.Joined{Names: knownNames(s.Join[i].Kind), Places: known.IsPlace, Nested: known.Nested}
	})
	if err != nil {
		return open // a pattern is faulty, which is told already
	}
	return column.Derive(spec.Kind.Options.Known(), steps, func(f column.Fault) {
		hint := f.Hint
		if f.Kind == column.Lacking && hint == "" {
			hint = nearest.DidYouMean(nearest.Of(f.Column, f.Names))
			if f.Step == column.Computed && !f.Rename {
				hint = cmp.Or(hint, quoteHint(string(s.Derive[f.Index].Expr), f.At, f.Column))
			}
		}
		at := s.faultAt(&f)
		switch {
		case !c.fine(at), f.Step == column.Computed && !f.Rename && s.Derive[f.Index].Expr == "":
		case f.Step == column.Computed && !f.Rename && f.Kind != column.Clash:
			c.inExpression(at, f.At, hint, f.Text)
		default:
			c.hinted(at, hint, "%s", f.Text)
		}
	})
}

// faultAt is the path of what a step cannot do.
func (s *Source) faultAt(f *column.Fault) string {
	lacks := f.Kind == column.Lacking || f.Kind == column.Unfit
	switch {
	case f.Rename:
		return s.Rename[f.Index].At
	case f.Step == column.Constant:
		return s.Set[f.Index].At
	case f.Step == column.Join && lacks:
		return s.Join[f.Index].At + ".on"
	case f.Step == column.Join:
		return s.Join[f.Index].At
	case f.Step == column.Load && lacks:
		return s.Load[f.Index].At + ".path"
	case f.Step == column.Load:
		return s.Load[f.Index].At
	case f.Step == column.Computed:
		return s.Derive[f.Index].At
	}
	return subPath(s.At, "from_path")
}

// knownNames are the columns that the options of a kind name; nil where only the
// files do.
func knownNames(k sources.Chosen) []string {
	if known := k.Options.Known(); !known.Open {
		return known.Names()
	}
	return nil
}

// notLoaded refuses a column that is known too late to tell where a row goes.
func (c *checker) notLoaded(path, name string, set *column.Set) {
	if text := lateText(name, set.Late(name)); text != "" {
		c.bad(path, "%s", text)
	}
}

// lateText says that a column is known too late to tell where a row goes, because late
// is; empty where nothing is late.
func lateText(name, late string) string {
	of := ""
	if late != name {
		of = "the column " + quoteValue(name) + " is made of others; of these "
	}
	switch late {
	case "":
		return ""
	case "@split":
		return of + "@split is known only when the rows are split; expected another column"
	}
	return of + "the column " + quoteValue(late) + " is loaded; expected one that the row itself has"
}

// each reports what all sources know alike of a column: the zero column where
// they do not agree, or one does not know it.
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

// mayBeImage reports whether a column is the content of image files in some
// source.
func (sets columnSets) mayBeImage(name string) bool {
	return slices.ContainsFunc(sets, func(set *column.Set) bool {
		what, _ := set.Known(name)
		return what.Image
	})
}

// mayList reports whether a column may hold lists in some source.
func (sets columnSets) mayList(name string) bool {
	return slices.ContainsFunc(sets, func(set *column.Set) bool {
		what, known := set.Known(name)
		return known && (what.List || what.Array) || !known && set.Open && set.Lists
	})
}

// mayBeTyped reports whether a column may be one whose type the files of some source
// tell.
func (sets columnSets) mayBeTyped(name string) bool {
	return slices.ContainsFunc(sets, func(set *column.Set) bool {
		found, known := set.Known(name)
		return !known && set.Typed && found.Step == column.Own
	})
}

// isStarred reports whether a column is a path through all elements of arrays.
func (sets columnSets) isStarred(name string) bool {
	return slices.Contains(strings.Split(name, "."), "*") &&
		slices.ContainsFunc(sets, func(set *column.Set) bool { return set.Nested })
}

// mayBeMany reports whether a column may be one of a side table with many
// matches, whose columns only its files name.
func (sets columnSets) mayBeMany(name string) bool {
	return slices.ContainsFunc(sets, func(set *column.Set) bool {
		_, known := set.Known(name)
		return !known && set.Many
	})
}
