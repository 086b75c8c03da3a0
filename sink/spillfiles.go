package sink

import (
	"cmp"
	"context"
)

// CreateRun creates a spill file. After Remove, its name can be used again.
func (s *Stage) CreateRun(name string) (*Run, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	if s.journal == nil { // nothing is kept, and other processes may use the name
		path := s.disk.newTempPath("", name)
		f, err := s.disk.fs.Create(path)
		if err != nil {
			return nil, wrapError("creating", path, err)
		}
		return newRun(s.files, f, true), nil
	}
	return s.spill.create(name, s.journal)
}

// KeepRuns records that runs contain every row, so that a run that resumes this one does not
// need to make them again. note is a JSON value for that run. Spill files are not synced: a
// power loss may damage them, which their reader must detect.
func (s *Stage) KeepRuns(runs []*Run, note []byte) error {
	line := LeftRuns{Dir: s.spill.directory.scratchDir(), Note: note}
	for _, r := range runs {
		line.Files = append(line.Files, r.sum())
	}
	recorded, err := s.journal.append(&journalLine{Spill: &line})
	if err != nil || !recorded {
		return err
	}
	s.spill.keepFiles()
	s.resumable.Store(true)
	return nil
}

// ReopenRuns opens the spill files of a stopped run, in the order in which KeepRuns recorded
// them, and returns its note. needs selects the files that are needed. The others may be
// missing, and are nil in runs. check reads the files, and returns an error if one has changed.
//
// If a needed file is missing or has changed, ReopenRuns returns no files, and removes what is
// left of them. After an error of needs, the files stay.
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
	runs, err = s.spill.reopenFiles(left.Files, needed, check)
	switch {
	case ctx.Err() != nil:
		return nil, nil, context.Cause(ctx)
	case err == nil:
		return runs, left.Note, nil
	}
	s.disk.warn("the spill runs of the stopped run are made again: " + err.Error())
	return nil, nil, cmp.Or(s.spill.cleanUp(), s.DropRuns())
}

// DropRuns removes the spill files of a stopped run from the staging or scratch directory.
func (s *Stage) DropRuns() error {
	if s.left == nil || s.left.Runs == nil {
		return nil
	}
	left := s.left.Runs
	s.left.Runs = nil
	return s.spill.removeLeft(left)
}
