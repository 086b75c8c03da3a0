package sources

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tfr-build/internal/nearest"
	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A Lack is a column that rows do not have, of those that only rows tell.
type Lack struct {
	Column string // as the config calls it
	Meant  string // a column that rows have, of nearly that name; may be empty
	Rows   int    // so many were read, from the first; 0 where all were
	Join   int    // the number of the side table whose rows they are; -1 for the source's own
	Needed bool   // rows cannot be read without it, whatever features say
	Unread string // what is wrong with the first row, where none can be read; then there is no Column
}

// Text says which rows lack the column, or that none can be read.
func (l *Lack) Text() string {
	if l.Unread != "" {
		return l.Unread
	}
	of := ""
	if l.Join >= 0 {
		of = fmt.Sprintf(" of the side table of join[%d]", l.Join)
	}
	text := fmt.Sprintf("none of the first %s%s has the column %q", plural.Of(l.Rows, "row"), of, l.Column)
	switch l.Rows {
	case 0:
		text = fmt.Sprintf("no row%s has the column %q", of, l.Column)
	case 1:
		text = fmt.Sprintf("the first row%s has no column %q", of, l.Column)
	}
	if l.Meant != "" {
		text += fmt.Sprintf("; did you mean %q?", l.Meant)
	}
	return text
}

// What is read of a source, at most, to tell which columns none of its rows has.
const (
	sampleRows  = 1000
	sampleBytes = 16 << 20
)

// Sample reads the first rows of the source and of its side tables, and tells
// which columns of the layouts none of them has.
func (s *Source) Sample(ctx context.Context, layouts ...*Layout) ([]Lack, error) {
	type column struct {
		name string
		join int
	}
	told := map[column]bool{}
	var all []Lack
	for _, l := range layouts {
		found, err := l.sample(ctx)
		if err != nil {
			return nil, err
		}
		for _, lack := range found {
			if c := (column{lack.Column, lack.Join}); !told[c] {
				told[c] = true
				all = append(all, lack)
			}
		}
	}
	s.meant(all)
	return all, nil
}

// FirstRows calls visit for the first rows of the source, as many as Sample reads. all
// reports that there are no others.
func (s *Source) FirstRows(ctx context.Context, visit func(file int, rec *input.Record) error) (all bool, err error) {
	return firstRows(ctx, s.Input, visit)
}

func (l *Layout) sample(ctx context.Context) (all []Lack, err error) {
	own, err := sampleOf(ctx, l.s.Input, l.bound)
	if own.unread != "" {
		all = append(all, Lack{Unread: own.unread, Join: -1})
	}
	for _, c := range own.lacking {
		all = append(all, Lack{Column: l.columns[c.Slot], Rows: own.rows, Join: -1, Needed: l.needed(c.Slot)})
	}
	for i := range l.joins {
		if err != nil {
			return nil, err
		}
		j := &l.joins[i]
		var bound []input.Bound
		for slot, name := range j.table.requested.Columns() {
			bound = append(bound, input.Bound{Name: name, Slot: slot})
		}
		var theirs sampled
		theirs, err = sampleOf(ctx, j.table.in, bound) // a side table's bad row is a fault when it is loaded
		for _, c := range theirs.lacking {
			all = append(all, Lack{Column: j.table.join.Prefix + c.Name, Rows: theirs.rows, Join: j.index})
		}
	}
	return all, err
}

// needed reports whether a file is named by the column of a slot.
func (l *Layout) needed(slot int) bool {
	return slices.ContainsFunc(l.loads, func(load boundLoad) bool { return slices.Contains(load.path, slot) })
}

// A sampled is what the first rows of an input say of its columns.
type sampled struct {
	lacking []input.Bound // none of the rows has them
	rows    int           // so many were read; 0 for all
	unread  string        // why none can be read
}

