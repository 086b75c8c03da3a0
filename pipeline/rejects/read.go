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
	Memory  int64        // bytes for the positions of other rows, which rejects of groups name

	others []otherRow // that the next rejects name, in source order
}

// First returns the error of the first reject that is invalid itself. list must not be empty.
func (r *Reader) First(ctx context.Context, list *List) (first *RowsError, err error) {
	err = r.each(ctx, NewList(firstCause(list)), func(row *invalidRow) error {
		first = row.error(row.errs[0])
		return nil
	})
	return first, err
}

// firstCause returns the first reject that is invalid itself, and not by another row of its group; the
// first one if all rejects are.
func firstCause(list *List) (first Reject) {
	for r := range list.All() {
		if r.Code != rows.GroupRow {
			return r.clone()
		}
		if first.Code == "" {
			first = r.clone()
		}
	}
	return first
}

// maxKinds is the largest number of kinds of errors in a message.
const maxKinds = 20

// Kinds returns the error that made a build fail: the first row of each kind, in source order. The
// second result says why the rows could not be read again.
func (r *Reader) Kinds(ctx context.Context, groups []Group) (described, err error) {
	list := &List{}
	kinds := groups[:min(len(groups), maxKinds)]
	for i, k := range kinds {
		if i == 0 || kinds[i-1].First != k.First {
			list.Add(Reject{Position: k.First, Cause: k.cause, Code: k.Kind.Code})
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
func (r *Reader) Write(ctx context.Context, w io.Writer, list *List, done func()) (first *RowsError, err error) {
	out, shown := newLineWriter(w), firstCause(list)
	err = r.each(ctx, list, func(row *invalidRow) error {
		if row.at.Position == shown.Position {
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
	src  *rows.Source
	file int                // in the source
	errs []*schema.RowError // at least one

	message string // of the entry, if the error has another one
}

func (r *invalidRow) error(bad *schema.RowError) *RowsError {
	return NewRowsError(r.rec.Position(r.src.PathOf(r.file, bad.Column), bad), bad)
}

// each reads the rows of list again, in source order. It reads each file from its beginning, to know
// the line numbers.
func (r *Reader) each(ctx context.Context, list *List, visit func(*invalidRow) error) error {
	checker := NewChecker(r.Set)
	defer checker.Close()
	file := fileReader{set: r.Set}
	defer file.close()
	ahead, known := newMerge(list.Runs()), int64(0)
	for at := range list.All() {
		if known == 0 {
			var err error
			if known, err = r.findOthers(ctx, ahead); err != nil {
				return err
			}
		}
		known--
		rec, err := file.seek(ctx, at.Position)
		if err != nil {
			return err
		}
		if err := r.check(checker, at, rec, visit); err != nil {
			return err
		}
	}
	return nil
}

// A fileReader reads rows in source order.
type fileReader struct {
	set  *rows.Set
	file int
	rows input.Rows // nil before the first row
}

// seek returns the row at a position after those before.
func (f *fileReader) seek(ctx context.Context, at order.Position) (*input.Record, error) {
	src, local := f.set.File(at.File)
	if f.rows == nil || f.file != at.File {
		f.close()
		var err error
		if f.rows, err = src.Rows(local); err != nil {
			return nil, err
		}
		f.file = at.File
	}
	return input.Seek(ctx, f.rows, src.Path(local), at.Offset)
}

func (f *fileReader) close() {
	if f.rows != nil {
		_ = f.rows.Close()
		f.rows = nil
	}
}

// An otherRow is a row that causes the error of a row in its group, and where it is for people.
type otherRow struct {
	at                   order.Position
	line, before, number int64 // see input.Record
	binary, row          bool
}

// otherSize is the memory for an otherRow, in bytes.
const otherSize = 48

func (o *otherRow) compare(at order.Position) int { return comparePositions(o.at, at) }

// findOthers finds the rows that the next rejects name, as many as fit the memory. It returns the number
// of these rejects.
func (r *Reader) findOthers(ctx context.Context, next *merge) (n int64, err error) {
	r.others = r.others[:0]
	most := max(1000, int(r.Memory/otherSize))
	for at := next.first(); at != nil; at = next.next() {
		if len(r.others) >= most {
			if r.sortOthers(); len(r.others) > most/2 {
				break
			}
		}
		if n++; at.Cause == nil || at.Cause.Steps > 0 {
			continue
		}
		if at.Cause.Other.File < 0 || at.Cause.Other.File >= r.Set.Files() {
			return 0, r.Changed()
		}
		r.others = append(r.others, otherRow{at: at.Cause.Other})
	}
	r.sortOthers()
	file := fileReader{set: r.Set}
	defer file.close()
	for i := range r.others {
		o := &r.others[i]
		rec, err := file.seek(ctx, o.at)
		if err != nil {
			return 0, err
		}
		o.line, o.before, o.number, o.binary, o.row = rec.Line, rec.Before, rec.Number, rec.Binary, rec.Row
	}
	return n, nil
}

// sortOthers sorts the other rows, each once.
func (r *Reader) sortOthers() {
	slices.SortFunc(r.others, func(a, b otherRow) int { return a.compare(b.at) })
	r.others = slices.CompactFunc(r.others, func(a, b otherRow) bool { return a.at == b.at })
}

// other returns where an other row is, which findOthers has found.
func (r *Reader) other(at order.Position) input.Position {
	i, _ := slices.BinarySearchFunc(r.others, at, func(o otherRow, at order.Position) int { return o.compare(at) })
	o, rec := &r.others[i], input.Record{Offset: at.Offset}
	rec.Line, rec.Before, rec.Number, rec.Binary, rec.Row = o.line, o.before, o.number, o.binary, o.row
	src, local := r.Set.File(at.File)
	return rec.Position(src.Path(local), &schema.RowError{At: -1})
}

// check finds the errors of one row, and calls visit.
func (r *Reader) check(checker *Checker, at *Reject, rec *input.Record, visit func(*invalidRow) error) error {
	src, local := r.Set.File(at.File)
	row := &invalidRow{at: at, rec: rec, src: src, file: local}
	if at.Cause != nil && at.Cause.Steps == 0 {
		cause := *at.Cause
		text, other := cause.Text+" is ", r.other(cause.Other)
		cause.Text = text + other.String()
		row.errs = []*schema.RowError{rows.NewGroupError(at.Code, cause).RowError}
		// as the entry names its own file: it is the same on every machine
		other.Path = r.Set.Origin(cause.Other.File).File
		row.message = text + other.String()
		return visit(row)
	}
	if rec.Bad != nil {
		row.errs = []*schema.RowError{rec.Bad}
		return visit(row)
	}
	if at.Cause != nil {
		checker.encoder.SetStep(at.Cause.Step, at.Cause.Steps)
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
		Origin: r.Set.Origin(row.at.File), Line: row.rec.Position("", bad).Line, Offset: row.at.Offset,
		Code: bad.Code, Column: bad.Column, Feature: bad.Feature, Message: message,
	}
}

// A Checker finds the errors of a row. Errors of its split and key come first. One goroutine may
// use it at a time.
type Checker struct {
	set     *rows.Set
	chooser *rows.Chooser
	encoder *rows.Encoder
	buf     []byte
}

// NewChecker returns a checker of the rows of set. Close it.
func NewChecker(set *rows.Set) *Checker {
	return &Checker{set: set, chooser: set.NewChooser(), encoder: set.NewEncoder()}
}

// Close closes the files that the readers have open.
func (c *Checker) Close() {
	c.chooser.Close()
	c.encoder.Close()
}

// EachError calls visit for each error of r, and sets the split of r. Its error is any other error.
func (c *Checker) EachError(r *rows.Row, visit func(*schema.RowError)) (err error) {
	defer c.set.LocatePanic(&r)
	encoded := false
	of, err := c.chooser.Choose(r)
	r.Split = of.Split
	switch {
	case err == nil && r.Split == rows.Skipped:
		return nil
	case err == nil && r.Bad != "":
		err = rows.BadCut(r.Bad)
	case err == nil:
		encoded = true
		c.buf, err = c.encoder.Append(c.buf[:0], r)
	}
	var bad *schema.RowError
	switch {
	case err == nil:
	case !errors.As(err, &bad):
		return err
	case encoded:
		c.encoder.EachError(visit)
	default:
		visit(bad)
	}
	return nil
}
