package rejects

import (
	"context"
	"encoding/json"
	"errors"
	"io"

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
	err = r.each(ctx, list[:1], func(_ *Entry, at input.Position, bad *schema.RowError) error {
		first = NewRowsError(at, bad)
		return nil
	})
	return first, err
}

// Write writes an entry for each of the rejects, and returns the error of the
// first. done is called for each.
func (r *Reader) Write(ctx context.Context, w io.Writer, list []Reject, done func()) (first *RowsError, err error) {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	err = r.each(ctx, list, func(e *Entry, at input.Position, bad *schema.RowError) error {
		if first == nil {
			first = NewRowsError(at, bad)
		}
		done()
		return out.Encode(e)
	})
	return first, err
}

// A visitor is given each reject with what is wrong with it.
type visitor func(*Entry, input.Position, *schema.RowError) error

// each reads the rows of list, which is in source order, once more. A file is read
// from its beginning: that gives the lines.
func (r *Reader) each(ctx context.Context, list []Reject, visit visitor) error {
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
func (r *Reader) ofFile(ctx context.Context, judge *Judge, list []Reject, visit visitor) error {
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

func (r *Reader) one(judge *Judge, at *Reject, rec *input.Record, visit visitor) error {
	src, local := r.Set.File(at.File)
	bad := rec.Bad
	if bad == nil {
		err := judge.Row(&rows.Row{File: at.File, Offset: at.Offset, Data: rec.Raw})
		switch {
		case err == nil:
			return r.Changed()
		case !errors.As(err, &bad):
			return err
		}
	}
	place := rec.Position(src.Path(local), bad)
	e := &Entry{
		Source: src.Number, Name: src.Spec().Name, Line: place.Line, Offset: at.Offset,
		Code: bad.Code, Column: bad.Column, Feature: bad.Feature, Message: bad.Message,
	}
	e.setFile(src.Listing().Files[local].Name)
	e.setRaw(rec.Raw, int(r.Set.Config.Limits.Record))
	return visit(e, place, bad)
}

// A Judge finds what is wrong with a row: what decides its place comes first. It
// belongs to one goroutine.
type Judge struct {
	chooser *rows.Chooser
	encoder *rows.Encoder
	buf     []byte
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

// Row is what is wrong with r, whose split it sets; nil if nothing is.
func (j *Judge) Row(r *rows.Row) error {
	_, err := j.Example(r)
	return err
}

// Example is r as an Example, until the next call, or what is wrong with it.
func (j *Judge) Example(r *rows.Row) ([]byte, error) {
	if r.Bad != "" {
		return nil, rows.BadCut(r.Bad)
	}
	var err error
	if r.Split, _, err = j.chooser.Choose(r); err != nil {
		return nil, err
	}
	j.buf, err = j.encoder.Append(j.buf[:0], r)
	return j.buf, err
}
