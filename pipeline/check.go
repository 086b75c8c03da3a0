package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"

	"tfr-build/internal/vfs"
	"tfr-build/pipeline/config"
	"tfr-build/sink"
	"tfr-build/sources"
)

// Check does what a build does before it looks for rows: it finds the faults
// of the config, missing files and missing columns, and an output that is in
// the way. It writes nothing.
func Check(ctx context.Context, cfg *config.Config, run Run) error {
	j, err := checked(ctx, cfg, &run)
	if err != nil {
		return err
	}
	view, err := sink.Peek(run.FS, j.output())
	switch {
	case err != nil:
		return err
	case view.Found == sink.Foreign:
		return fmt.Errorf("%s %w", view.Path, sink.ErrInTheWay)
	case view.Found == sink.Dataset && !run.Overwrite:
		_, why, err := j.upToDate(run.FS, view.Path, view.Found, view.State)
		if err == nil && why != "" {
			err = &DatasetError{view.Path, why}
		}
		if err != nil {
			return err
		}
	}
	return j.rejectsInTheWay()
}

func checked(ctx context.Context, cfg *config.Config, run *Run) (*job, error) {
	if run.FS == nil {
		run.FS = vfs.OS()
	}
	return prepare(ctx, cfg, run)
}

// An Example is a row that Try encoded.
type Example struct {
	Place   string // file, and line of a table
	Payload []byte
}

// example is the Example of a row for people.
func (j *job) example(r *row, line int64, payload []byte) Example {
	f := &j.files[r.file]
	place := f.source.Path(f.local)
	if line > 0 {
		place = fmt.Sprintf("%s:%d", place, line)
	}
	return Example{place, payload}
}

// tryClasses finds the names of `classes: auto`, one row after another.
func (j *job) tryClasses(ctx context.Context) error {
	return j.collect(func(visit func(int, *row) error) error {
		for i := range j.files {
			err := j.eachRow(ctx, i, func(r *row, _ int64) error {
				if r.bad != "" || j.settle(r) != nil {
					return nil // what is shown will say so
				}
				return visit(0, r)
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Try encodes the first n rows of the input and gives each to show. It writes
// nothing.
func Try(ctx context.Context, cfg *config.Config, run Run, n int, show func(Example) error) error {
	j, err := checked(ctx, cfg, &run)
	if err != nil {
		return err
	}
	if err := j.loadJoins(ctx); err != nil {
		return err
	}
	if err := j.tryClasses(ctx); err != nil {
		return err
	}
	w, err := j.newWorker()
	if err != nil {
		return err
	}
	defer w.close()
	for i := 0; i < len(j.files) && n > 0; i++ {
		if n, err = j.tryFile(ctx, w, i, n, show); err != nil {
			return err
		}
	}
	return nil
}

// eachRow calls visit for every row of input file i, in its order. A bad row that
// visit gives back ends it, or is told of, where such rows are left out.
func (j *job) eachRow(ctx context.Context, i int, visit func(r *row, line int64) error) error {
	f := &j.files[i]
	if !f.source.Spec().Kind.IsTable() {
		return j.tried(f, &sources.Record{}, visit(&row{file: i}, 0))
	}
	f.source.SetChecks(f.local)
	rows, err := f.source.Rows(f.local)
	if err != nil {
		return err
	}
	defer rows.Close()
	for {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		rec, err := rows.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		err = visit(&row{file: i, offset: rec.Offset, data: rec.Raw, bad: cutCode(rec)}, rec.Line)
		if err = j.tried(f, rec, err); err != nil {
			return err
		}
	}
}

// tried is the error that a row was given back with, with its place if it is bad.
func (j *job) tried(f *inputFile, rec *sources.Record, err error) error {
	bad := rec.Bad
	if err == nil || bad == nil && !errors.As(err, &bad) {
		return err
	}
	at := rowsError(f.source.Place(f.local, rec, bad), bad)
	if j.tolerant() {
		j.run.warn(at.Error())
		return nil
	}
	return at
}

var errEnough = errors.New("enough rows")

func (j *job) tryFile(ctx context.Context, w *worker, i, n int, show func(Example) error) (left int, err error) {
	err = j.eachRow(ctx, i, func(r *row, line int64) error {
		if err := j.judge(w, r); err != nil {
			return err
		}
		payload, err := w.encode(w.buf[:0], r)
		if err != nil {
			return err
		}
		n--
		if err := show(j.example(r, line, payload)); err != nil {
			return err
		}
		if n == 0 {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return n, err
}
