package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tfr-build/internal/prefetch"
	"tfr-build/internal/vfs"
	"tfr-build/order"
	"tfr-build/pipeline/config"
	"tfr-build/sink"
)

// A Result is what a build came to.
type Result struct {
	Output   string
	Summary  string    // `train=8 validation=1 shards=2 digest=…`
	UpToDate bool      // nothing had to be done, and nothing was touched
	Inputs   []string  // what the dataset is made from, for a Depfile
	Rejected *Rejected // rows that were left out; nil if none was
}

// Build makes the dataset that cfg describes. When it returns an error,
// nothing is in sight that was not there before. A Depfile that would stand
// among the inputs or in the output is a [PlaceError].
func Build(ctx context.Context, cfg *config.Config, run Run) (*Result, error) {
	if run.FS == nil {
		run.FS = vfs.OS()
	}
	j, err := prepare(ctx, cfg, &run)
	if err != nil {
		return nil, err
	}
	defer j.unmap()
	if run.Depfile != "" {
		if j.dependencies, err = j.listDependencies(); err != nil {
			return nil, err
		}
	}
	view, err := sink.Peek(run.FS, j.output())
	if err != nil {
		return nil, err
	}
	summary, _, err := j.upToDate(run.FS, view.Path, view.Found, view.State)
	if err != nil {
		return nil, err
	}
	if summary != "" && !view.Unfinished && !j.rebuilds() {
		return j.result(summary, true), nil
	}
	return j.build(ctx)
}

// rebuilds reports whether even a dataset that is up to date is built again.
func (j *job) rebuilds() bool { return j.run.Fresh && j.run.Overwrite }

func (j *job) result(summary string, upToDate bool) *Result {
	return &Result{Output: j.output(), Summary: summary, UpToDate: upToDate, Inputs: j.dependencies}
}

// build is Build from where the output is locked.
func (j *job) build(ctx context.Context) (result *Result, err error) {
	if j.stage, err = sink.Open(j.run.FS, j.output(), j.stageOptions()); err != nil {
		return nil, err
	}
	defer func() {
		if closed := j.stage.Close(); err == nil && closed != nil {
			err = closed
		}
	}()
	if result, err = j.standing(); result != nil || err != nil {
		return result, err
	}
	if err := j.begin(ctx); err != nil {
		return nil, err
	}
	result, err = j.make(ctx)
	return result, j.stopped(err)
}

func (j *job) stageOptions() sink.Options {
	run := j.run
	return sink.Options{
		Sync: run.Sync, Cold: run.Cold, Overwrite: run.Overwrite, Scratch: run.Scratch, Warn: run.warn, Readers: run.Workers,
	}
}

// standing is the result of a run that has nothing to do, as the output is up to
// date, and the error of one that may not do anything.
func (j *job) standing() (*Result, error) {
	data, err := j.stage.State()
	if err != nil {
		return nil, err
	}
	summary, why, err := j.upToDate(j.run.FS, j.stage.Path(), j.stage.Found(), data)
	switch {
	case err != nil:
		return nil, err
	case summary != "" && !j.rebuilds():
		if j.run.Fresh {
			err = j.stage.Drop()
		}
		return j.result(summary, true), err
	case why != "" && !j.run.Overwrite:
		return nil, &DatasetError{j.stage.Path(), why}
	}
	return nil, j.rejectsInTheWay()
}

// begin starts the dataset, or goes on with what a stopped run left of it.
func (j *job) begin(ctx context.Context) error {
	if !j.run.Sync {
		j.run.inform("without syncing: a loss of power can cost the dataset, even after the run")
	}
	return j.takeUp(ctx)
}

// make finds the rows, writes the shards and brings the dataset into sight.
func (j *job) make(ctx context.Context) (*Result, error) {
	if err := j.loadJoins(ctx); err != nil {
		return nil, err
	}
	var plans []*splitPlan
	var err error
	if j.mustPart() {
		plans, err = j.buildThroughParts(ctx)
	} else if err = j.stage.DropRuns(); err == nil {
		plans, err = j.buildMapped(ctx)
	}
	switch {
	case errors.Is(err, errTooMany):
		return nil, j.tooMany(ctx)
	case err != nil:
		return nil, err
	case j.looking.Load():
		return nil, j.firstBadRow(ctx)
	}
	for _, i := range j.tableFiles() { // files of trees were compared as each was read
		if err := j.files[i].source.Unchanged(j.files[i].local); err != nil {
			return nil, err
		}
	}
	if j.rejects.count.Load() > j.rejects.most.Load() {
		return nil, j.tooMany(ctx)
	}
	return j.commit(ctx, plans)
}

