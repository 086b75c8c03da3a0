package sources

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tfr-build/internal/nearest"
	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A MissingColumn is a required column that no row has, in an input whose columns only rows have.
type MissingColumn struct {
	Column string // its name in the config
	Meant  string // a column of the rows with a similar name; may be empty
	Rows   int    // how many rows were read, from the first on; 0 for all
	Join   int    // index of the lookup table with these rows; -1 for the source itself
	Needed bool   // rows cannot be read without it, even if no feature uses it
	Unread string // the error of the first row, if no row can be read; then Column is empty
}

// Text returns a message: which rows are without the column, or that none can be read.
func (l *MissingColumn) Text() string {
	if l.Unread != "" {
		return l.Unread
	}
	table := ""
	if l.Join >= 0 {
		table = fmt.Sprintf(" of the lookup table of join[%d]", l.Join)
	}
	text := fmt.Sprintf("none of the first %s%s has the column %q", plural.Of(l.Rows, "row"), table, l.Column)
	switch l.Rows {
	case 0:
		text = fmt.Sprintf("no row%s has the column %q", table, l.Column)
	case 1:
		text = fmt.Sprintf("the first row%s has no column %q", table, l.Column)
	}
	if l.Meant != "" {
		text += fmt.Sprintf("; did you mean %q?", l.Meant)
	}
	return text
}

// How much of an input is read at most to find the columns of its rows, if only rows have them.
const (
	sampleRows  = 1000
	sampleBytes = 16 << 20
)

// Sample reads the first rows of the source and of its lookup tables. It returns the columns of
// the layouts that none of these rows has. It is an error if a step would replace a column of these rows.
func (s *Source) Sample(ctx context.Context, layouts ...*Layout) ([]MissingColumn, error) {
	if err := s.checkDuplicates(ctx); err != nil {
		return nil, err
	}
	seen := map[MissingColumn]bool{}
	var all []MissingColumn
	for _, l := range layouts {
		found, err := l.sample(ctx)
		if err != nil {
			return nil, err
		}
		for _, lack := range found {
			if c := (MissingColumn{Column: lack.Column, Join: lack.Join}); !seen[c] {
				seen[c] = true
				all = append(all, lack)
			}
		}
	}
	s.suggest(all)
	return all, nil
}

// checkDuplicates returns an error if a step adds a column that the first rows have, and of which the source type does
// not know. A load may replace a column in its own path.
func (s *Source) checkDuplicates(ctx context.Context) error {
	if s.spec.addsNone() {
		return nil
	}
	keys, err := s.firstKeys(ctx)
	if err != nil {
		return err
	}
	for _, l := range s.loads {
		if slices.ContainsFunc(l.path.Columns(), func(name string) bool { return topOf(name) == l.Name }) {
			delete(keys, l.Name)
		}
	}
	_, err = s.derive(slices.Sorted(maps.Keys(keys)))
	return err
}

// FirstRows calls visit for the first rows of the source, as many as Sample reads, or n if that is more. The
// result all reports that the source has no other rows, and blank counts the lines among them that are not rows.
func (s *Source) FirstRows(ctx context.Context, n int, visit func(file int, rec *input.Record) error) (all bool,
	blank int64, err error) {
	return input.FirstRows(ctx, s.Input, max(n, sampleRows), sampleBytes, visit)
}

func (l *Layout) sample(ctx context.Context) (all []MissingColumn, err error) {
	columns, rows, unread, err := sampleInput(ctx, l.s.Input, l.bound)
	if unread != "" {
		all = append(all, MissingColumn{Unread: unread, Join: -1})
	}
	for _, c := range columns {
		all = append(all, MissingColumn{Column: l.columns[c.Slot], Rows: rows, Join: -1, Needed: l.namesFile(c.Slot)})
	}
	for i := 0; i < len(l.joins) && err == nil; i++ {
		j := &l.joins[i]
		// loading reports invalid rows of a lookup table
		columns, rows, _, err = sampleInput(ctx, j.table.source.Input, j.table.ownColumns())
		for _, c := range columns {
			all = append(all, MissingColumn{Column: j.table.join.Prefix + c.Name, Rows: rows, Join: j.index})
		}
	}
	return all, err
}

