package rows

import (
	"bytes"
	"errors"

	"tfr-build/schema"
)

// A validity says what is known of a row.
type validity uint8

const (
	notChecked validity = iota
	isValid
	isInvalid
)

// IsInvalid reports whether an error is of a row, which is then invalid.
func IsInvalid(err error) bool {
	_, ok := errors.AsType[*schema.RowError](err)
	return ok
}

// A RecordError is the error of a record: one of its rows is invalid.
type RecordError struct {
	Row int // in its group
	Err error
}

func (e *RecordError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the row.
func (e *RecordError) Unwrap() error { return e.Err }

// Code returns the error code of the row.
func (e *RecordError) Code() string {
	var bad *schema.RowError
	errors.As(e.Err, &bad)
	return bad.Code
}

// hasSame reports whether a row has valid values for all features that must be equal.
func (g *groupEncoder) hasSame(src *Source, vals []schema.Value) bool {
	for i := range src.record.same {
		if _, err := g.encodeOne(&src.record.same[i], g.same[g.first[src.Number]+i], vals, 0); err != nil {
			return false
		}
	}
	return true
}

// check compares a row with the reference of its group, and converts the features that any row may
// have to give.
func (g *groupEncoder) check(r *Row, row int, vals []schema.Value) error {
	src, _ := g.e.set.File(r.File)
	l := src.record
	if g.ref.row >= 0 && row != g.ref.row {
		if err := g.compare(r, src, vals); err != nil {
			return err
		}
	}
	for i := range l.taken {
		if _, err := g.encodeOne(&l.taken[i], g.same[g.first[src.Number]+len(l.same)+i], vals, 0); err != nil {
			return g.e.reject(src, r, nil, err)
		}
	}
	return nil
}

// compare compares the features that must be equal.
func (g *groupEncoder) compare(r *Row, src *Source, vals []schema.Value) error {
	other, _ := g.e.set.File(g.ref.place.File)
	for i := range src.record.same {
		mine, theirs := &src.record.same[i], &other.record.same[i]
		// Most rows are equal as they are. Others may be stored alike, as 1 and 1.0.
		equal := src == other
		for k, slot := range mine.slots {
			equal = equal && sameAs(&vals[slot], &g.ref.vals[theirs.slots[k]])
		}
		if equal {
			continue
		}
		a, err := g.encodeOne(mine, g.same[g.first[src.Number]+i], vals, 0)
		if err != nil {
			return g.e.reject(src, r, nil, err)
		}
		b, err := g.encodeOne(theirs, g.same[g.first[other.Number]+i], g.ref.vals, 1)
		if err != nil {
			return err
		}
		if bytes.Equal(a, b) {
			continue
		}
		return g.e.reject(src, r, nil, NewGroupError(GroupDiffers, GroupCause{
			Other: g.ref.place, Feature: mine.feature.Key, Text: "found " + g.shown(mine, vals) +
				" and " + g.shown(theirs, g.ref.vals) +
				" in one group, which has one value unless take says which; the other row",
		}))
	}
	return nil
}

// shown returns the first value of a feature for a message.
func (g *groupEncoder) shown(of *rowFeature, vals []schema.Value) string {
	if len(of.slots) > 0 {
		if text, ok := vals[of.slots[0]].AsText(nil); ok {
			return schema.Quote(text)
		}
		if vals[of.slots[0]].Kind == schema.Missing {
			return "no value"
		}
	}
	return "another value"
}

// encodeOne encodes a feature of one row.
func (g *groupEncoder) encodeOne(of *rowFeature, encoder *schema.Encoder, vals []schema.Value, buf int) ([]byte,
	error) {
	g.one = g.one[:0]
	for _, slot := range of.slots {
		g.one = append(g.one, vals[slot])
	}
	var err error
	g.bufs[buf], err = encoder.Append(g.bufs[buf][:0], g.one)
	return g.bufs[buf], err
}

// notOfRow is the error of a record whose rows are valid.
type notOfRow struct{ text string }

func (e notOfRow) Error() string { return e.text }

// atStep adds to the error of a row its position in the record, if the error may depend on it.
func (g *groupEncoder) atStep(w *Window, row int, err error) error {
	var bad *schema.RowError
	if !g.e.set.ReadsStep() || !errors.As(err, &bad) || errors.As(err, new(*GroupError)) {
		return err
	}
	r := w.Row(row)
	return &GroupError{bad, GroupCause{Other: r.Locator(), Step: row - w.From, Steps: w.To - w.From}}
}

func rowOfRecord(row int, err error) error {
	if !IsInvalid(err) {
		return err
	}
	return &RecordError{row, err}
}

// checkRow returns the error of a row of a group; nil if the row is valid.
func (g *groupEncoder) checkRow(w *Window, row int) error {
	r := w.Row(row)
	vals, err := g.read(&r, row-w.From, w.To-w.From, false)
	if err == nil {
		err = g.check(&r, row, vals)
	}
	if err == nil {
		_, err = g.appendAlone(nil, &r, vals, 1)
	}
	return g.atStep(w, row, err)
}

// CheckRow returns the error of a row of the group of the record that Append rejected last; nil if the
// row is valid. EachError visits the errors of that row.
func (e *Encoder) CheckRow(w *Window, row int) error { return e.group.checkRow(w, row) }

// IsValidRow reports whether a row of a window is valid. The window is in the group of the record that Append rejected
// last.
func (e *Encoder) IsValidRow(w *Window, row int) (bool, error) {
	g := e.group
	if len(g.valid) == 0 {
		g.valid = append(g.valid, make([]validity, w.Rows())...)
	}
	if g.valid[row] == notChecked || e.set.ReadsStep() {
		var err error
		if g.valid[row], err = validityOf(g.checkRow(w, row)); err != nil {
			return false, err
		}
	}
	return g.valid[row] == isValid, nil
}

// IsValidWindow reports whether all rows of a window are valid. The window is in the group of the record that Append
// rejected last.
func (e *Encoder) IsValidWindow(w *Window) (bool, error) {
	g := e.group
	if len(g.whole) == 0 {
		g.whole = append(g.whole, make([]validity, w.Windows())...)
	}
	whole := &g.whole[w.Number]
	if *whole == notChecked {
		*whole = isValid
		for i := w.From; i < w.To && *whole == isValid; i++ {
			switch ok, err := e.IsValidRow(w, i); {
			case err != nil:
				*whole = notChecked
				return false, err
			case !ok:
				*whole = isInvalid
			}
		}
	}
	return *whole == isValid, nil
}

// validityOf returns what an error says of a row; the second result is any other error.
func validityOf(err error) (validity, error) {
	switch {
	case err == nil:
		return isValid, nil
	case IsInvalid(err):
		return isInvalid, nil
	}
	return notChecked, err
}
