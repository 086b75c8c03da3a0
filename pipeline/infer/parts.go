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

// byFile divides the arrays of several archives by these, if all have arrays of the same names: then each archive has
// rows of its own.
func byFile(g []found) (list [][]found) {
	names := map[string][]string{}
	for _, f := range g {
		names[f.path] = append(names[f.path], f.part.Member)
	}
	for _, own := range names {
		if len(names) > mostArchives || own[0] == "" || !slices.Equal(own, names[g[0].path]) {
			return [][]found{g}
		}
	}
	for i, f := range g {
		if i == 0 || f.path != g[i-1].path {
			list = append(list, nil)
		}
		list[len(list)-1] = append(list[len(list)-1], f)
	}
	return list
}

// mostArchives is the largest number of archives, or of documents, that become a source each.
const mostArchives = 32

// noteArrays adds a comment on archives that are a source each, or on arrays of one shape in a file each, which may be
// parts of one array.
func (d *draft) noteArrays(s *summary) {
	all := d.list[0].files
	if d.typ.Parts != nil && len(d.list) > 1 && d.list[0].split == d.list[1].split {
		d.note("The archives have arrays of the same names: each is a source, in the order of their names%s.",
			d.orFiles(pathsOf(d.files)))
	}
	if d.typ.Parts == nil || len(all) < 2 || len(unique(pathsOf(all))) < len(all) {
		return
	}
	first := s.columns[0].known
	for _, c := range s.columns {
		if len(c.known.Shape) == 0 || c.known.Type != first.Type || !slices.Equal(c.known.Shape, first.Shape) {
			return
		}
	}
	d.note("The arrays have one shape, and become columns of the same rows. If they are parts of one array, or of "+
		"classes: make a source of each, with the same name of the column, as `tfr-build init %s` writes it.",
		d.relative(all[0].path))
}

// columnLines returns the lines that make arrays the columns of a source, if most of them have one length.
func (d *draft) columnLines(_ context.Context, g []found) ([]line, error) {
	counts, seen := map[int64]int{}, map[string]found{}
	for _, u := range g {
		counts[u.part.Rows]++
	}
	most := slices.MaxFunc(g, func(a, b found) int { return counts[a.part.Rows] - counts[b.part.Rows] })
	columns := entry("columns:", plural.Of(most.part.Rows, "row"))
	for _, u := range g {
		column := columnOf(u.part.Words)
		for before, is := seen[column]; is; before, is = seen[column] {
			if before.part.Name == u.part.Name {
				return nil, &input.MismatchError{Path: u.path, Text: fmt.Sprintf("its array %s has the name of one "+
					"in %s: are they columns of the same rows, or other rows?", shown(u.part.Name),
					shown(d.relative(before.path))),
					Hint: "name one of them, and make a source of each" + d.orFiles(pathsOf(g))}
			}
			column += "_"
		}
		seen[column] = u
		text := fmt.Sprintf("%s has %s, but %s has %d",
			u.part.FullName(u.path), plural.Of(u.part.Rows, "row"), most.part.FullName(most.path), most.part.Rows)
		switch {
		case u.part.Rows == most.part.Rows:
			columns.below = append(columns.below, bare(scalar(column)+": "+scalar(u.part.Ref(d.relative(u.path)))))
		case 2*counts[most.part.Rows] > len(g): // others are the names of classes, for example
			d.note("Skipped: %s.", text)
		default:
			return nil, &input.MismatchError{Path: u.path, Text: text + ": they are not columns of the same rows",
				Hint: "name arrays of one length" + d.orFiles(pathsOf(g))}
		}
	}
	return []line{columns}, nil
}

// orFiles says how to make a row of each file, if they are several.
func (d *draft) orFiles(paths []string) string {
	dir := commonDir(paths)
	if dir == paths[0] {
		return ""
	}
	return fmt.Sprintf("; to make a row of each file: %s: {dir: %s, extensions: [%s]}",
		d.types.directoryType(false).name, scalar(d.relative(dir)), extension(paths[0]))
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
