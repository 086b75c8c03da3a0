package rejects

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"tfr-build/internal/plural"
	"tfr-build/pipeline/rows"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A Reader reads rejected rows again, for what is wrong with them.
type Reader struct {
	Set     *rows.Set
	Changed func() error // the error of a row that turns out to be good
}

// First is the error of the first of the rejects, of which there is one at least.
func (r *Reader) First(ctx context.Context, list []Reject) (first *RowsError, err error) {
	err = r.each(ctx, list[:1], func(row *badRow) error {
		first = row.error(row.faults[0])
		return nil
	})
	return first, err
}

// maxKinds is how many kinds of faults are told at once.
const maxKinds = 20

// Kinds is the error of what ended a run: the first row of each kind, in source
// order.
func (r *Reader) Kinds(ctx context.Context, tallies []Tally) (told, err error) {
	var list []Reject
	kinds := tallies[:min(len(tallies), maxKinds)]
	for _, k := range kinds {
		if n := len(list); n == 0 || list[n-1].Place != k.First {
			list = append(list, Reject{Place: k.First})
		}
	}
	var all []error
	err = r.each(ctx, list, func(row *badRow) error {
		for ; len(kinds) > 0 && kinds[0].First == row.at.Place; kinds = kinds[1:] {
			i := slices.IndexFunc(row.faults, func(bad *schema.RowError) bool { return kindOf(bad) == kinds[0].Kind })
			if i < 0 {
				return r.Changed()
			}
			one := row.error(row.faults[i])
			if n := kinds[0].Rows; n > 1 {
				one.Rows = n
			}
			one.Text += kinds[0].Text()
			all = append(all, one)
		}
		return nil
	})
	switch n := len(tallies) - maxKinds; {
	case err != nil:
		return nil, err
	case n > 0:
		all = append(all, fmt.Errorf("and %s of rows", plural.Of(n, "other fault")))
	case len(all) == 1:
		return all[0], nil
	}
	return errors.Join(all...), nil
}

// Write writes an entry for each of the rejects, and returns the error of the
// first. done is called for each.
func (r *Reader) Write(ctx context.Context, w io.Writer, list []Reject, done func()) (first *RowsError, err error) {
	out := newLineWriter(w)
	err = r.each(ctx, list, func(row *badRow) error {
		if first == nil {
			first = row.error(row.faults[0])
		}
		done()
		return out.write(r.entry(row), row.text(), int(r.Set.Config.Limits.Record))
	})
	return first, err
}

// A badRow is a row that was read again, with what is wrong with it.
type badRow struct {
	at     *Reject
	rec    *input.Record
	path   string
	faults []*schema.RowError // one at least
}

func (b *badRow) error(bad *schema.RowError) *RowsError {
	return NewRowsError(b.rec.Position(b.path, bad), bad)
}

// each reads the rows of list, which is in source order, once more. A file is read
// from its beginning: that gives the lines.
func (r *Reader) each(ctx context.Context, list []Reject, visit func(*badRow) error) error {
	judge := NewJudge(r.Set)
	defer judge.Close()
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].File == list[0].File {
			n++
		}
		if err := r.ofFile(ctx, judge, list[:n], visit); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// ofFile is each for the rows of one file.
func (r *Reader) ofFile(ctx context.Context, judge *Judge, list []Reject, visit func(*badRow) error) error {
	src, local := r.Set.File(list[0].File)
	found, err := src.Rows(local)
	if err != nil {
		return err
	}
	defer found.Close()
	for i := range list {
		rec, err := input.Seek(ctx, found, src.Path(local), list[i].Offset)
		if err != nil {
			return err
		}
		if err := r.one(judge, &list[i], rec, visit); err != nil {
			return err
		}
	}
	return nil
}

func (r *Reader) one(judge *Judge, at *Reject, rec *input.Record, visit func(*badRow) error) error {
	src, local := r.Set.File(at.File)
	row := &badRow{at: at, rec: rec, path: src.Path(local)}
	if rec.Bad != nil {
		row.faults = []*schema.RowError{rec.Bad}
		return visit(row)
	}
	err := judge.Faults(&rows.Row{File: at.File, Offset: at.Offset, Data: rec.Raw}, func(bad *schema.RowError) {
		row.faults = append(row.faults, bad)
	})
	switch {
	case err != nil:
		return err
	case row.faults == nil:
		return r.Changed()
	}
	return visit(row)
}

// text is what the file has of the row.
func (b *badRow) text() []byte {
	if b.rec.Binary {
		return b.rec.Raw
	}
	return bytes.TrimRight(b.rec.Raw, "\r\n")
}

// entry is a row as a line of the file, without its text.
func (r *Reader) entry(row *badRow) *Entry {
	src, local := r.Set.File(row.at.File)
	bad := row.faults[0]
	e := &Entry{
		Source: src.Number, Name: src.Spec().Name, Line: row.rec.Position(row.path, bad).Line, Offset: row.at.Offset,
		Code: bad.Code, Column: bad.Column, Feature: bad.Feature, Message: bad.Message,
	}
	e.setFile(src.Listing().Files[local].Name)
	return e
}

// A Judge finds what is wrong with a row: what decides its place comes first. It
// belongs to one goroutine.
type Judge struct {
	chooser *rows.Chooser
	encoder *rows.Encoder
	buf     []byte
	chosen  bool // the last row has a split
}

// NewJudge returns a judge of the rows of set.
func NewJudge(set *rows.Set) *Judge {
	return &Judge{chooser: set.NewChooser(), encoder: set.NewEncoder()}
}

// Close gives back what the readers hold open.
func (j *Judge) Close() {
	j.chooser.Close()
	j.encoder.Close()
}

// Faults calls visit for all that is wrong with r, whose split it sets.
func (j *Judge) Faults(r *rows.Row, visit func(*schema.RowError)) error {
	var bad *schema.RowError
	switch _, _, err := j.Example(r); {
	case err == nil:
		return nil
	case !errors.As(err, &bad):
		return err
	case j.chosen:
		j.encoder.Faults(visit)
	default:
		visit(bad)
	}
	return nil
}

// Example is r as an Example, until the next call, or what is wrong with it; kept is false
// of a row that the config leaves out.
func (j *Judge) Example(r *rows.Row) (payload []byte, kept bool, err error) {
	j.chosen = false
	if r.Split, _, err = j.chooser.Choose(r); err != nil {
		return nil, true, err
	}
	if r.Split == rows.LeftOut {
		return nil, false, nil
	}
	if r.Bad != "" {
		return nil, true, rows.BadCut(r.Bad)
	}
	j.chosen = true
	j.buf, err = j.encoder.Append(j.buf[:0], r)
	return j.buf, true, err
}
