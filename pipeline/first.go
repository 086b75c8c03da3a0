package pipeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"tfr-build/dataset"
	"tfr-build/internal/plural"
	"tfr-build/pipeline/decide"
	"tfr-build/pipeline/describe"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/spill"
	"tfr-build/pipeline/task"
	"tfr-build/pipeline/work"
	"tfr-build/sources/input"
)

// A trial is a build of the first rows of each source that writes nothing. Commands that write nothing do one:
// it ends with the error of a build with only these rows.
type trial struct {
	*build
	least int // rows of a source that are read, if they are more than usual; see sources.Source.FirstRows

	all         bool                 // the sources have no other rows
	kept        int                  // records to write
	accounts    *describe.Accounting // of the rows, once they are converted
	records     int64
	classes     func(context.Context) error    // sets the class names; nil if the first rows have them
	show        func(*rows.Row, []byte)        // gets each record, one at a time; may be nil
	name        func(*rows.Row, *input.Record) // gets each row that is read, one at a time; may be nil
	mu          sync.Mutex
	names       imageNames // in the records
	sortTexts   int        // rows that are sorted by a string
	sortNumbers int        // such rows whose string is a number
}

// newTrial returns a trial that has done nothing. Its progress is not shown.
func newTrial(j *job) *trial {
	t := &trial{build: newUnwritten(j.quiet(j.pool.Workers))}
	t.names.kind = j.set.Config.Message().WireKind()
	return t
}

// newUnwritten returns a build that writes nothing: its spill files are in memory.
func newUnwritten(j *job) *build {
	b := newBuild(j)
	b.results.files, b.results.plan = memoryFiles{}, notesOf(j, true)
	return b
}

// tryFirst does a trial. It returns the error of a build with only the first rows.
func (j *job) tryFirst(ctx context.Context) (*trial, error) {
	t := newTrial(j)
	if err := t.run(ctx); err != nil {
		return nil, err
	}
	return t, t.report(ctx)
}

// run converts the first rows.
func (t *trial) run(ctx context.Context) error {
	if err := t.compareFirst(ctx); err != nil {
		return err
	}
	if err := t.job.sampleMatches(ctx); err != nil {
		return err
	}
	if t.classes != nil {
		if err := t.classes(ctx); err != nil {
			return err
		}
	}
	if err := t.scanFirst(ctx); err != nil {
		return err
	}
	found, counted, err := t.rows.Count()
	if err != nil {
		return err
	}
	t.plan = plan.NewTrial(t.job.cfg, found, counted, t.job.pool.Size())
	t.plan.Groups = t.rows.(*spill.Spill).Groups()
	for i := range t.plan.Splits {
		t.kept += t.plan.Splits[i].Rows
	}
	t.work = &task.Work{Set: t.job.set, Plan: t.plan, Log: t.pass.log, Visit: t.visit}
	if err := t.work.Begin(nil); err != nil {
		return err
	}
	if err := t.convert(ctx); err != nil && !errors.Is(err, errInvalidRow) {
		return err
	}
	t.count()
	return nil
}

// compareFirst compares the first rows with each other, unless all rows are compared.
func (t *trial) compareFirst(ctx context.Context) error {
	if !t.pass.mustCompare() {
		return nil
	}
	return t.pass.compare(0, func(c *spill.Comparison) (*decide.Skips, error) {
		c.First, c.Known = true, nil // rows of the base are not shown
		return c.Found(ctx, func(visit func(int, *rows.Row) error) error {
			_, err := t.each(ctx, visit)
			return err
		})
	})
}

// scanFirst does the steps that write spill files, for the first rows.
func (t *trial) scanFirst(ctx context.Context) error {
	t.job.set.ForgetPending()
	s := t.pass.newScan()
	s.Buckets, s.First, s.Grouped = 1, t.each, t.countSorted
	err, group := t.scanTo(ctx, s, 0), stepOf(work.Group)
	if err == nil {
		err = stepOf(work.Scan).restore(t.build, ctx)
	}
	if err == nil {
		err = t.doStep(ctx, group, 0)
	}
	if err == nil {
		err = group.restore(t.build, ctx)
	}
	return err
}

