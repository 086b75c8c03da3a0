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

// Located are the rows of a dataset, found and in order: a find.Found, of rows that
// are read where they stand, or a spill.Spill, of rows in runs on disk.
type located interface {
	// Count is what was found, by source and by split.
	Count() ([]plan.Source, []plan.Counted, error)
	decided
	// SetKeys notes the lowest key of each shard, as far as keys are known.
	SetKeys(p *plan.Plan)
	// Dispatch hands out all blocks that are to be written.
	Dispatch(ctx context.Context, w *task.Work, give task.Give) error
}

// A decided is rows with a split: those of a dataset, or the first ones.
type decided interface {
	// Classes are the names that were collected on the way; ok is false where
	// that is still to be done.
	Classes() (names map[string][]string, ok bool)
	// Each calls visit for every row that has a split, from any worker.
	Each(ctx context.Context, visit func(worker int, r *rows.Row) error) error
}

// maxMapped is how many files are mapped at once at most: systems bound the
// number of mappings of a process.
const maxMapped = 30_000

// indexShare is how many bytes of a table there are for each byte of its
// index, about: rows of 64 bytes with 12 bytes each.
const indexShare = 5

// spills reports whether rows have to be spilled: they cannot be read where they
// stand, or they and their index would take more memory than the run may use.
func (j *job) spills() bool {
	p := j.set.Footprint()
	return p.Streamed || p.Maps > maxMapped || p.Maps > 0 && p.Bytes+p.Bytes/indexShare > j.run.Memory
}

// find finds the rows where they stand. counted is called with the number of rows of
// each source.
func (j *job) find(ctx context.Context, counted func([]plan.Source) error) (located, error) {
	f := &find.Finder{Set: j.set, Pool: j.pool, Log: j.log, Step: j.run.Chunk}
	return f.Find(ctx, counted)
}

// newSpill is a spill of the rows; without a stage they are only counted.
func (j *job) newSpill(stage *sink.Stage) *spill.Spill {
	return &spill.Spill{Set: j.set, Pool: j.pool, Log: j.log, Stage: stage, Limit: j.run.spillLimit(), Step: j.run.Chunk}
}

// pass spills all rows, or counts them.
func (j *job) pass(ctx context.Context, stage *sink.Stage) (located, error) {
	s := j.newSpill(stage)
	return s, s.Pass(ctx, j.counted)
}

// collect finds the names of `classes: auto`, unless they were found on the way.
func (j *job) collect(ctx context.Context, l decided) (map[string][]string, error) {
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
	return nil, j.noClasses(ctx, l, lacking.At)
}

// noClasses is the fault of `classes: auto` without a text: a bad row, if there
// is one, for then it is the reason.
func (j *job) noClasses(ctx context.Context, l decided, at string) error {
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
		return errBadRow
	}
	if more, _ := j.log.Beyond(); len(list)+len(more) > 0 {
		list = append(list, more...)
		rejects.Sort(list)
		first, err := j.reader().First(ctx, list)
		if err != nil {
			return err
		}
		return j.autoFault(at, first)
	}
	return j.autoFault(at, nil)
}

// autoFault is the fault of `classes: auto` without a class; bad is the first row
// that cannot be used, which may be nil.
func (j *job) autoFault(at string, bad *RowsError) error {
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

// errBadRow says that a row ends the run; which is found by reading again.
var errBadRow = errors.New("a row cannot be used")
