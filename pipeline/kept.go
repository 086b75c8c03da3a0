package pipeline

import (
	"context"

	"tfr-build/pipeline/rejects"
	"tfr-build/pipeline/spill"
	"tfr-build/pipeline/work"
)

// results are the notes and the spill files of the tasks of a build.
type results struct {
	plan  *work.Plan                // of the tasks; nil until one process needs a file
	files spillFiles                // the same
	made  map[work.Phase]*work.Note // of tasks with a spill file that this process did
	log   *rejects.Log              // an invalid row ends a task; nil if one process reads the other rows, too
}

// openDirectory opens the directory of the spill files of a build by one process. The build is the only task of each
// phase there, and leaves notes as tasks do.
func (b *build) openDirectory(ctx context.Context) error {
	if b.results.files != nil {
		return nil
	}
	if b.job.spills() {
		if err := b.out.whileBeginning(ctx, func(context.Context) error { return nil }); err != nil {
			return err
		}
	}
	dir, err := b.out.stage.SpillDirectory(work.KeptNames...)
	if err != nil {
		return err
	}
	// Not synced: notes and spill files have digests, and a damaged one is made again.
	files, err := work.NewDirectory(b.job.run.Storage, dir, "", false)
	if err != nil {
		return err
	}
	b.results.files, b.results.plan = files, notesOf(b.job, b.job.spills())
	b.results.plan.In = files
	if _, err := b.results.plan.Encode(); err != nil { // sets the digest
		return err
	}
	return files.Make()
}

// notesOf returns the plan of a build by one process, which is the only task of each phase.
func notesOf(j *job, scans bool) *work.Plan {
	p := &work.Plan{}
	if j.set.Compares() {
		p.Compares = make([][]spill.InputRange, 1)
	}
	if scans {
		p.Scans = make([][]spill.InputRange, 1)
	}
	if j.set.Groups() {
		p.Groups = 1
	}
	return p
}

// spillFiles are the spill files of a build, by phase and task. They are a [work.Directory], or in memory.
type spillFiles interface {
	CreateSpillFile(work.Phase, int) (spill.NewFile, error)
	SpillFile(phase work.Phase, k int, name string) spill.File
	RemoveSpillFiles(...work.Phase) error
	Attempt() string
}

// memoryFiles are the spill files of a build that writes nothing. The first file of a phase is the one with its result;
// the others are temporary.
type memoryFiles map[work.Phase]spill.NewFile

func (m memoryFiles) CreateSpillFile(phase work.Phase, _ int) (spill.NewFile, error) {
	f := new(spill.MemoryFile)
	if m[phase] == nil {
		m[phase] = f
	}
	return f, nil
}

func (m memoryFiles) SpillFile(phase work.Phase, _ int, _ string) spill.File { return m[phase] }

func (m memoryFiles) RemoveSpillFiles(phases ...work.Phase) error {
	for _, phase := range phases {
		delete(m, phase)
	}
	return nil
}

func (memoryFiles) Attempt() string { return "" }

// doOnce does a step in one process, or restores what the stopped build that it resumes made in the step.
func (b *build) doOnce(ctx context.Context, s *step) error {
	if isResumed := s.phase != planning && b.out.begin == nil; isResumed && (b.job.set.Compares() || b.job.spills()) {
		if err := b.openDirectory(ctx); err != nil {
			return err
		}
		n, err := b.results.plan.Note(s.phase, 0)
		switch {
		case err != nil:
			return err
		case n != nil && b.results.plan.Count(s.phase) > 0 && (s.phase == work.Match || !b.pass.mustCompare()):
			return s.restore(b, ctx)
		}
		if err := b.results.files.RemoveSpillFiles(s.phase); err != nil {
			return err
		}
	}
	if err := b.doStep(ctx, s, 0); err != nil {
		return err
	}
	made := b.results.made[s.phase]
	if made == nil {
		return nil
	}
	if err := s.restore(b, ctx); err != nil {
		return err
	}
	err := b.keepNote(s.phase)
	made.Scanned = nil // it takes memory, and b.rows or b.merged has what is needed of it
	return err
}

// keepNote stores the note of a phase for a build that resumes, unless that would repeat the error with which this one
// ends.
func (b *build) keepNote(phase work.Phase) error {
	if s, ok := b.rows.(*spill.Spill); b.results.plan.In == nil || b.pass.log.Failed() || ok && !s.HasClasses() {
		return nil
	}
	if err := b.results.plan.Done(phase, 0, b.results.made[phase]); err != nil {
		return err
	}
	b.out.stage.KeepSpillFiles()
	return nil
}

// each calls visit for the notes of all tasks of a phase.
func (r *results) each(phase work.Phase, visit func(k int, n *work.Note) error) error {
	if n := r.made[phase]; n != nil { // of one process
		return visit(0, n)
	}
	return r.plan.Each(phase, r.plan.Count(phase), visit)
}

// failed reports whether an invalid row ends the task.
func (r *results) failed() bool { return r.log != nil && r.log.Failed() }

// makeFile does a task of a phase that writes a spill file: do writes it, and returns the note.
func (r *results) makeFile(phase work.Phase, k int, do func(spill.File) (*work.Note, error)) error {
	file, err := r.files.CreateSpillFile(phase, k)
	if err != nil {
		return err
	}
	note, err := do(file)
	if err == nil && r.failed() {
		err = errInvalidRow
	}
	if err != nil {
		file.Discard()
		return err
	}
	note.Bytes = file.Size()
	note.File, err = file.Finish()
	r.made[phase] = note
	return err
}

// merged returns the merged spill files of a phase.
func (r *results) merged(phase work.Phase, m *work.Merged) (list []spill.File) {
	for k, name := range m.Files {
		list = append(list, r.files.SpillFile(phase, k, name))
	}
	return list
}

// makeSkips writes the rows that rules skip, of about n rows, to the spill file of the match. find finds them.
func (b *build) makeSkips(n int64, find findSkips) error {
	return b.results.makeFile(work.Match, 0, func(file spill.File) (*work.Note, error) {
		var temporary []spill.NewFile
		defer func() {
			for _, more := range temporary {
				more.Discard()
			}
		}()
		c := b.job.newComparison(n, func() (spill.File, error) {
			more, err := b.results.files.CreateSpillFile(work.Match, 0)
			if err == nil {
				temporary = append(temporary, more)
			}
			return more, err
		})
		c.Skips = file
		var err error
		if c.Known, err = b.job.baseDigests(); err != nil {
			return nil, err
		}
		skips, err := find(c)
		if err != nil {
			return nil, err
		}
		return &work.Note{Skips: skips, Rows: skips.Count()}, nil
	})
}

// matchOnce is makeSkips in a build by one process, which keeps the result.
func (b *build) matchOnce(n int64, find findSkips) error {
	if err := b.makeSkips(n, find); err != nil {
		return err
	}
	b.setSkips(b.results.made[work.Match])
	return b.keepNote(work.Match)
}

// setSkips sets the skipped rows of a note.
func (b *build) setSkips(n *work.Note) {
	n.Skips.Open(b.results.files.SpillFile(work.Match, 0, n.File))
	b.job.set.SetSkips(n.Skips)
}