// each calls visit for the first rows of all sources, on all workers.
func (t *trial) each(ctx context.Context, visit func(worker int, r *rows.Row) error) (found []plan.Source, err error) {
	t.all = t.job.base == nil // which has others
	for _, src := range t.job.set.Sources {
		var list []rows.Row
		all, blank, err := src.FirstRows(ctx, t.least, func(file int, rec *input.Record) error {
			r := rows.Of(src.First+file, rec)
			r.Data = bytes.Clone(r.Data)
			list = append(list, r)
			if t.name != nil {
				t.name(&r, rec)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		t.all, found = t.all && all, append(found, plan.Source{Found: int64(len(list)), Blank: blank})
		err = t.job.pool.Each(ctx, len(list), func(worker, i int) error {
			err := visit(worker, &list[i])
			list[i].Data = nil // what is kept of it is a copy
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// convert converts all rows that a build would write.
func (t *trial) convert(ctx context.Context) error {
	if t.kept == 0 {
		return nil
	}
	if t.classes == nil {
		names, err := t.pass.collectClasses(ctx, t.rows, t.all)
		if err == nil && len(names) > 0 {
			err = t.job.set.SetClasses(names)
		}
		if err != nil {
			return err
		}
	}
	return t.dispatch(ctx)
}

// visit looks at a record.
func (t *trial) visit(r *rows.Row, payload []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.names.add(payload)
	if t.show != nil {
		t.show(r, payload)
	}
}

// count adds up what became of the rows.
func (t *trial) count() {
	t.plan.Stratified = t.job.set.Stratified()
	for i, shards := range t.work.Shards() {
		s := &t.plan.Splits[i]
		s.Rows, s.Bytes = 0, 0
		for _, sh := range shards {
			s.Rows += int(sh.Report.Records)
			s.Bytes += uint64(sh.Report.Payload)
		}
		t.records += int64(s.Rows)
	}
	t.accounts = describe.NewAccounting(t.job.set, t.plan, t.work.Shards(), t.pass.log.Without())
}

// report says what the rows show about a build, and returns the error of a build with only these rows.
func (t *trial) report(ctx context.Context) error {
	if err := t.result(ctx); err != nil {
		return err
	}
	if err := t.joins(); err != nil {
		return err
	}
	if err := t.accounts.Locate(ctx); err != nil {
		return err
	}
	run := t.job.run
	for _, text := range describe.Lines(t.job.set, t.accounts.RowWarnings()) {
		run.warn(t.rowsText() + ": " + text)
	}
	run.warnAll(t.names.warnings())
	run.inform("looked at " + t.rowsText() + t.skipsText())
	t.informSkipped()
	if err := t.checkRowsLeft(); err != nil {
		return err
	}
	if text := t.accounts.Missing(); text != "" {
		run.inform(text)
	}
	return nil
}

// result returns the error of a build with these rows if some are invalid. Otherwise it reports those that are
// rejected.
func (t *trial) result(ctx context.Context) error {
	if t.pass.log.Failed() {
		return t.pass.failure(ctx, t.rejects(), false)
	}
	list, counts := t.pass.countRejects(t.rejects())
	if list.Len() == 0 {
		return nil
	}
	one, err := t.job.reader().First(ctx, list)
	if err == nil {
		t.accounts.Lost, err = t.job.lost(list)
	}
	switch {
	case err != nil:
		return err
	case t.records == 0 && t.job.base == nil:
		return errors.Join(rejects.AllRejectedError(counts), one)
	}
	t.job.run.reportRow(one)
	t.job.run.warn((&Rejected{Counts: counts}).Text())
	return nil
}

// warnings returns the warnings of a build and of a plan that the rows show, except warnings about
// values. Small shards are known only if all rows were looked at.
func (t *trial) warnings() []string {
	list := describe.Lines(t.job.set, t.accounts.FirstWarnings(t.all))
	if t.all {
		list = append(list, t.plan.SmallShards(t.job.cfg)...)
	}
	return append(list, t.sortWarnings()...)
}

// joins says how many rows of joins have no match. A join in which none of all rows has one is an error.
func (t *trial) joins() error {
	if list := t.accounts.UnmatchedJoins(); t.all && len(list) > 0 {
		return t.job.unmatchedError(&list[0])
	}
	cfg := t.job.cfg
	all := t.all && cfg.Where == "" && cfg.Sample == nil && !t.job.set.Compares() && len(cfg.Limit) == 0 &&
		(cfg.Group == nil || cfg.Group.Windows == nil)
	joins := t.accounts.Joins()
	all = all && dataset.AllJoined(joins)
	for i := range joins {
		allowed := t.job.set.Sources[joins[i].Source].Spec().Join[joins[i].Join].AllowEmpty
		hasWarning := !t.all && !allowed && joins[i].Unmatched == joins[i].Rows
		if text := describe.JoinText(t.job.set, &joins[i], all); text != "" && !hasWarning {
			t.job.run.inform("in " + t.rowsText() + ": " + text)
		}
	}
	return nil
}

// rowsText says how many rows were looked at.
func (t *trial) rowsText() string {
	n := int64(t.plan.Rows())
	text := plural.Of(n, "row")
	switch {
	case t.all && n == 1:
		return "the only row"
	case t.all:
		return "all " + text
	case len(t.plan.Sources) > 1:
		return "the first rows of each source, " + text
	case n == 1:
		return "the first row"
	}
	return "the first " + text
}

// skipsText says how many of the rows are skipped because of others; it is empty if none is.
func (t *trial) skipsText() (text string) {
	skipped := t.accounts.Skipped()
	for _, rule := range t.job.set.Rules {
		if n := skipped[rule.Name]; n > 0 {
			text += fmt.Sprintf("; %s skips %d of them", rule.Name, n)
		}
	}
	return text
}

// informSkipped says how many of the rows other rules of the config skip.
func (t *trial) informSkipped() {
	skipped := t.accounts.Skipped()
	for _, rule := range dataset.SkipRules {
		said := slices.ContainsFunc(t.job.set.Rules, func(of *decide.Rule) bool { return of.Name == rule })
		switch n := skipped[rule]; {
		case n == 0, said, rule == dataset.SkippedByLimit:
		case t.all && n == int64(t.plan.Rows()):
			t.job.run.inform(rule + " skips " + t.rowsText())
		default:
			t.job.run.inform(fmt.Sprintf("%s skips %d of %s", rule, n, strings.TrimPrefix(t.rowsText(), "all ")))
		}
	}
}

// checkRowsLeft returns the error of a build if the rules of the config skip all rows. If there may be
// others, it is a warning.
func (t *trial) checkRowsLeft() error {
	if t.kept > 0 {
		return nil
	}
	skipped := t.accounts.Skipped()
	err := t.job.noRowsLeft(int64(t.plan.Rows()), skipped)
	if err == nil || t.all {
		return err
	}
	t.job.run.warn(t.rowsText() + " give no record: " + dataset.SkippedText(skipped))
	return nil
}

// countSorted counts a row that is sorted by a string.
func (t *trial) countSorted(g *rows.Grouping) {
	isText, isNumber := g.SortText()
	t.mu.Lock()
	defer t.mu.Unlock()
	if isText {
		t.sortTexts++
	}
	if isNumber {
		t.sortNumbers++
	}
}

// sortWarnings warns of a column of group.sort whose strings are all numbers.
func (t *trial) sortWarnings() []string {
	if t.sortTexts < 2 || t.sortNumbers < t.sortTexts {
		return nil
	}
	column := t.job.cfg.Group.Sort.Column
	return []string{fmt.Sprintf("group.sort: column %[2]q has numbers as strings in %[1]s, and \"10\" is before "+
		"\"9\"; write sort: {column: %[2]s, type: int64}", t.rowsText(), column)}
}
