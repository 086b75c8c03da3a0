package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"tfr-build/dataset"
	"tfr-build/internal/plural"
	"tfr-build/pipeline/describe"
	"tfr-build/pipeline/plan"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/spill"
	"tfr-build/pipeline/strata"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// Commands that write nothing look at the first rows of each source. They convert these rows in
// the same way as a build, with a log of their own. The error of the command is the error of a
// build with only these rows.
type firstRows struct {
	job          *job
	pass         *pass
	found        []plan.Source              // rows looked at, by source
	all          bool                       // the sources have no other rows
	last         map[rows.Limited]rows.Turn // the last row within each limit; none if all are
	classesKnown bool                       // Try has collected the class names
	skipped      map[string]int64           // by rules of the config
	lost         int64                      // rows that dedupe skips for a row that was rejected
	kept         int                        // rows that a build would write; with groups, records

	mu           sync.Mutex
	seen         map[rowKey]bool // rejected rows
	sortTexts    int             // rows that are sorted by a string
	sortNumbers  int             // such rows whose string is a number
	rejected     rejects.List
	observations rows.Observations // of the encoded rows
	encoded      int64
	splits       [rows.Skipped]plan.Split // by number: counts of the encoded rows
	names        imageNames               // in the encoded rows
	windows      []rows.Row               // with groups: the records of the first rows
}

// convertFirst converts the first rows of each source, reports how many they are, and returns the
// error of a build with these rows. t has shown some of them; it may be nil.
func convertFirst(ctx context.Context, j *job, t *try) (*firstRows, error) {
	f := &firstRows{job: j, pass: newPass(j), found: make([]plan.Source, len(j.set.Sources)), all: true, classesKnown: t != nil, observations: rows.NewObservations()}
	f.names.kind = j.set.Config.Message().WireKind()
	if t == nil {
		if err := j.compareFirst(ctx); err != nil {
			return nil, err
		}
	}
	if t == nil {
		if err := j.sampleMatches(ctx); err != nil {
			return nil, err
		}
	}
	if err := f.choose(ctx); err != nil {
		return nil, err
	}
	if err := f.pass.counted(f.found); err != nil {
		return nil, err
	}
	err := f.encode(ctx)
	if err != nil && !errors.Is(err, errInvalidRow) {
		return nil, err
	}
	if err := f.result(ctx, t); err != nil {
		return nil, err
	}
	if err := f.joins(); err != nil {
		return nil, err
	}
	if err := f.observations.Locate(ctx, j.set); err != nil {
		return nil, err
	}
	for _, text := range describe.Lines(j.set, f.sample().RowWarnings()) {
		j.run.warn(f.rowsText() + ": " + text)
	}
	j.run.warnAll(f.names.warnings())
	j.run.inform("looked at " + f.rowsText() + f.duplicatesText())
	f.informSkipped()
	if err := f.checkRowsLeft(); err != nil {
		return nil, err
	}
	if text := describe.Missing(&f.observations, f.encoded); text != "" {
		j.run.inform(text)
	}
	return f, nil
}

// sample returns what the rows show about a build.
func (f *firstRows) sample() *describe.Sample {
	names := f.job.set.Splits.Names()
	p := &plan.Plan{Splits: f.splits[:min(len(names), len(f.splits))]}
	for i := range p.Splits {
		p.Splits[i].Name = names[i]
	}
	return &describe.Sample{Set: f.job.set, Found: f.found, Plan: p, Observed: &f.observations, Records: f.encoded, All: f.all, Lost: f.lost}
}

// warnings returns the warnings of a build and of a plan that the rows show, except warnings about
// values. Small shards are known only if all rows were looked at.
func (f *firstRows) warnings() []string {
	s := f.sample()
	list := describe.Lines(f.job.set, s.Warnings())
	if f.all {
		list = append(list, s.Plan.SmallShards(f.job.cfg)...)
	}
	return append(list, f.sortWarnings()...)
}

// joins says how many rows of joins have no match. A join in which none of all rows has one is an error.
func (f *firstRows) joins() error {
	if list := f.job.set.UnmatchedJoins(&f.observations); f.all && len(list) > 0 {
		return f.job.unmatchedError(&list[0])
	}
	cfg := f.job.cfg
	all := f.all && cfg.Where == "" && cfg.Sample == nil && cfg.Dedupe == nil && len(cfg.Limit) == 0 && (cfg.Group == nil || cfg.Group.Windows == nil)
	joins := describe.Joins(f.job.set, &f.observations, func(source int) int64 { return f.found[source].Found })
	all = all && dataset.AllJoined(joins)
	for i := range joins {
		allowed := f.job.set.Sources[joins[i].Source].Spec().Join[joins[i].Join].AllowEmpty
		if text := describe.JoinText(f.job.set, &joins[i], all); text != "" && (f.all || allowed || joins[i].Unmatched < joins[i].Rows) { // else there is a warning
			f.job.run.inform("in " + f.rowsText() + ": " + text)
		}
	}
	return nil
}

