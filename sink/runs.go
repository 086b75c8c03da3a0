package sink

import (
	"cmp"
	"context"
)

// CreateRun makes a spill run. Its name is free again after Remove.
func (s *Stage) CreateRun(name string) (*Run, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	if s.journal == nil { // nothing of it is kept, and others may have the name
		path := s.disk.temp("", name)
		f, err := s.disk.fs.Create(path)
		if err != nil {
			return nil, fault("creating", path, err)
		}
		return newRun(s.files, f, true), nil
	}
	return s.spill.create(name, s.journal)
}

// KeepRuns notes that runs hold every row, so that a run that resumes this one
// need not make them again. note is a JSON value that it is given. Spill runs are
// not synced: a loss of power may cost them, which whoever reads them has to see.
func (s *Stage) KeepRuns(runs []*Run, note []byte) error {
	line := LeftRuns{Dir: s.spill.folder.apart(), Note: note}
	for _, r := range runs {
		line.Files = append(line.Files, r.sum())
	}
	noted, err := s.journal.append(&journalLine{Spill: &line})
	if err != nil || !noted {
		return err
	}
	s.spill.keep()
	s.resumable.Store(true)
	return nil
}

// ReopenRuns opens the spill runs of a stopped run, as KeepRuns was given them,
// and returns its note. needs says which of them are needed: the others may be
// gone, and are nil. check reads the runs, and gives an error of one that is not as
// it was. Where not all that is needed is there, as it was, nothing is
// returned, and what is left of them is removed. After an error of needs they stay.
func (s *Stage) ReopenRuns(ctx context.Context, needs func(note []byte) ([]bool, error), check func([]*Run) error) (runs []*Run, note []byte, err error) {
	if s.left == nil || s.left.Runs == nil || len(s.left.Runs.Files) == 0 {
		return nil, nil, s.DropRuns()
	}
	left := s.left.Runs
	ok, err := s.spill.reclaim(left)
	if err != nil {
		return nil, nil, err
	}
	if !ok {
		return nil, nil, s.DropRuns()
	}
	needed, err := needs(left.Note)
	if err != nil {
		return nil, nil, err
	}
	runs, err = s.spill.reopen(left.Files, needed, check)
	switch {
	case ctx.Err() != nil:
		return nil, nil, context.Cause(ctx)
	case err == nil:
		return runs, left.Note, nil
	}
	s.disk.warn("the spill runs of the stopped run are made again: " + err.Error())
	return nil, nil, cmp.Or(s.spill.drop(), s.DropRuns())
}

// DropRuns removes the spill runs of a stopped run, wherever they are.
func (s *Stage) DropRuns() error {
	if s.left == nil || s.left.Runs == nil {
		return nil
	}
	left := s.left.Runs
	s.left.Runs = nil
	return s.spill.dropLeft(left)
}
