package pipeline

import (
	"context"
	"io"

	"tfr-build/pipeline/duplicates"
	"tfr-build/pipeline/find"
	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/rows"
	"tfr-build/pipeline/spill"
	"tfr-build/pipeline/work"
)

// newComparison returns the comparison of about n rows. create creates its spill files; it may be
// nil.
func (j *job) newComparison(n int64, create func(name string) (spill.File, error)) *spill.Comparison {
	return &spill.Comparison{Set: j.set, Pool: j.pool, Rows: n, Memory: j.run.spillLimit() / 2, Step: j.run.Chunk, Create: create}
}

// rowText is about the text size of a row, in bytes, for the number of rows that are not read yet.
const rowText = 64

// compareFound makes a finder compare the rows that it finds, unless the duplicates are known.
func (p *pass) compareFound(f *find.Finder) {
	if !p.job.set.Compares() || p.job.set.Duplicates() != nil {
		return
	}
	f.Compare = func(ctx context.Context, n int64, each func(func(int, *rows.Row) error) error) error {
		return p.compare(func() (*rows.Duplicates, error) { return p.job.newComparison(n, p.create).Found(ctx, each) })
	}
}

// compareRead reads all rows and compares them, before they are read again to spill or count them,
// unless the duplicates are known.
func (p *pass) compareRead(ctx context.Context) error {
	if !p.job.set.Compares() || p.job.set.Duplicates() != nil {
		return nil
	}
	s := p.job.scanAll()
	return p.compare(func() (*rows.Duplicates, error) {
		return p.job.newComparison(s.bytes/rowText, p.create).Read(ctx, s.pieces)
	})
}

// compareMemory returns the memory of a worker for the rows that it compares.
func (j *job) compareMemory() int64 { return j.run.spillLimit() / int64(4*j.pool.Size()) }

// A compareResult is the result of a compare task, with its spill file.
type compareResult struct {
	run    *spill.HashRun
	shared *work.SpillFile // of a task in this process, until it has a name
	file   spill.File      // of a task that is done
}

// compareRows does compare task k: it writes what the rows are compared by to a spill file.
func (b *build) compareRows(ctx context.Context, k int) error {
	if b.tasks == nil {
		return nil
	}
	t := b.tasks
	file, err := t.directory.CreateSpillFile(work.Compare, k)
	if err != nil {
		return err
	}
	n := int64(0)
	for _, p := range t.plan.Compares[k] {
		src, local := b.job.set.File(p.File)
		n += src.Listing().Files[local].Size
	}
	c := b.job.newComparison(n/rowText, func(string) (spill.File, error) { return file, nil })
	c.ID = spill.IDOf(t.directory.Attempt(), k)
	run, err := c.ReadTo(ctx, t.plan.Compares[k], t.plan.Ranges)
	if err != nil {
		file.Discard()
		return err
	}
	b.compared = []compareResult{{run: run, shared: file}}
	return nil
}

// noteCompared returns the note of compare task k.
func (b *build) noteCompared(k int) (*work.Note, error) {
	run, file := b.compared[0].run, b.compared[0].shared
	if err := b.job.checkUnchanged(b.tasks.plan.Compares[k]); err != nil {
		file.Discard()
		return nil, err
	}
	note := &work.Note{Compared: &work.Compared{Run: run}, Bytes: file.Size()}
	for _, n := range run.Rows {
		note.Rows += n
	}
	var err error
	note.Compared.File, err = file.Finish()
	return note, err
}

// restoreCompared opens the spill files of the compare tasks.
func (b *build) restoreCompared(context.Context) error {
	t := b.tasks
	b.compared = nil
	return t.plan.Each(t.directory, work.Compare, len(t.plan.Compares), func(k int, n *work.Note) error {
		b.compared = append(b.compared, compareResult{run: n.Compared.Run, file: t.directory.SpillFile(work.Compare, k, n.Compared.File)})
		return nil
	})
}

// matchRows finds the duplicates among the rows of all compare tasks.
func (b *build) matchRows(ctx context.Context, _ int) error {
	if b.tasks == nil {
		return nil
	}
	dir := b.tasks.directory
	file, err := dir.CreateSpillFile(work.Match, 0)
	if err != nil {
		return err
	}
	var temporary []*work.SpillFile
	n, runs, files := int64(0), []spill.HashRun{}, []spill.File{}
	for _, of := range b.compared {
		runs, files = append(runs, *of.run), append(files, of.file)
		for _, rows := range of.run.Rows {
			n += rows
		}
	}
	c := b.job.newComparison(n, func(name string) (spill.File, error) {
		if name == spill.DuplicatesName {
			return file, nil
		}
		more, err := dir.CreateSpillFile(work.Match, 0)
		temporary = append(temporary, more)
		return more, err
	})
	d, err := c.MatchRuns(ctx, runs, files)
	for _, more := range temporary {
		more.Discard()
	}
	if err != nil {
		file.Discard()
		return err
	}
	b.matched = &work.Matched{Duplicates: d}
	b.matchedFile = file
	return nil
}

// noteMatched returns the note of the match.
func (b *build) noteMatched(int) (*work.Note, error) {
	note := &work.Note{Matched: b.matched, Rows: b.matched.Duplicates.Count, Bytes: b.matchedFile.Size()}
	var err error
	note.Matched.File, err = b.matchedFile.Finish()
	return note, err
}

// restoreMatched sets the duplicates. Without dedupe it does nothing.
func (b *build) restoreMatched(context.Context) error {
	t := b.tasks
	return t.plan.Each(t.directory, work.Match, min(len(t.plan.Compares), 1), func(_ int, n *work.Note) error {
		d := n.Matched.Duplicates
		d.Open(t.directory.SpillFile(work.Match, 0, n.Matched.File))
		b.job.set.SetDuplicates(d)
		return nil
	})
}

// compare sets the duplicates that find returns, and keeps them. It forgets the splits that only
// the comparison found: all their rows may be skipped.
func (p *pass) compare(find func() (*rows.Duplicates, error)) error {
	set := p.job.set
	names := set.Splits.Names()
	d, err := find()
	set.Splits.Restore(names)
	set.SetDuplicates(d)
	if err != nil || p.keep == nil {
		return err
	}
	return p.keep()
}

// lostDuplicates returns how many rows dedupe skips for a row that is among the rejects.
func (j *job) lostDuplicates(list *rejects.List) (int64, error) {
	if j.set.Duplicates() == nil {
		return 0, nil
	}
	return duplicates.New(j.set, list).Lost()
}

// writeDuplicates writes the list of the rows that dedupe skips, if the config names its file, or
// removes an older list if no row is skipped.
func (b *build) writeDuplicates(ctx context.Context, list *rejects.List) error {
	d := b.job.set.Duplicates()
	if d == nil || b.job.paths.Duplicates == "" {
		return nil
	}
	if d.Count == 0 {
		return b.out.stage.RemoveSidecar(b.job.duplicatesFile())
	}
	l := duplicates.New(b.job.set, list)
	return b.out.stage.ReplaceSidecar(ctx, b.job.duplicatesFile(), func(w io.Writer) error { return l.Write(ctx, w) })
}