// rowsText says how many rows were looked at.
func (f *firstRows) rowsText() string {
	n := f.looked()
	text := plural.Of(n, "row")
	switch {
	case f.all && n == 1:
		return "the only row"
	case f.all:
		return "all " + text
	case len(f.found) > 1:
		return "the first rows of each source, " + text
	}
	return "the first " + text
}

// duplicatesText says how many of the rows dedupe skips; it is empty if it skips no row.
func (f *firstRows) duplicatesText() string {
	if f.skipped[dataset.SkippedByDedupe] == 0 {
		return ""
	}
	return fmt.Sprintf("; dedupe skips %d of them", f.skipped[dataset.SkippedByDedupe])
}

// informSkipped says how many of the rows other rules of the config skip.
func (f *firstRows) informSkipped() {
	for _, rule := range []string{dataset.SkippedByWhere, dataset.SkippedBySample, dataset.SkippedByWindows} {
		switch n := f.skipped[rule]; {
		case n == 0:
		case f.all && n == f.looked():
			f.job.run.inform(rule + " skips " + f.rowsText())
		default:
			f.job.run.inform(fmt.Sprintf("%s skips %d of %s", rule, n, strings.TrimPrefix(f.rowsText(), "all ")))
		}
	}
}

// looked returns the number of rows that were looked at.
func (f *firstRows) looked() (n int64) {
	for _, src := range f.found {
		n += src.Found
	}
	return n
}

// checkRowsLeft returns the error of a build if the rules of the config skip all rows. If there may be
// others, it is a warning.
func (f *firstRows) checkRowsLeft() error {
	if f.kept > 0 {
		return nil
	}
	err := f.job.noRowsLeft(f.looked(), f.skipped)
	if err == nil || f.all {
		return err
	}
	f.job.run.warn(f.rowsText() + " give no record: " + dataset.SkippedText(f.skipped))
	return nil
}

// compareFirst compares the first rows of each source with each other, unless all rows are compared.
func (j *job) compareFirst(ctx context.Context) error {
	if !j.set.Compares() || j.set.Duplicates() != nil {
		return nil
	}
	p, f := newPass(j), &firstRows{job: j, found: make([]plan.Source, len(j.set.Sources))}
	return p.compare(func() (*rows.Duplicates, error) {
		c := j.newComparison(0, nil)
		c.First = true
		return c.Found(ctx, func(visit func(int, *rows.Row) error) error { return f.each(ctx, visit) })
	})
}

// firstRowsOf returns the first rows of a source. See [sources.Source.FirstRows] for the other results.
func firstRowsOf(ctx context.Context, src *rows.Source) (list []rows.Row, all bool, blank int64, err error) {
	all, blank, err = src.FirstRows(ctx, func(file int, rec *input.Record) error {
		r := rows.Of(src.First+file, rec)
		r.Data = bytes.Clone(r.Data)
		list = append(list, r)
		return nil
	})
	return list, all, blank, err
}

// each calls visit for the first rows of all sources, on all workers.
func (f *firstRows) each(ctx context.Context, visit func(worker int, r *rows.Row) error) error {
	for i, src := range f.job.set.Sources {
		list, all, blank, err := firstRowsOf(ctx, src)
		if err != nil {
			return err
		}
		f.all, f.found[i].Found, f.found[i].Blank = f.all && all, int64(len(list)), blank
		err = f.job.pool.Each(ctx, len(list), func(worker, i int) error { return visit(worker, &list[i]) })
		if err != nil {
			return err
		}
	}
	return nil
}

