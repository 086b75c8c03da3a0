package sink

import (
	"cmp"
	"context"
)

// CreateSpillFile creates a spill file. After Remove, its name can be used again.
func (s *Stage) CreateSpillFile(name string) (*SpillFile, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	if s.journal == nil { // nothing is kept, and other processes may use the name
		path := s.disk.newTempPath("", name)
		f, err := s.disk.fs.Create(path)
		if err != nil {
			return nil, wrapError("creating", path, err)
		}
		return newSpillFile(s.files, f, true), nil
	}
	return s.spill.create(name, s.journal)
}

// KeepSpillFiles records that runs are complete, so that a run that resumes this one does not need
// to make them again. A later call replaces the record. note is a JSON value for that run. Spill
// files are not synced: a power loss may damage them, which their reader must detect.
func (s *Stage) KeepSpillFiles(runs []*SpillFile, note []byte) error {
	line := FinishedSpill{Note: note}
	if s.spill.lock != nil {
		line.Dir = s.spill.dir
	}
	for _, r := range runs {
		line.Files = append(line.Files, r.sum())
	}
	recorded, err := s.journal.append(&journalLine{Spill: &line})
	if err != nil || !recorded {
		return err
	}
	s.spill.keepFiles()
	for _, r := range runs {
		s.files.forgetTemp(r.f.Name())
	}
	s.resumable.Store(true)
	return nil
}

// ReopenSpillFiles opens the spill files of a stopped run, in the order in which KeepSpillFiles recorded
// them, and returns its note. needs selects the files that are needed. The others may be
// missing, and are nil in runs. check reads the files, and returns an error if one has changed.
//
// If a needed file is missing or has changed, ReopenSpillFiles returns no files, and removes what is
// left of them. After an error of needs, the files stay.
func (s *Stage) ReopenSpillFiles(
	ctx context.Context, needs func(note []byte) ([]bool, error), check func([]*SpillFile) error,
) (runs []*SpillFile, note []byte, err error) {
	if s.left == nil || s.left.Runs == nil || len(s.left.Runs.Files) == 0 {
		return nil, nil, s.DropSpillFiles()
	}
	left := s.left.Runs
	ok, err := s.spill.reclaim(left)
	if err != nil {
		return nil, nil, err
	}
	if !ok {
		return nil, nil, s.DropSpillFiles()
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
	s.disk.warn("the spill files of the stopped run are written again: " + err.Error())
	return nil, nil, cmp.Or(s.spill.cleanUp(), s.DropSpillFiles())
}

// DropSpillFiles removes the spill files of a stopped run from the staging or scratch directory.
func (s *Stage) DropSpillFiles() error {
	if s.left == nil || s.left.Runs == nil {
		return nil
	}
	left := s.left.Runs
	s.left.Runs = nil
	return s.spill.removeLeftover(left)
}
