package pipeline

import (
	"context"
	"errors"
	"fmt"

	"tfr-build/internal/plural"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// An Example is a row that Try encoded.
type Example struct {
	Place   string // file, and line in a table
	Payload []byte
	Record  schema.Record // schema of the payload, with class names
}

// Try encodes the first n rows of the input and passes each to show. It returns the error of a build
// with only the first rows. It writes nothing.
func Try(ctx context.Context, cfg *config.Config, run Run, n int, show func(Example) error) error {
	j, err := prepare(ctx, cfg, &run)
	if err != nil {
		return err
	}
	defer j.close()
	if err := j.sampleWarned(ctx); err != nil {
		return err
	}
	j.run.warnAll(j.cfg.UnmovedCoordinates().Warnings())
	if err := j.set.LoadJoins(ctx); err != nil {
		return err
	}
	t := &try{job: j, left: n, show: show}
	if err := t.compare(ctx); err != nil {
		return err
	}
	if err := j.sampleMatches(ctx); err != nil {
		return err
	}
	if err := t.classes(ctx); err != nil {
		return err
	}
	t.checker = rejects.NewChecker(j.set)
	defer t.checker.Close()
	if j.set.Groups() {
		if err := t.showWindows(ctx); err != nil {
			return err
		}
		_, err = convertFirst(ctx, j, t)
		return err
	}
	for i := 0; i < j.set.Files() && t.left > 0; i++ {
		if err := t.showFile(ctx, i); err != nil {
			return err
		}
	}
	if n := t.reported - maxReported; n > 0 {
		run.warn("and " + plural.Of(n, "other invalid row"))
	}
	if n := t.duplicates - maxReported; n > 0 {
		run.inform("and " + plural.Of(n, "other duplicate"))
	}
	if t.skipped > 0 {
		run.inform(plural.Of(t.skipped, "row") + " skipped by rules of the config")
	}
	if _, err = convertFirst(ctx, j, t); err == nil && t.first != nil {
		return t.first
	}
	return err
}

// A try shows rows until it has shown enough.
type try struct {
	job      *job
	checker  *rejects.Checker
	left     int // number of rows still to show
	reported int // number of reported invalid rows

	invalid int        // invalid rows that make a build fail
	first   *RowsError // the first of them; it may be after the rows that convertFirst looks at

	skipped int // rows that other rules of the config skip
	show    func(Example) error

	found  int64         // all rows, once the class names are known
	counts []plan.Source // those that rules skip, by source

	duplicates int               // rows that dedupe skips
	stays      map[uint64]uint64 // by position of a duplicate: the row that stays
	names      map[uint64]string // of rows that stay and were read, by position
}

// compare compares the first rows.
func (t *try) compare(ctx context.Context) error {
	if err := t.job.compareFirst(ctx); err != nil || t.job.set.Duplicates() == nil {
		return err
	}
	t.stays, t.names = map[uint64]uint64{}, map[uint64]string{}
	return t.job.set.Duplicates().Each(func(skipped, stays uint64) error {
		t.stays[skipped] = stays
		t.names[stays] = ""
		return nil
	})
}

// reportDuplicate reports a row that dedupe skips, if the row is one.
func (t *try) reportDuplicate(position uint64, name string) (is bool) {
	stays, is := t.stays[position]
	if !is {
		return false
	}
	if t.duplicates++; t.duplicates > maxReported {
		return true
	}
	other := t.names[stays]
	if other == "" { // a later row, which is in a split that dedupe prefers
		file, offset := t.job.set.Sequence.Locate(stays)
		if other = t.job.set.Path(file); offset > 0 {
			other += fmt.Sprintf(", byte %d", offset)
		}
	}
	t.job.run.inform(name + ": skipped by dedupe: equal to " + other)
	return true
}

// classes collects the names of `classes: auto`.
func (t *try) classes(ctx context.Context) error {
	if len(t.job.set.Classes.Auto()) == 0 {
		return nil
	}
	names, lacking, err := t.job.vocabulary(func(visit func(int, *rows.Row) error) error { return t.eachWithSplit(ctx, visit) })
	switch {
	case err != nil:
		return err
	case lacking == nil:
		return t.job.set.SetClasses(names)
	}
	if err := t.job.noRowsLeft(t.found, skippedBy(t.counts)); err != nil {
		return err
	}
	return t.noClassesError(ctx, lacking.At)
}

// noClassesError returns the error of `classes: auto` without a class. If a row is invalid, it
// names the first one.
func (t *try) noClassesError(ctx context.Context, at string) error {
	checker := rejects.NewChecker(t.job.set)
	defer checker.Close()
	var first *RowsError
	for i := 0; i < t.job.set.Files() && first == nil; i++ {
		src, local := t.job.set.File(i)
		err := input.EachRow(ctx, src, local, func(rec *input.Record) error {
			r := rows.Of(i, rec)
			if _, _, err := checker.Example(&r); err != nil {
				if first, err = invalidRow(src.Path(local), rec, err); err == nil {
					err = errEnough
				}
				return err
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			return err
		}
	}
	if first != nil && !t.job.tolerant() {
		return first
	}
	return t.job.autoError(ctx, at, first)
}

// eachWithSplit calls visit for each row that has a split.
func (t *try) eachWithSplit(ctx context.Context, visit func(int, *rows.Row) error) error {
	chooser := t.job.set.NewChooser()
	defer chooser.Close()
	t.counts = make([]plan.Source, len(t.job.set.Sources))
	defer func() { chooser.AddSkipped(t.counts) }()
	for i := range t.job.set.Files() {
		src, local := t.job.set.File(i)
		err := input.EachRow(ctx, src, local, func(rec *input.Record) error {
			t.found++
			r := rows.Of(i, rec)
			var err error
			if r.Split, _, err = chooser.Choose(&r); r.Bad != "" || err != nil || r.Split == rows.Skipped {
				return nil // showFile will report the row
			}
			return visit(0, &r)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// maxReported is the largest number of invalid rows that are reported.
const maxReported = 20

var errEnough = errors.New("enough rows")

// showFile shows rows of a file, and reports invalid ones.
func (t *try) showFile(ctx context.Context, file int) error {
	src, local := t.job.set.File(file)
	err := input.EachRow(ctx, src, local, func(rec *input.Record) error {
		r := rows.Of(file, rec)
		payload, kept, err := t.checker.Example(&r)
		place, position := placeOf(src.Path(local), rec), t.job.set.Sequence.Position(file, r.Offset)
		if _, stays := t.names[position]; stays {
			t.names[position] = place
		}
		switch {
		case err != nil:
			return t.reportInvalid(src.Path(local), rec, err)
		case !kept && t.reportDuplicate(position, place):
			return nil
		case !kept:
			t.skipped++
			return nil
		}
		if err := t.show(Example{place, payload, src.Schema.Record()}); err != nil {
			return err
		}
		if t.left--; t.left == 0 {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return err
}

// placeOf returns the file of a row, with its line in a table.
func placeOf(path string, rec *input.Record) string {
	switch {
	case rec.Binary:
		at := rec.Position(path, nil)
		return at.String()
	case rec.Line > 0:
		return fmt.Sprintf("%s:%d", path, rec.Line)
	}
	return path
}

// showWindows shows records of the groups of the first rows. Invalid rows are reported later, when all
// these rows are converted.
func (t *try) showWindows(ctx context.Context) error {
	windows, err := firstWindows(ctx, t.job, rejects.NewLog(true))
	if err != nil {
		return err
	}
	encoder := t.job.set.NewEncoder()
	defer encoder.Close()
	var payload []byte
	for i := range windows {
		r := &windows[i]
		payload, err = encoder.Append(payload[:0], r)
		if _, ok := errors.AsType[*rows.RecordError](err); ok {
			continue
		}
		if err != nil {
			return err
		}
		win := t.job.set.Window(r)
		first := t.job.set.GroupRow(win.Group, win.From, win.Split)
		src, local := t.job.set.File(first.File)
		place := fmt.Sprintf("%s, %s", src.Path(local), plural.Of(win.To-win.From, "row"))
		if err := t.show(Example{place, payload, src.Schema.Record()}); err != nil {
			return err
		}
		if t.left--; t.left == 0 {
			break
		}
	}
	return nil
}

// reportInvalid reports the error of a row with its position. If an invalid row makes a build fail, it
// keeps the first error, and returns errEnough after many of them.
func (t *try) reportInvalid(path string, rec *input.Record, err error) error {
	at, err := invalidRow(path, rec, err)
	switch {
	case err != nil:
		return err
	case !t.job.tolerant(): // convertFirst returns the error, with all kinds of the first rows
		if t.first == nil {
			t.first = at
		}
		if t.invalid++; t.invalid == maxReported {
			t.left = 0
			return errEnough
		}
		return nil
	}
	if t.reported++; t.reported <= maxReported {
		t.job.run.reportRow(at)
	}
	return nil
}

// invalidRow returns the error of a row with its position. If err is another error, it returns
// err.
func invalidRow(path string, rec *input.Record, err error) (*RowsError, error) {
	bad := rec.Bad
	if bad == nil && !errors.As(err, &bad) {
		return nil, err
	}
	return rejects.NewRowsError(rec.Position(path, bad), bad), nil
}
