package rejects

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"tfr-build/internal/order"
	"tfr-build/internal/plural"
	"tfr-build/pipeline/rows"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A Reader reads rejected rows again to find their error messages.
type Reader struct {
	Set     *rows.Set
	Changed func() error // returns the error for a row that is now valid: the input changed

	others map[order.Position]input.Position // by position of a row that causes an error: where it is, for people
}

// First returns the error of the first reject that is invalid itself. list must not be empty.
func (r *Reader) First(ctx context.Context, list []Reject) (first *RowsError, err error) {
	i := firstCause(list)
	err = r.each(ctx, list[i:i+1], func(row *invalidRow) error {
		first = row.error(row.errs[0])
		return nil
	})
	return first, err
}

// firstCause returns the index of the first reject that is invalid itself, and not by another row of
// its group; 0 if all rejects are.
func firstCause(list []Reject) int {
	return max(0, slices.IndexFunc(list, func(r Reject) bool { return r.Code != rows.GroupRow }))
}

// maxKinds is the largest number of kinds of errors in a message.
const maxKinds = 20

// Kinds returns the error that made a build fail: the first row of each kind, in source order. The
// second result says why the rows could not be read again.
func (r *Reader) Kinds(ctx context.Context, groups []Group) (described, err error) {
	var list []Reject
	kinds := groups[:min(len(groups), maxKinds)]
	for _, k := range kinds {
		if n := len(list); n == 0 || list[n-1].Position != k.First {
			list = append(list, Reject{Position: k.First, Cause: k.cause, Code: k.Kind.Code})
		}
	}
	var all []error
	err = r.each(ctx, list, func(row *invalidRow) error {
		for ; len(kinds) > 0 && kinds[0].First == row.at.Position; kinds = kinds[1:] {
			i := slices.IndexFunc(row.errs, func(bad *schema.RowError) bool { return kindOf(bad) == kinds[0].Kind })
			if i < 0 {
				return r.Changed()
			}
			one := row.error(row.errs[i])
			if n := kinds[0].Rows; n > 1 {
				one.Rows = n
			}
			one.Text += kinds[0].Text()
			all = append(all, one)
		}
		return nil
	})
	switch n := len(groups) - maxKinds; {
	case err != nil:
		return nil, err
	case n > 0:
		all = append(all, fmt.Errorf("and %s of rows", plural.Of(n, "other error")))
	case len(all) == 1:
		return all[0], nil
	}
	return errors.Join(all...), nil
}

// Write writes an entry for each reject, and returns the error of the one that First names. It calls
// done for each reject.
func (r *Reader) Write(ctx context.Context, w io.Writer, list []Reject, done func()) (first *RowsError, err error) {
	out, shown := newLineWriter(w), &list[firstCause(list)]
	err = r.each(ctx, list, func(row *invalidRow) error {
		if row.at == shown {
			first = row.error(row.errs[0])
		}
		done()
		return out.write(r.entry(row), row.text(), int(r.Set.Config.Limits.Record))
	})
	return first, err
}

// An invalidRow is a row that was read again, with its errors.
type invalidRow struct {
	at   *Reject
	rec  *input.Record
	path string
	errs []*schema.RowError // at least one

	message string // of the entry, if the error has another one
}

func (r *invalidRow) error(bad *schema.RowError) *RowsError {
	return NewRowsError(r.rec.Position(r.path, bad), bad)
}

// each reads the rows of list again, which is in source order. It reads each file from its
// beginning, to know the line numbers.
func (r *Reader) each(ctx context.Context, list []Reject, visit func(*invalidRow) error) error {
	others, err := r.findOthers(ctx, list)
	if err != nil {
		return err
	}
	r.others = others
	checker := NewChecker(r.Set)
	defer checker.Close()
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].File == list[0].File {
			n++
		}
		if err := r.readFile(ctx, checker, list[:n], visit); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// findOthers finds the rows that the causes of rejects name.
func (r *Reader) findOthers(ctx context.Context, list []Reject) (map[order.Position]input.Position, error) {
	var others []order.Position
	for i := range list {
		if cause, ok := rows.ParseCause([]byte(list[i].Cause)); ok {
			if cause.Other.File < 0 || cause.Other.File >= r.Set.Files() {
				return nil, r.Changed()
			}
			others = append(others, cause.Other)
		}
	}
	slices.SortFunc(others, comparePositions)
	others = slices.Compact(others)
	found := map[order.Position]input.Position{}
	for len(others) > 0 {
		n := 1
		for n < len(others) && others[n].File == others[0].File {
			n++
		}
		if err := r.findInFile(ctx, others[:n], found); err != nil {
			return nil, err
		}
		others = others[n:]
	}
	return found, nil
}