func (j *job) loadJoins(ctx context.Context) error {
	for _, s := range j.sources {
		if err := s.LoadJoins(ctx); err != nil {
			return err
		}
	}
	return nil
}

// buildMapped builds from files that are read where their rows stand.
func (j *job) buildMapped(ctx context.Context) ([]*splitPlan, error) {
	plans, indexes, err := j.planMapped(ctx)
	if err != nil {
		return nil, err
	}
	err = j.collect(func(visit func(int, *row) error) error { return j.eachIndexed(ctx, indexes, visit) })
	if err != nil || j.noNames() {
		return plans, err
	}
	j.setLines(indexes)
	var blocks []block
	for _, p := range plans {
		rows := indexed{j, indexes[p.number], uint8(p.number)}
		for _, b := range j.blocks(p, rows) {
			if !b.shard.kept {
				b.ranks = rows
				blocks = append(blocks, b)
			}
		}
	}
	if err := j.reserve(plans); err != nil {
		return nil, err
	}
	return plans, j.write(ctx, blocks, rowsToWrite(plans))
}

// setLines decides how many lines of memory of a row are asked for ahead: those
// of a mean row, which begins somewhere in the first of them.
func (j *job) setLines(indexes []*order.Index) {
	const most = 16
	rows := 0
	for _, x := range indexes {
		rows += x.Len()
	}
	bytes := 0
	for _, data := range j.mapped {
		bytes += len(data)
	}
	j.lines = min(bytes/max(1, rows)/prefetch.Line+2, most)
}

// eachIndexed calls visit for every row, on the run's workers.
func (j *job) eachIndexed(ctx context.Context, indexes []*order.Index, visit func(int, *row) error) error {
	for split, x := range indexes {
		rows := indexed{j, x, uint8(split)}
		n := (x.Len() + order.BlockRows - 1) / order.BlockRows
		j.run.Progress.start("collecting classes", int64(x.Len()))
		err := j.parallel(ctx, n, func(worker, i int) error {
			from, to := i*order.BlockRows, min((i+1)*order.BlockRows, x.Len())
			block := rows.append(nil, from, to)
			for i := range block {
				if err := visit(worker, &block[i]); err != nil {
					return err
				}
			}
			j.run.Progress.done(int64(to-from), 0)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// rowsToWrite are the rows of the shards that are not kept.
func rowsToWrite(plans []*splitPlan) (n int64) {
	for _, p := range plans {
		for i, r := range order.Cut(p.rows, p.shards) {
			if !p.files[i].kept {
				n += int64(r.Len())
			}
		}
	}
	return n
}

// reserve sees that there is room for what will be written.
func (j *job) reserve(plans []*splitPlan) error {
	bytes := bytesToWrite(plans)
	if j.compression() != sink.None {
		bytes /= 20 // nobody knows; a disk that is nearly full is found out all the same
	}
	return j.stage.Reserve(bytes)
}

// bytesToWrite is about how many bytes the shards have that are not kept.
func bytesToWrite(plans []*splitPlan) (n int64) {
	for _, p := range plans {
		mean := int64(p.bytes) / int64(max(1, p.rows))
		for i, r := range order.Cut(p.rows, p.shards) {
			if !p.files[i].kept && !p.files[i].done.Load() {
				n += int64(r.Len()) * mean
			}
		}
	}
	return n
}

// summary is what is said of a finished dataset.
func summary(plans []*splitPlan, digest string) string {
	var b strings.Builder
	shards := 0
	for _, p := range plans {
		fmt.Fprintf(&b, "%s=%d ", p.name, p.records())
		shards += len(p.files)
	}
	fmt.Fprintf(&b, "shards=%d digest=%s", shards, digest)
	return b.String()
}

func (p *splitPlan) records() (n int64) {
	for _, s := range p.files {
		n += s.account.Records
	}
	return n
}