// sampleOf reads the first rows of an input whose columns only rows tell.
func sampleOf(ctx context.Context, in input.Input, columns []input.Bound) (of sampled, err error) {
	if !in.Columns().Open || len(columns) == 0 {
		return sampled{}, nil
	}
	own := make([]input.Bound, len(columns))
	for i, c := range columns {
		own[i] = input.Bound{Name: c.Name, Slot: i}
	}
	layout, err := in.Bind(own)
	if err != nil {
		return sampled{}, err
	}
	scanner, watch, vals := layout(input.NewFacts(), false), newWatch(own), make([]schema.Value, len(own))
	defer scanner.Close()
	bad := 0
	all, err := firstRows(ctx, in, func(file int, rec *input.Record) error {
		if len(watch.left) == 0 {
			return errEnough
		}
		of.rows++
		fault := rec.Bad
		if fault == nil {
			if _, err := scanner.Scan(file, rec.Offset, rec.Raw, vals); err != nil && !errors.As(err, &fault) {
				return err
			}
		}
		if fault == nil {
			watch.Look(rec.Raw, vals)
			return nil
		}
		if bad++; bad == 1 {
			at := rec.Position(in.Path(file), fault)
			of.unread = fmt.Sprintf("%v: %v", &at, fault)
		}
		return nil
	})
	if bad < of.rows {
		of.unread = ""
	} else if of.unread != "" {
		of.unread = fmt.Sprintf("none of the first %s can be read: %s", plural.Of(of.rows, "row"), of.unread)
	}
	for i := range columns {
		if watch.seen.lacking(i) {
			of.lacking = append(of.lacking, columns[i])
		}
	}
	if all {
		of.rows = 0
	}
	return of, err
}

var errEnough = errors.New("enough rows")

// firstRows calls visit for the first rows of an input, until that is errEnough or
// they are enough for a sample. all reports that there are no others.
func firstRows(ctx context.Context, in input.Input, visit func(file int, rec *input.Record) error) (all bool, err error) {
	rows, size := 0, 0
	for file := range in.Listing().Files {
		err := input.EachRow(ctx, in, file, func(rec *input.Record) error {
			if rows == sampleRows || size >= sampleBytes {
				return errEnough
			}
			rows++
			size += len(rec.Raw)
			return visit(file, rec)
		})
		switch {
		case errors.Is(err, errEnough):
			return false, nil
		case err != nil:
			return false, err
		}
	}
	return true, nil
}

// Lacking are the columns of the layout that no row has: of the source, of whose
// rows all was seen, or of side tables that are loaded.
func (l *Layout) Lacking(seen Seen) []Lack {
	var all []Lack
	for i, c := range l.bound {
		if seen.lacking(i) {
			all = append(all, Lack{Column: l.columns[c.Slot], Join: -1})
		}
	}
	for i := range l.joins {
		t := l.joins[i].table
		for _, name := range t.lacking {
			all = append(all, Lack{Column: t.join.Prefix + name, Join: l.joins[i].index})
		}
	}
	l.s.meant(all)
	return all
}

// mostMeant is for how many columns those that were meant are looked for.
const mostMeant = 20

// meant finds columns that were meant instead: near names, as far as the first
// rows can be read.
func (s *Source) meant(list []Lack) {
	keys := map[int]keyFinder{}
	for i := range list[:min(mostMeant, len(list))] {
		l := &list[i]
		in, prefix := s.Input, ""
		if l.Join >= 0 {
			in, prefix = s.joins[l.Join].in, s.joins[l.Join].join.Prefix
		}
		if _, there := keys[l.Join]; !there {
			keys[l.Join] = keysOf(in)
		}
		if near := keys[l.Join].nearest(l.Column[len(prefix):]); near != "" {
			l.Meant = prefix + near
		}
		if _, ok := s.columns.Find(l.Meant); l.Meant == "" || !ok || l.Meant == l.Column { // renamed
			if l.Meant = nearest.Of(l.Column, s.columns.Names()); strings.HasPrefix(l.Column, l.Meant+".") {
				l.Meant = "" // which is there: what it lacks is below
			}
		}
	}
}