// findInFile is findOthers for one file.
func (r *Reader) findInFile(ctx context.Context, list []order.Position, found map[order.Position]input.Position) error {
	src, local := r.Set.File(list[0].File)
	all, err := src.Rows(local)
	if err != nil {
		return err
	}
	defer all.Close()
	for _, at := range list {
		rec, err := input.Seek(ctx, all, src.Path(local), at.Offset)
		if err != nil {
			return err
		}
		found[at] = rec.Position(src.Path(local), &schema.RowError{At: -1})
	}
	return nil
}

// readFile is each for the rows of one file.
func (r *Reader) readFile(ctx context.Context, checker *Checker, list []Reject, visit func(*invalidRow) error) error {
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
		if err := r.check(checker, &list[i], rec, visit); err != nil {
			return err
		}
	}
	return nil
}

// check finds the errors of one row, and calls visit.
func (r *Reader) check(checker *Checker, at *Reject, rec *input.Record, visit func(*invalidRow) error) error {
	src, local := r.Set.File(at.File)
	row := &invalidRow{at: at, rec: rec, path: src.Path(local)}
	if cause, ok := rows.ParseCause([]byte(at.Cause)); ok {
		text, other := cause.Text+" is ", r.others[cause.Other]
		cause.Text = text + other.String()
		row.errs = []*schema.RowError{rows.NewGroupError(at.Code, cause).RowError}
		other.Path = r.Set.Origin(cause.Other.File).File // as the entry names its own file: it is the same on every machine
		row.message = text + other.String()
		return visit(row)
	}
	if rec.Bad != nil {
		row.errs = []*schema.RowError{rec.Bad}
		return visit(row)
	}
	err := checker.EachError(&rows.Row{File: at.File, Offset: at.Offset, Data: rec.Raw}, func(bad *schema.RowError) {
		row.errs = append(row.errs, bad)
	})
	switch {
	case err != nil:
		return err
	case row.errs == nil:
		return r.Changed()
	}
	return visit(row)
}

// text returns the text of the row in its file, without the line end.
func (r *invalidRow) text() []byte {
	if r.rec.Binary {
		return r.rec.Raw
	}
	return bytes.TrimRight(r.rec.Raw, "\r\n")
}

// entry returns the entry of a row, without its text.
func (r *Reader) entry(row *invalidRow) *Entry {
	bad := row.errs[0]
	message := cmp.Or(row.message, bad.Message)
	return &Entry{
		Origin: r.Set.Origin(row.at.File), Line: row.rec.Position(row.path, bad).Line, Offset: row.at.Offset,
		Code: bad.Code, Column: bad.Column, Feature: bad.Feature, Message: message,
	}
}

// A Checker finds the errors of a row. Errors of its split and key come first. One goroutine may
// use it at a time.
type Checker struct {
	chooser *rows.Chooser
	encoder *rows.Encoder
	buf     []byte
	chosen  bool // the last row has a split
}

// NewChecker returns a checker of the rows of set. Close it.
func NewChecker(set *rows.Set) *Checker {
	return &Checker{chooser: set.NewChooser(), encoder: set.NewEncoder()}
}

// Close closes the files that the readers have open.
func (c *Checker) Close() {
	c.chooser.Close()
	c.encoder.Close()
}

// EachError calls visit for each error of r, and sets the split of r. Its error is any other error.
func (c *Checker) EachError(r *rows.Row, visit func(*schema.RowError)) error {
	var bad *schema.RowError
	switch _, _, err := c.Example(r); {
	case err == nil:
		return nil
	case !errors.As(err, &bad):
		return err
	case c.chosen:
		c.encoder.EachError(visit)
	default:
		visit(bad)
	}
	return nil
}

// Example returns the record of r, which is valid until the next call, or the error of r. kept is
// false if `where` or `sample` skips r.
func (c *Checker) Example(r *rows.Row) (payload []byte, kept bool, err error) {
	c.chosen = false
	if r.Split, _, err = c.chooser.Choose(r); err != nil {
		return nil, true, err
	}
	if r.Split == rows.Skipped {
		return nil, false, nil
	}
	if r.Bad != "" {
		return nil, true, rows.BadCut(r.Bad)
	}
	c.chosen = true
	c.buf, err = c.encoder.Append(c.buf[:0], r)
	return c.buf, true, err
}
