package pipeline

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tfr-build/dataset"
	"tfr-build/internal/plural"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/describe"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/spill"
	"tfr-build/sink"
)

// newPlan returns the plan of the located rows. Only the class names are added later; nothing else
// changes.
func (p *pass) newPlan(l located) (*plan.Plan, error) {
	found, counted, err := l.Count()
	if err != nil {
		return nil, err
	}
	j := p.job
	j.keepSplits(counted)
	value, err := plan.New(j.cfg, j.inputs.Job(j.state), found, counted, j.set.Sized() && !j.set.Groups())
	if err != nil {
		return nil, err
	}
	value.Stratified = j.set.Stratified()
	if j.cfg.IsBase() {
		if value.Strata, err = j.set.Strata.Encode(); err != nil {
			return nil, err
		}
	}
	if s, ok := l.(*spill.Spill); ok {
		value.Groups = s.Groups()
	}
	if err := j.checkNames(value); err != nil {
		return nil, err
	}
	return value, p.checkRowsLeft(value)
}

// checkRowsLeft returns the error of a plan without records because rules of the config skip all rows,
// unless the config allows it. Invalid rows have errors of their own.
func (p *pass) checkRowsLeft(value *plan.Plan) error {
	if p.job.base != nil {
		return nil
	}
	found, planned := int64(0), 0
	for _, src := range value.Sources {
		found += src.Found
	}
	for _, s := range value.Splits {
		planned += s.Rows
	}
	if planned > 0 {
		return nil
	}
	return p.job.noRowsLeft(found, p.accounting(value, nil).Skipped())
}

// noRowsLeft returns the error of a config whose rules skip all rows that were found, unless it allows an
// empty dataset. It is nil if a row is not skipped. The error is at the rule that skips the most rows.
func (j *job) noRowsLeft(found int64, skipped map[string]int64) error {
	all, rule := int64(0), ""
	for _, name := range slices.Sorted(maps.Keys(skipped)) {
		if all += skipped[name]; rule == "" || skipped[name] > skipped[rule] {
			rule = name
		}
	}
	if all == 0 || all < found || j.cfg.AllowEmpty {
		return nil
	}
	e := &RowsError{Code: "NO_ROWS", Text: fmt.Sprintf("the dataset would have no record: %s found, %s",
		plural.Of(found, "row"), dataset.SkippedText(skipped)), Hint: "allow_empty: true"}
	if rule == dataset.SkippedByWindows {
		rule = "group.windows"
	}
	e.Path = j.cfg.File
	e.Line, e.Col = j.cfg.At(rule)
	return e
}

// ownNames has files of a dataset that a shard without a number in its name could replace.
var ownNames = []string{"dataset_info.json", "features.json"}

// checkNames returns an error if the name of a shard is too long for file systems, or the name of
// another dataset file. The last shard of a split has the longest name, or with {COUNT} the one before it.
func (j *job) checkNames(p *plan.Plan) error {
	most := sink.MaxName
	if j.cfg.Index {
		most = sink.MaxIndexed
	}
	for i := range p.Splits {
		split := &p.Splits[i]
		if split.Shards == 0 { // all are kept
			continue
		}
		last := p.ShardName(split, split.Shards-1)
		if top, _, _ := strings.Cut(last, "/"); slices.Contains(ownNames, top) {
			return j.cfg.Problem("shards.filename",
				"the shard of the split %q would be %s, which is a file of its own; expected another name",
				split.Name, last)
		}
		for name := range strings.SplitSeq(last+"/"+p.ShardName(split, max(0, split.Shards-2)), "/") {
			if n := len(name); n > most {
				return j.cfg.Problem("shards.filename", "the shards' names have %d bytes, and a name can have %d: %s",
					n, most, name)
			}
		}
	}
	return nil
}

