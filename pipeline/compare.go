package pipeline

import (
	"context"
	"io"

	"tfr-build/pipeline/decide"
	"tfr-build/pipeline/duplicates"
	"tfr-build/pipeline/find"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/spill"
	"tfr-build/pipeline/work"
	"tfr-build/sink"
)

// newComparison returns the comparison of about n rows. create creates its spill files.
func (j *job) newComparison(n int64, create func() (spill.File, error)) *spill.Comparison {
	return &spill.Comparison{Set: j.set, Pool: j.pool, Rows: n, Memory: j.run.spillLimit() / 2, Step: j.run.Chunk,
		Create: create}
}

// baseDigests returns the digests of the rows of the base; nil without a base.
func (j *job) baseDigests() ([]byte, error) {
	if j.base == nil || !j.cfg.KeepsRows() {
		return nil, nil
	}
	return j.base.Digests(j.run.Storage)
}

// keptDigests returns the digests of all compared rows, with the rows of the base.
func (j *job) keptDigests() ([]byte, error) {
	known, err := j.baseDigests()
	if err != nil {
		return nil, err
	}
	for i, rule := range j.set.Rules {
		if !rule.Keeps {
			continue
		}
		more, err := j.set.Skips().Lists[i].ReadKept()
		if err != nil {
			return nil, err
		}
		known = decide.MergeKept(known, more)
	}
	return known, nil
}

// rowText is about the text size of a row, in bytes, for the number of rows that are not read yet.
const rowText = 64

// mustCompare reports whether rows must be compared: the skipped rows are not known yet.
func (p *pass) mustCompare() bool { return p.job.set.Compares() && p.job.set.Skips() == nil }

// compareFound makes a finder compare the rows that it finds, if it must.
func (p *pass) compareFound(f *find.Finder) {
	if !p.mustCompare() {
		return
	}
	f.Compare = func(ctx context.Context, n int64, each func(func(int, *rows.Row) error) error) error {
		return p.compare(n, func(c *spill.Comparison) (*decide.Skips, error) { return c.Found(ctx, each) })
	}
}

// compareRead reads all rows and compares them, before they are read again to spill or count them,
// if it must.
func (p *pass) compareRead(ctx context.Context) error {
	if !p.mustCompare() {
		return nil
	}
	s := p.newScan()
	return p.compare(s.Bytes/rowText, func(c *spill.Comparison) (*decide.Skips, error) { return c.Read(ctx, s.Pieces) })
}

// compareMemory returns the memory of a worker for the rows that it compares.
func (j *job) compareMemory() int64 { return j.run.spillLimit() / int64(4*j.pool.Size()) }

// compareRows does compare task k: it writes what the rows are compared by to a spill file.
func (b *build) compareRows(ctx context.Context, k int) error {
	t, n := b.tasks, int64(0)
	ranges := t.plan.Compares[k]
	for _, p := range ranges {
		src, local := b.job.set.File(p.File)
		n += src.Listing().Files[local].Size
	}
	return b.results.makeFile(work.Compare, k, func(file spill.File) (*work.Note, error) {
		c := b.job.newComparison(n/rowText, func() (spill.File, error) { return file, nil })
		c.ID = spill.IDOf(t.directory.Attempt(), k)
		run, err := c.ReadTo(ctx, ranges, t.plan.Ranges)
		if err != nil {
			return nil, err
		}
		return &work.Note{Compared: run, Rows: run.Count()}, b.job.checkUnchanged(ranges)
	})
}

// matchRows finds the rows of all compare tasks that rules skip.
func (b *build) matchRows(ctx context.Context, _ int) error {
	var runs []spill.HashRun
	var files []spill.File
	n := int64(0)
	err := b.results.each(work.Compare, func(k int, note *work.Note) error {
		runs, files = append(runs, *note.Compared), append(files, b.results.files.SpillFile(work.Compare, k, note.File))
		n += note.Compared.Count()
		return nil
	})
	if err != nil {
		return err
	}
	return b.makeSkips(n, func(c *spill.Comparison) (*decide.Skips, error) { return c.MatchRuns(ctx, runs, files) })
}

// restoreMatched sets the skipped rows. Without rules it does nothing.
func (b *build) restoreMatched(context.Context) error {
	return b.results.each(work.Match, func(_ int, n *work.Note) error {
		b.setSkips(n)
		return n.Skips.Check(len(b.job.set.Rules))
	})
}

// A findSkips finds the rows that rules skip by a comparison.
type findSkips = func(*spill.Comparison) (*decide.Skips, error)

// compare compares about n rows: it sets the skipped rows that find returns, and keeps them. It forgets the splits
// that only the comparison found: all their rows may be skipped.
func (p *pass) compare(n int64, find findSkips) error {
	set := p.job.set
	defer set.Splits.Restore(set.Splits.Names())
	return p.match(n, find)
}

// lost returns how many rows each rule skips for a row that is among the rejects.
func (j *job) lost(list *rejects.List) ([]int64, error) {
	if j.set.Skips() == nil {
		return nil, nil
	}
	return duplicates.New(j.set, list).Lost()
}

// writeSkipped writes the lists of skipped rows that the config names, or removes an older list if no row is skipped.
func (o *output) writeSkipped(ctx context.Context, list *rejects.List) error {
	set := o.job.set
	l := duplicates.New(set, list)
	for i, rule := range set.Rules {
		if rule.List == "" {
			continue
		}
		file := listFile(rule)
		var err error
		if set.Skips().Lists[i].Count == 0 {
			err = o.stage.RemoveSidecar(file)
		} else {
			err = o.stage.ReplaceSidecar(ctx, file, func(w io.Writer) error { return l.Write(ctx, w, i) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// listFile returns the list of the rows that a rule skips.
func listFile(rule *decide.Rule) *sink.Sidecar {
	return &sink.Sidecar{Path: rule.List, What: "a file of duplicates", IsOwn: duplicates.IsFile}
}
