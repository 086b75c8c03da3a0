package infer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
)

// A partRef is an array in a file, with its column and its split.
type partRef struct {
	input.Part
	path   string
	column string
	split  string
}

// addPartSources adds the sources of arrays. The arrays of a split are columns of one source, if most have its length.
func (d *draft) addPartSources(ctx context.Context, all []found) error {
	refs, err := d.listParts(ctx, all)
	if err != nil {
		return err
	}
	groups := groupParts(refs)
	for _, g := range groups {
		counts := map[int64]int{}
		for _, u := range g {
			counts[u.Rows]++
		}
		most := slices.MaxFunc(g, func(a, b partRef) int { return counts[a.Rows] - counts[b.Rows] })
		s := source{split: g[0].split, keys: []line{{"columns:", plural.Of(most.Rows, "row")}}}
		for _, u := range g {
			text := fmt.Sprintf("%s has %s, but %s has %d", u.FullName(u.path), plural.Of(u.Rows, "row"), most.FullName(most.path), most.Rows)
			switch {
			case u.Rows == most.Rows:
				s.keys = append(s.keys, line{text: "  " + scalar(u.column) + ": " + scalar(u.Ref(d.relative(u.path)))})
			case 2*counts[most.Rows] > len(g): // others are the names of classes, for example
				d.notes = append(d.notes, "Skipped: "+text+".")
			default:
				return &input.MismatchError{Path: u.path, Text: text + ": they are not columns of the same rows", Hint: "name arrays of one length"}
			}
		}
		d.list = append(d.list, s)
	}
	d.takeOnlySplit()
	seen := map[string]bool{}
	for i, g := range groups {
		if name := base(g[0].path); seen[name] {
			for k := range d.list[:i+1] {
				d.list[k].name = d.list[k].split
			}
		}
		seen[base(g[0].path)] = true
	}
	return nil
}

// listParts returns the arrays in files, with the splits in their names.
func (d *draft) listParts(ctx context.Context, all []found) (refs []partRef, err error) {
	for _, f := range all {
		parts, notes, err := f.typ.Parts(ctx, d.System, f.path, f.match)
		if err != nil {
			return nil, err
		}
		d.notes = append(d.notes, notes...)
		for _, p := range parts {
			refs = append(refs, partRef{Part: p, path: f.path, column: columnOf(p.Words), split: cmp.Or(splitOf(p.Name), f.split)})
		}
	}
	return refs, nil
}

// groupParts groups arrays by the splits in their names, if all names have one.
func groupParts(refs []partRef) (groups [][]partRef) {
	if slices.ContainsFunc(refs, func(u partRef) bool { return u.split == "" }) {
		for i := range refs {
			refs[i].split = ""
		}
	}
	var splits []string
	for _, u := range refs {
		splits = append(splits, u.split)
	}
	splits = unique(splits)
	slices.SortStableFunc(splits, func(a, b string) int { return splitOrder(a) - splitOrder(b) })
	for _, split := range splits {
		var g []partRef
		seen := map[string]bool{}
		for _, u := range refs {
			if u.split != split {
				continue
			}
			for seen[u.column] {
				u.column += "_"
			}
			seen[u.column] = true
			g = append(g, u)
		}
		groups = append(groups, g)
	}
	return groups
}

// columnOf returns a column name from the words in the name of an array. They are without the words
// for splits.
func columnOf(words []string) string {
	words = slices.DeleteFunc(words, func(w string) bool { return isSplitWord(w) || strings.EqualFold(w, "t10k") })
	if len(words) == 0 {
		return "data"
	}
	return strings.Join(words, "_")
}

func describe(c *column.Column) string {
	if len(c.Shape) == 0 {
		return c.Type
	}
	return c.Type + " of " + schema.ShapeText(c.Shape)
}
