package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"tfr-build/pipeline/config"
	"tfr-build/pipeline/find"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/spill"
	"tfr-build/pipeline/task"
	"tfr-build/sources"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
)

// located has the rows of a dataset in order. It is a find.Found, for rows that are read in place,
// or a spill.Spill, for rows in spill files.
type located interface {
	// Count returns the number of rows by source and by split.
	Count() ([]plan.Source, []plan.Counted, error)
	// Classes returns class names that were already collected; ok is false if they must still be
	// collected.
	Classes() (names map[string][]string, ok bool)
	// Each calls visit for each row that will be written, from any worker. For a row in place it calls ahead some rows
	// before, unless that is nil.
	Each(ctx context.Context, ahead func(worker int, r *rows.Row), visit func(worker int, r *rows.Row) error) error
	// Dispatch passes all blocks that will be written to assign.
	Dispatch(ctx context.Context, w *task.Work, assign task.Assign) error
}

// maxMapped is the largest number of files that are mapped at once: systems limit the number of
// mappings of a process.
// Linux allows 65,530 by default (vm.max_map_count), which also count the maps of the program.
const maxMapped = 30_000

// indexShare is about the number of bytes of a table per byte of its index: rows of 64 bytes with
// 12 bytes each.
const indexShare = 5

// A pass reads the rows of a job. Its log has those that are invalid.
type pass struct {
	job *job
	log *rejects.Log

	// match keeps the skipped rows that find finds among about n rows.
	match func(n int64, find findSkips) error
}

// newPass returns a pass with an empty log.
func newPass(j *job) *pass { return &pass{job: j, log: rejects.NewLog(j.tolerant())} }

// counted is called with the number of rows of each source. A source without rows is an error. It
// sets the budget of rejects.
func (p *pass) counted(found []plan.Source) error {
	for i, src := range p.job.set.Sources {
		if found[i].Found == 0 && p.job.base == nil && !src.Spec().Kind.EmptyAllowed() {
			return noRowsError(src)
		}
	}
	p.setBudget(found)
	return nil
}

// setBudget sets how many of the found rows may be rejected. Every build calls it, also one that
// resumes.
func (p *pass) setBudget(found []plan.Source) {
	n := uint64(0)
	for _, f := range found {
		n += uint64(f.Found)
	}
	p.log.SetBudget(p.job.cfg.MaxErrors.Of(n))
}

// spills reports whether rows must be spilled: they cannot be read in place, or they and their
// index would take more memory than the run allows.
func (j *job) spills() bool {
	p := j.set.Footprint()
	return j.set.Groups() || p.Streamed || p.Maps > maxMapped || p.Maps > 0 && p.Bytes+p.Bytes/indexShare > j.run.Memory
}

// find finds the rows in place. It calls counted with the number of rows of each source.
func (p *pass) find(ctx context.Context, counted func([]plan.Source) error) (located, error) {
	f := &find.Finder{Set: p.job.set, Pool: p.job.pool, Log: p.log, Step: p.job.run.Chunk}
	p.compareFound(f)
	return f.Find(ctx, counted)
}

// newSpill returns the rows in spill files, before these are opened. So many bytes are loaded at once.
func (p *pass) newSpill(limit int64) *spill.Spill {
	return &spill.Spill{Set: p.job.set, Pool: p.job.pool, Log: p.log, Limit: limit}
}

// collectClasses returns the names of `classes: auto`. It reads the rows, unless the names are already
// collected. A feature without a class is an error if these are all rows; otherwise no names are returned.
func (p *pass) collectClasses(ctx context.Context, l located, all bool) (map[string][]string, error) {
	if names, known := l.Classes(); known {
		return names, nil
	}
	if len(p.job.set.Classes.Auto()) == 0 {
		return map[string][]string{}, nil
	}
	names, lacking, err := p.job.vocabulary(ctx, l.Each)
	switch {
	case err != nil || lacking == nil:
		return names, err
	case !all:
		return nil, nil
	}
	return nil, p.noClassesError(ctx, l, lacking.At)
}

// noClassesError returns the error of `classes: auto` without a class. If a row is invalid, that
// is the reason, and the error names it.
func (p *pass) noClassesError(ctx context.Context, l located, at string) error {
	encoders := make([]*rows.Encoder, p.job.pool.Size())
	for i := range encoders {
		encoders[i] = p.job.set.NewEncoder()
		defer encoders[i].Close()
	}
	var mu sync.Mutex
	list := p.log.Without()
	err := l.Each(ctx, nil, func(i int, r *rows.Row) error {
		if _, err := encoders[i].Append(nil, r); err != nil {
			return p.log.Add(r.Locator(), err, encoders[i].EachError, func(bad rejects.Reject) {
				mu.Lock()
				defer mu.Unlock()
				list.Add(bad)
			})
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case p.log.Failed() && !p.log.Tolerant():
		return errInvalidRow
	}
	more, _ := p.log.OverBudget()
	if list.AddAll(more); list.Len() > 0 {
		first, err := p.job.reader().First(ctx, list)
		if err != nil {
			return err
		}
		return p.job.autoError(ctx, at, first)
	}
	return p.job.autoError(ctx, at, nil)
}

// autoError returns the error of `classes: auto` without a class. bad is the first invalid row; it
// may be nil.
func (j *job) autoError(ctx context.Context, at string, bad *RowsError) error {
	all := j.cfg.AllFeatures()
	columns := all[slices.IndexFunc(all, func(f *config.Feature) bool { return f.At == at })].From.Columns
	problem := j.cfg.Problem(at+".classes", "auto found no class; no valid row has a value in %s",
		input.NameList(columns))
	if bad != nil {
		problem.List[0].Hint = "the first row that cannot be used: " + bad.Error()
	} else if on, ok := joinOf(j.set, columns[0]); ok {
		ours, theirs := on.Names()
		// The cause may be a join before this one: without a match it has no values to look up.
		if list, err := j.set.SampleMatches(ctx); err == nil && len(list) > 0 {
			ours, theirs = list[0].Ours, list[0].Theirs
		}
		var pairs []string
		for i := range ours {
			pairs = append(pairs, ours[i]+": "+theirs[i])
		}
		problem.List[0].Hint = fmt.Sprintf("no row has a match; compare the values of the columns of on: {%s}",
			strings.Join(pairs, ", "))
	}
	return problem
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