// choose determines the split of each row. It rejects rows without one, and finds the last row
// within each limit.
func (f *firstRows) choose(ctx context.Context) error {
	if err := f.divide(ctx); err != nil {
		return err
	}
	choosers, done := f.choosers()
	defer done()
	var mu sync.Mutex
	limited := map[rows.Limited][]rows.Turn{}
	err := f.each(ctx, func(worker int, r *rows.Row) error {
		split, key, err := choosers[worker].Choose(r)
		switch {
		case err != nil:
			return f.pass.log.AddWithout(r.Place(), err)
		case split == rows.Skipped:
			return nil
		}
		f.countKept()
		if f.job.set.Groups() { // a limit is one of records
			f.countSorted(choosers[worker].Grouping())
			return nil
		}
		if by := choosers[worker].Limited(split); by.Rows > 0 {
			mu.Lock()
			defer mu.Unlock()
			limited[by] = append(limited[by], rows.TurnOf(f.job.set, r, key))
		}
		return nil
	})
	counts := make([]plan.Source, len(f.found))
	for _, c := range choosers {
		c.AddSkipped(counts)
	}
	f.skipped = skippedBy(counts)
	f.last = map[rows.Limited]rows.Turn{}
	for by, list := range limited {
		if by.Rows < int64(len(list)) {
			slices.SortFunc(list, rows.Turn.Compare)
			f.last[by] = list[by.Rows-1]
		}
	}
	if err == nil && f.job.set.Groups() {
		f.windows, err = firstWindows(ctx, f.job, f.pass.log)
		if f.all && len(f.windows) == 0 && f.kept > 0 {
			f.skipped[dataset.SkippedByWindows] = int64(f.kept)
		}
		f.kept = len(f.windows)
	}
	return err
}

// skippedBy returns the number of rows that choosers skipped, by rule.
func skippedBy(counts []plan.Source) map[string]int64 {
	all := map[string]int64{}
	for _, n := range counts {
		all[dataset.SkippedByWhere] += n.Unwanted
		all[dataset.SkippedByDedupe] += n.Duplicates
		all[dataset.SkippedBySample] += n.Sampled
	}
	return all
}

func (f *firstRows) countKept() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.kept++
}

// countSorted counts a row that is sorted by a string.
func (f *firstRows) countSorted(g *rows.Grouping) {
	isText, isNumber := g.SortText()
	f.mu.Lock()
	defer f.mu.Unlock()
	if isText {
		f.sortTexts++
	}
	if isNumber {
		f.sortNumbers++
	}
}

// sortWarnings warns of a column of group.sort whose strings are all numbers.
func (f *firstRows) sortWarnings() []string {
	if f.sortTexts < 2 || f.sortNumbers < f.sortTexts {
		return nil
	}
	column := f.job.cfg.Group.Sort.Column
	return []string{fmt.Sprintf("group.sort: column %[2]q has numbers as strings in %[1]s, and \"10\" is before \"9\"; write sort: {column: %[2]s, type: int64}", f.rowsText(), column)}
}

