package pipeline

import (
	"context"

	"tfr-build/order"
	"tfr-build/schema"
	"tfr-build/sources"
)

// firstBadRow is the error of the first bad row. All rows before it were read
// and are good; it is read once more, in the one way that gives the same
// message whatever the way of the build.
func (j *job) firstBadRow(ctx context.Context) error {
	first, err := j.firstReject(ctx, []reject{{Place: j.first}})
	if err != nil {
		return err
	}
	if err := j.changed(); err != nil { // and that is why the row is bad
		return err
	}
	return first
}

// judge finds what is wrong with a row: what decides its place comes first.
func (j *job) judge(w *worker, r *row) error {
	if r.bad != "" {
		return cutBad(r.bad)
	}
	if err := j.settle(r); err != nil {
		return err
	}
	_, err := w.encode(nil, r)
	return err
}

// settle finds the split of a row that was come by in the order of its file.
func (j *job) settle(r *row) (err error) {
	f := &j.files[r.file]
	s, address := f.source, j.space.Address(r.file, r.offset)
	switch {
	case s.chooser != nil:
		reader := s.chooser.layout.NewReader()
		defer reader.Close()
		vals, err := reader.Read(f.local, r.data)
		if err == nil {
			r.split, _, err = j.choose(s, vals, address)
		}
		return err
	case s.cuts != nil:
		r.split = s.cuts.Split(order.SplitPoint(address))
	default:
		r.split = s.fixed
	}
	return nil
}

func rowsError(at sources.Place, bad *schema.RowError) *RowsError {
	return &RowsError{
		Path: at.Path, Line: at.Line, Col: at.Col,
		Text: bad.Message, Hint: bad.Hint, Code: bad.Code, Column: bad.Column, Feature: bad.Feature,
	}
}
