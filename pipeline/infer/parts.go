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

// listParts returns the arrays in files.
func (d *draft) listParts(ctx context.Context, all []found) (list []found, err error) {
	for _, f := range all {
		parts, notes, err := f.typ.Parts(ctx, d.System, f.path, f.match)
		if err != nil {
			return nil, err
		}
		d.notes = append(d.notes, notes...)
		for _, p := range parts {
			split := cmp.Or(splitOf(p.Name), f.split)
			list = append(list, found{path: f.path, recognized: f.recognized, split: split, part: p})
		}
	}
	return list, nil
}

// columnLines returns the lines that make arrays the columns of a source, if most of them have one length.
func (d *draft) columnLines(_ context.Context, g []found) ([]line, error) {
	counts, seen := map[int64]int{}, map[string]bool{}
	for _, u := range g {
		counts[u.part.Rows]++
	}
	most := slices.MaxFunc(g, func(a, b found) int { return counts[a.part.Rows] - counts[b.part.Rows] })
	columns := entry("columns:", plural.Of(most.part.Rows, "row"))
	for _, u := range g {
		column := columnOf(u.part.Words)
		for seen[column] {
			column += "_"
		}
		seen[column] = true
		text := fmt.Sprintf("%s has %s, but %s has %d",
			u.part.FullName(u.path), plural.Of(u.part.Rows, "row"), most.part.FullName(most.path), most.part.Rows)
		switch {
		case u.part.Rows == most.part.Rows:
			columns.below = append(columns.below, bare(scalar(column)+": "+scalar(u.part.Ref(d.relative(u.path)))))
		case 2*counts[most.part.Rows] > len(g): // others are the names of classes, for example
			d.note("Skipped: %s.", text)
		default:
			return nil, &input.MismatchError{Path: u.path, Text: text + ": they are not columns of the same rows",
				Hint: "name arrays of one length"}
		}
	}
	return []line{columns}, nil
}

// columnOf returns a column name from the words in the name of an array. They are without the words
// for splits.
func columnOf(words []string) string {
	words = filter(words, func(w string) bool { return splitOfWord(w) == "" })
	return cmp.Or(strings.Join(words, "_"), "data")
}

func describe(c *column.Column) string {
	if len(c.Shape) == 0 {
		return c.Type
	}
	return c.Type + " of " + schema.ShapeText(c.Shape)
}