// vocabulary collects the names of `classes: auto`, from the rows that each passes to visit as [located] says.
// lacking is a feature without names.
func (j *job) vocabulary(ctx context.Context,
	each func(ctx context.Context, ahead func(int, *rows.Row), visit func(int, *rows.Row) error) error) (
	names map[string][]string, lacking *config.Feature, err error) {
	v := j.set.NewVocabulary()
	collectors := make([]*rows.Collector, j.pool.Size())
	for i := range collectors {
		if collectors[i], err = v.NewCollector(); err != nil {
			return nil, nil, err
		}
		defer collectors[i].Close()
	}
	err = each(ctx, func(worker int, r *rows.Row) { collectors[worker].Prefetch(r) },
		func(worker int, r *rows.Row) error { return collectors[worker].Collect(r) })
	if err != nil {
		return nil, nil, err
	}
	names, lacking = v.Names()
	return names, lacking, nil
}

// MakePlan finds the rows, and says what a build would write and why. It returns the error of a build
// with only the first rows. It writes nothing; rows that a build would spill are read once, to
// count them.
func MakePlan(ctx context.Context, cfg *config.Config, run Run) (*Plan, error) {
	run.phases, run.unwritten = phasesOfPlan, true
	j, err := prepare(ctx, cfg, &run)
	if err != nil {
		return nil, err
	}
	defer j.close()
	itself, err := j.appendToItself(ctx)
	if err != nil {
		return nil, err
	}
	notes, err := j.sample(ctx)
	if err != nil {
		return nil, err
	}
	if err := j.set.LoadJoins(ctx); err != nil {
		return nil, err
	}
	p := &Plan{Name: cfg.Name, Output: j.output(), Unit: cfg.Unit(), Order: cfg.Order, Inputs: j.state.Inputs,
		Spills: j.spills()}
	read := newUnwritten(j).pass
	var l located
	if p.Spills {
		l, err = read.countSpilled(ctx)
	} else {
		l, err = read.find(ctx, read.counted)
	}
	if err == nil && read.log.Failed() {
		err = read.failure(ctx, read.log.Without(), true)
	}
	if err != nil {
		return nil, err
	}
	value, err := read.newPlan(l)
	if err != nil {
		return nil, err
	}
	if _, err := j.tryFirst(ctx); err != nil {
		return nil, err
	}
	p.fill(value)
	accounts := read.accounting(value, nil)
	p.Found, p.Skipped = int64(value.Rows()), accounts.Skipped()
	p.Notes = slices.Concat(itself, j.appendNotes(), j.hiddenFiles(), describe.Lines(j.set,
		append(describe.ConfigWarnings(j.cfg), accounts.Warnings()...)), notes, accounts.PlanNotes(),
		value.SmallShards(j.cfg))
	return p, nil
}

// A Plan describes for people what a build will write and why.
type Plan struct {
	Name    string
	Output  string
	Order   string
	Rows    int64
	Unit    string           // what Rows counts: row, or with `group` record
	Found   int64            // including rejected and skipped rows
	Skipped map[string]int64 // number of skipped rows by key of the config
	Splits  []PlannedSplit
	Strata  []Stratified
	Groups  int64    // number of groups, with `group`
	Inputs  int      // number of files
	Spills  bool     // rows are spilled to disk
	Notes   []string // warnings
}

// Stratified is what `stratify` does to the rows of the sources with one `split`.
type Stratified = plan.Stratified

// A PlannedSplit is a split of a Plan.
type PlannedSplit struct {
	Name   string `json:"name"`
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"` // estimate, uncompressed
	Shards int    `json:"shards"`
	Why    string `json:"why"`   // reason for the number of shards
	First  string `json:"first"` // name of the first shard, as an example
}

func (p *Plan) fill(value *plan.Plan) {
	p.Strata, p.Groups = value.Stratified, value.Groups
	for i := range value.Splits {
		s := &value.Splits[i]
		p.Rows += int64(s.Rows)
		p.Splits = append(p.Splits, PlannedSplit{
			Name: s.Name, Rows: int64(s.Rows), Bytes: int64(s.Bytes),
			Shards: s.Shards, Why: s.Why, First: value.ShardName(s, 0),
		})
	}
}