// divide divides the first rows of stratified sources among the splits, unless all rows are divided
// already.
func (f *firstRows) divide(ctx context.Context) error {
	all := f.job.set.Strata
	if all == nil || all.Decision() != nil || f.job.set.Groups() { // groups are divided, not their rows
		return nil
	}
	choosers, done := f.choosers()
	defer done()
	found := make(strata.Memories, len(choosers))
	for i := range found {
		found[i] = new(strata.Memory)
	}
	err := f.each(ctx, func(worker int, r *rows.Row) error {
		var bad *schema.RowError
		if _, _, err := choosers[worker].Choose(r); err != nil && !errors.As(err, &bad) {
			return err
		}
		if of := choosers[worker].Pending().Stratum; of.Number > 0 {
			found[worker].Add(of.Point, of.Number-1)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return all.Decide(found)
}

// choosers returns one chooser per worker; done closes them.
func (f *firstRows) choosers() (list []*rows.Chooser, done func()) {
	for range f.job.pool.Size() {
		list = append(list, f.job.set.NewChooser())
	}
	return list, func() {
		for _, c := range list {
			c.Close()
		}
	}
}

// Classes implements [splitRows]: ok says that the class names were collected from all rows.
func (f *firstRows) Classes() (names map[string][]string, ok bool) { return nil, f.classesKnown }

// Each calls visit for each row that has a split and is within its limit.
func (f *firstRows) Each(ctx context.Context, visit func(worker int, r *rows.Row) error) error {
	if f.job.set.Groups() {
		return f.eachGroupedRow(visit)
	}
	choosers, done := f.choosers()
	defer done()
	return f.each(ctx, func(worker int, r *rows.Row) error {
		split, key, err := choosers[worker].Choose(r)
		var bad *schema.RowError
		switch {
		case errors.As(err, &bad), err == nil && split == rows.Skipped:
			return nil // choose has counted the row
		case err != nil:
			return err
		}
		if last, ok := f.last[choosers[worker].Limited(split)]; ok && rows.TurnOf(f.job.set, r, key).Compare(last) > 0 {
			return nil
		}
		r.Split = split
		return visit(worker, r)
	})
}

// encode encodes all rows that a build would write.
func (f *firstRows) encode(ctx context.Context) error {
	if f.kept == 0 {
		return nil
	}
	names, err := f.pass.collectClasses(ctx, f, f.all)
	if err == nil && len(names) > 0 {
		err = f.job.set.SetClasses(names)
	}
	if err != nil {
		return err
	}
	encoders, bufs := make([]*rows.Encoder, f.job.pool.Size()), make([][]byte, f.job.pool.Size())
	for i := range encoders {
		encoders[i] = f.job.set.NewEncoder()
		defer encoders[i].Close()
	}
	each := f.Each
	if f.job.set.Groups() {
		each = f.eachWindow
	}
	err = each(ctx, func(worker int, r *rows.Row) (err error) {
		if bufs[worker], err = encoders[worker].Append(bufs[worker][:0], r); err != nil {
			if bad, ok := errors.AsType[*rows.RecordError](err); ok {
				win := f.job.set.Window(r)
				*r = f.job.set.GroupRow(win.Group, bad.Row, win.Split)
			}
			if !f.isFirst(r) {
				return nil
			}
			return f.pass.log.Add(r.Place(), err, encoders[worker].EachError, f.reject)
		}
		f.count(r.Split, bufs[worker])
		return nil
	})
	for _, e := range encoders {
		e.TakeObservations(&f.observations)
	}
	return err
}

// eachWindow calls visit for each record of the groups of the first rows.
func (f *firstRows) eachWindow(ctx context.Context, visit func(worker int, r *rows.Row) error) error {
	return f.job.pool.Each(ctx, len(f.windows), func(worker, i int) error { return visit(worker, &f.windows[i]) })
}

// eachGroupedRow calls visit for each row of the windows, once.
func (f *firstRows) eachGroupedRow(visit func(worker int, r *rows.Row) error) error {
	set := f.job.set
	for i := range f.windows {
		win := set.Window(&f.windows[i])
		from, to := set.Own(&win)
		for k := from; k < to; k++ {
			r := set.GroupRow(win.Group, k, win.Split)
			if err := visit(0, &r); err != nil {
				return err
			}
		}
	}
	return nil
}

// firstWindows returns the records of the groups of the first rows, in output order.
func firstWindows(ctx context.Context, j *job, log *rejects.Log) ([]rows.Row, error) {
	var list []rows.Row
	for _, src := range j.set.Sources {
		first, _, _, err := firstRowsOf(ctx, src)
		if err != nil {
			return nil, err
		}
		list = append(list, first...)
	}
	return spill.GroupSome(j.set, log, list)
}

// isFirst reports whether a row is rejected for the first time. A row of a group may be in several
// records.
func (f *firstRows) isFirst(r *rows.Row) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.seen == nil {
		f.seen = map[rowKey]bool{}
	}
	key := rowKey{r.File, r.Offset}
	was := f.seen[key]
	f.seen[key] = true
	return !was
}

// A rowKey identifies a row.
type rowKey struct {
	file   int
	offset int64
}

// count counts a record of a split.
func (f *firstRows) count(split uint8, payload []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.encoded++
	s := &f.splits[split]
	s.Rows++
	s.Bytes += uint64(len(payload))
	f.names.add(payload)
}

// reject stores a rejected row.
func (f *firstRows) reject(r rejects.Reject) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rejected.Add(r)
}

// result returns the error of a build with these rows.
func (f *firstRows) result(ctx context.Context, t *try) error {
	if f.pass.log.Failed() && !f.pass.log.Tolerant() {
		rowError, err := f.job.reader().Kinds(ctx, f.pass.log.Kinds())
		return cmp.Or(err, rowError)
	}
	list := f.pass.log.Without()
	list.AddAll(&f.rejected)
	list, counts := f.pass.countRejects(list)
	if list.Len() == 0 {
		return nil
	}
	one, err := f.job.reader().First(ctx, list)
	if err == nil {
		f.lost, err = f.job.lostDuplicates(list)
	}
	switch {
	case err != nil:
		return err
	case f.pass.log.Failed():
		return errors.Join(f.pass.log.TooMany(counts, false), one)
	case f.encoded == 0:
		return errors.Join(rejects.AllRejectedError(counts), one)
	case t == nil || t.reported == 0:
		f.job.run.reportRow(one)
		f.job.run.warn((&Rejected{Counts: counts}).Text())
	}
	return nil
}
