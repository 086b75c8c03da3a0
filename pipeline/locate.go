package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"tfr-build/pipeline/config"
	"tfr-build/pipeline/find"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/spill"
	"tfr-build/pipeline/task"
	"tfr-build/sink"
	"tfr-build/sources"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
)

// located has the rows of a dataset in order. It is a find.Found, for rows that are read in place,
// or a spill.Spill, for rows in spill files.
type located interface {
	// Count returns the number of rows by source and by split.
	Count() ([]plan.Source, []plan.Counted, error)
	splitRows
	// SetKeys sets the lowest key of each shard, as far as keys are known.
	SetKeys(p *plan.Plan)
	// Dispatch passes all blocks that will be written to give.
	Dispatch(ctx context.Context, w *task.Work, give task.Give) error
}

// splitRows has rows with a split: the rows of a dataset, or the first rows.
type splitRows interface {
	// Classes returns class names that were already collected; ok is false if they must still be
	// collected.
	Classes() (names map[string][]string, ok bool)
	// Each calls visit for each row that has a split, from any worker.
	Each(ctx context.Context, visit func(worker int, r *rows.Row) error) error
}

// maxMapped is the largest number of files that are mapped at once: systems limit the number of
// mappings of a process.
const maxMapped = 30_000

// indexShare is about the number of bytes of a table per byte of its index: rows of 64 bytes with
// 12 bytes each.
const indexShare = 5

// spills reports whether rows must be spilled: they cannot be read in place, or they and their
// index would take more memory than the run allows.
func (j *job) spills() bool {
	p := j.set.Footprint()
	return p.Streamed || p.Maps > maxMapped || p.Maps > 0 && p.Bytes+p.Bytes/indexShare > j.run.Memory
}

// find finds the rows in place. It calls counted with the number of rows of each source.
func (j *job) find(ctx context.Context, counted func([]plan.Source) error) (located, error) {
	f := &find.Finder{Set: j.set, Pool: j.pool, Log: j.log, Step: j.run.Chunk}
	return f.Find(ctx, counted)
}

// newSpill returns a spill of the rows; without a stage it only counts them.
func (j *job) newSpill(stage *sink.Stage) *spill.Spill {
	return &spill.Spill{Set: j.set, Pool: j.pool, Log: j.log, Stage: stage, Limit: j.run.spillLimit(), Step: j.run.Chunk}
}

// spillAll spills all rows, or without a stage only counts them.
func (j *job) spillAll(ctx context.Context, stage *sink.Stage) (located, error) {
	s := j.newSpill(stage)
	return s, s.Pass(ctx, j.counted)
}

// collect returns the names of `classes: auto`. It reads the rows, unless the names are already
// collected.
func (j *job) collect(ctx context.Context, l splitRows) (map[string][]string, error) {
	if names, known := l.Classes(); known {
		return names, nil
	}
	if len(j.set.Classes.Auto()) == 0 {
		return map[string][]string{}, nil
	}
	names, lacking, err := j.vocabulary(func(visit func(int, *rows.Row) error) error { return l.Each(ctx, visit) })
	if err != nil || lacking == nil {
		return names, err
	}
	return nil, j.noClassesError(ctx, l, lacking.At)
}

// noClassesError returns the error of `classes: auto` without a class. If a row is invalid, that
// is the reason, and the error names it.
func (j *job) noClassesError(ctx context.Context, l splitRows, at string) error {
	encoders := make([]*rows.Encoder, j.pool.Size())
	for i := range encoders {
		encoders[i] = j.set.NewEncoder()
		defer encoders[i].Close()
	}
	var mu sync.Mutex
	list := j.log.Without()
	err := l.Each(ctx, func(i int, r *rows.Row) error {
		if _, err := encoders[i].Append(nil, r); err != nil {
			return j.log.Add(r.Place(), err, encoders[i].Faults, func(bad rejects.Reject) {
				mu.Lock()
				defer mu.Unlock()
				list = append(list, bad)
			})
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case j.log.Failed() && !j.log.Tolerant():
		return errInvalidRow
	}
	if more, _ := j.log.Beyond(); len(list)+len(more) > 0 {
		list = append(list, more...)
		rejects.Sort(list)
		first, err := j.reader().First(ctx, list)
		if err != nil {
			return err
		}
		return j.autoError(at, first)
	}
	return j.autoError(at, nil)
}

// autoError returns the error of `classes: auto` without a class. bad is the first invalid row; it
// may be nil.
func (j *job) autoError(at string, bad *RowsError) error {
	all := j.cfg.AllFeatures()
	columns := all[slices.IndexFunc(all, func(f *config.Feature) bool { return f.At == at })].From.Columns
	fault := j.cfg.Problem(at+".classes", "auto found no class; no valid row has a value in %s", input.NameList(columns))
	if bad != nil {
		fault.List[0].Hint = "the first row that cannot be used: " + bad.Error()
	} else if on, ok := joinOf(j.set, columns[0]); ok {
		fault.List[0].Hint = fmt.Sprintf("no row has a match; compare the values of both columns of on: {%s: %s}", on.Ours, on.Theirs)
	}
	return fault
}

// joinOf returns the columns of the join that a column is from.
func joinOf(set *rows.Set, name string) (on sources.On, ok bool) {
	for _, src := range set.Sources {
		if from, found := src.Columns().Find(name); found && from.Step == column.Join {
			return src.Spec().Join[from.Index].On, true
		}
	}
	return sources.On{}, false
}

// errInvalidRow says that an invalid row made the build fail. The message is found by reading rows
// again.
var errInvalidRow = errors.New("a row cannot be used")