// namesFile reports whether the path of a file contains the column of a slot.
func (l *Layout) namesFile(slot int) bool {
	return slices.ContainsFunc(l.loads, func(load boundLoad) bool {
		return slices.ContainsFunc(load.path, func(c inputColumn) bool { return c.slot == slot })
	})
}

// sampleInput reads the first rows of an input whose columns only rows have. It returns the columns that none of them
// has, how many rows it read, 0 for all, and why no row can be read.
func sampleInput(ctx context.Context, in input.Input, columns []input.Bound) (missing []input.Bound, rows int,
	unread string, err error) {
	if !in.Columns().Open || len(columns) == 0 {
		return nil, 0, "", nil
	}
	own := make([]input.Bound, len(columns)) // other slots of the layout are of steps
	for i, c := range columns {
		own[i] = input.Bound{Name: c.Name, Slot: i}
	}
	layout, err := in.Bind(own)
	if err != nil {
		return nil, 0, "", err
	}
	// The observations are thrown away: the build reads these rows again, and would count them twice.
	scanner, watch, vals := layout(input.NewObservations(), false), newColumnTracker(in, own), make([]schema.Value,
		len(own))
	failed := 0
	all, _, err := input.FirstRows(ctx, in, sampleRows, sampleBytes, func(file int, rec *input.Record) error {
		if len(watch.unseen) == 0 { // mostly, the first row has all columns
			return input.ErrEnough
		}
		rows++
		bad := rec.Bad
		if bad == nil {
			if _, err := scanner.Scan(file, rec.Offset, rec.Raw, vals); err != nil && !errors.As(err, &bad) {
				return err
			}
		}
		if bad == nil {
			watch.Track(rec.Raw, vals)
			return nil
		}
		if failed++; failed == 1 {
			at := rec.Position(in.Path(file), bad)
			unread = fmt.Sprintf("%v: %v", &at, bad)
		}
		return nil
	})
	if failed < rows { // one readable row is enough: on_error may skip the others
		unread = ""
	} else if unread != "" {
		unread = fmt.Sprintf("none of the first %s can be read: %s", plural.Of(rows, "row"), unread)
	}
	for i := range columns {
		if watch.seen.isMissing(i) {
			missing = append(missing, columns[i])
		}
	}
	if all {
		rows = 0
	}
	return missing, rows, unread, err
}

// MissingColumns returns the columns of the layout that no row has. All rows of the source must be in
// seen, and the lookup tables must have been loaded.
func (l *Layout) MissingColumns(seen ColumnStats) []MissingColumn {
	var all []MissingColumn
	for i, c := range l.bound {
		if seen.isMissing(i) {
			all = append(all, MissingColumn{Column: l.columns[c.Slot], Join: -1})
		}
	}
	for i := range l.joins {
		t := l.joins[i].table
		for _, name := range t.missing {
			all = append(all, MissingColumn{Column: t.join.Prefix + name, Join: l.joins[i].index})
		}
	}
	l.s.suggest(all)
	return all
}

// maxSuggested is the number of missing columns that get a suggestion.
const maxSuggested = 20

// suggest sets Meant to columns with similar names, as far as the first rows can be read.
func (s *Source) suggest(list []MissingColumn) {
	keys := map[int]keyTree{} // by join; only columns that are missing cost another reading of rows
	for i := range list[:min(maxSuggested, len(list))] {
		l := &list[i]
		in, prefix := s.Input, ""
		if l.Join >= 0 {
			in, prefix = s.joins[l.Join].source.Input, s.joins[l.Join].join.Prefix
		}
		if _, ok := keys[l.Join]; !ok {
			keys[l.Join] = readKeys(in)
		}
		if near := keys[l.Join].nearest(l.Column[len(prefix):]); near != "" {
			l.Meant = prefix + near
		}
		if _, ok := s.columns.Find(l.Meant); l.Meant == "" || !ok || l.Meant == l.Column { // renamed
			if l.Meant = nearest.Of(l.Column, s.columns.Names()); strings.HasPrefix(l.Column, l.Meant+".") {
				l.Meant = "" // that column exists, but something below it does not
			}
		}
	}
}
