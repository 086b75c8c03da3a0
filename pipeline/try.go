package pipeline

import (
	"context"
	"errors"
	"fmt"

	"tfr-build/internal/plural"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// An Example is a row that Try encoded.
type Example struct {
	Place   string // file, and line of a table
	Payload []byte
	Record  schema.Record // what the payload is, with the names of classes
}

// Try encodes the first n rows of the input and gives each to show. The error is what a
// build of the first rows would end with. It writes nothing.
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
	if err := t.classes(ctx); err != nil {
		return err
	}
	t.judge = rejects.NewJudge(j.set)
	defer t.judge.Close()
	for i := 0; i < j.set.Files() && t.left > 0; i++ {
		if err := t.file(ctx, i); err != nil {
			return err
		}
	}
	if n := t.told - maxTold; n > 0 {
		run.warn("and " + plural.Of(n, "other bad row"))
	}
	if t.passed > 0 {
		run.inform(plural.Of(t.passed, "row") + " passed over, which the config leaves out")
	}
	_, err = judgeFirst(ctx, j, t)
	return err
}

// A try shows rows until enough are shown.
type try struct {
	*job
	judge *rejects.Judge
	left  int
	told  int // bad rows that were told of

	passed int // rows that the config leaves out
	show   func(Example) error
}

// classes finds the names of `classes: auto`, one row after another.
func (t *try) classes(ctx context.Context) error {
	if len(t.set.Classes.Auto()) == 0 {
		return nil
	}
	names, lacking, err := t.vocabulary(func(visit func(int, *rows.Row) error) error { return t.eachDecided(ctx, visit) })
	switch {
	case err != nil:
		return err
	case lacking != nil:
		return t.noClasses(ctx, lacking.At)
	}
	return t.set.SetClasses(names)
}

// noClasses is the fault of `classes: auto` without a text: the first bad row, if
// there is one.
func (t *try) noClasses(ctx context.Context, at string) error {
	judge := rejects.NewJudge(t.set)
	defer judge.Close()
	var first *RowsError
	for i := 0; i < t.set.Files() && first == nil; i++ {
		src, local := t.set.File(i)
		err := input.EachRow(ctx, src, local, func(rec *input.Record) error {
			r := rows.Of(i, rec)
			if _, _, err := judge.Example(&r); err != nil {
				if first, err = rejected(src.Path(local), rec, err); err == nil {
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
	if first != nil && !t.log.Tolerant() {
		return first
	}
	return t.autoFault(at, first)
}

// eachDecided calls visit for every row that has a split.
func (t *try) eachDecided(ctx context.Context, visit func(int, *rows.Row) error) error {
	chooser := t.set.NewChooser()
	defer chooser.Close()
	for i := range t.set.Files() {
		src, local := t.set.File(i)
		err := input.EachRow(ctx, src, local, func(rec *input.Record) error {
			r := rows.Of(i, rec)
			var err error
			if r.Split, _, err = chooser.Choose(&r); r.Bad != "" || err != nil || r.Split == rows.LeftOut {
				return nil // what is shown will say so
			}
			return visit(0, &r)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// maxTold is how many bad rows are told of.
const maxTold = 20

var errEnough = errors.New("enough rows")

// file shows rows of a file. A bad row ends it, or is told of, where such rows are
// left out.
func (t *try) file(ctx context.Context, file int) error {
	src, local := t.set.File(file)
	err := input.EachRow(ctx, src, local, func(rec *input.Record) error {
		r := rows.Of(file, rec)
		payload, kept, err := t.judge.Example(&r)
		switch {
		case err != nil:
			return t.bad(src.Path(local), rec, err)
		case !kept:
			t.passed++
			return nil
		}
		place := src.Path(local)
		switch {
		case rec.Binary:
			at := rec.Position(place, nil)
			place = at.String()
		case rec.Line > 0:
			place = fmt.Sprintf("%s:%d", place, rec.Line)
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

// bad is the error of a row with its place; nil where it was told of instead.
func (t *try) bad(path string, rec *input.Record, err error) error {
	at, err := rejected(path, rec, err)
	switch {
	case err != nil:
		return err
	case !t.log.Tolerant():
		return at
	}
	if t.told++; t.told <= maxTold {
		t.run.badRow(at)
	}
	return nil
}

// rejected is the error of a row with its place, where err is about the row.
func rejected(path string, rec *input.Record, err error) (*RowsError, error) {
	bad := rec.Bad
	if bad == nil && !errors.As(err, &bad) {
		return nil, err
	}
	return rejects.NewRowsError(rec.Position(path, bad), bad), nil
}
