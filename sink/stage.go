package sink

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"tfr-build/internal/vfs"
)

const errNotDir = syscall.ENOTDIR

// Options say how a dataset is written. None of them changes a byte of it.
type Options struct {
	// Sync makes each step durable before the next. Without it a loss of power
	// can cost the dataset, and even leave it in sight damaged.
	Sync bool
	// Cold has what was written read back from the disk and not from memory,
	// as far as the system allows.
	Cold bool
	// Overwrite allows a commit to replace a dataset of ours.
	Overwrite bool
	// Scratch is a folder for parts, which otherwise stand in the hidden one.
	Scratch string
	// Warn is told what the file system lacks. It may be nil.
	Warn func(message string)
	// Readers is how many readers at once read back what was written, over all
	// shards that are finished at the same time. 0 is 1.
	Readers int
}

// A Stage is a dataset in the making. Its methods, but for Begin, Resume,
// WritePlan, Drop, Commit and Close, may be called from several goroutines.
type Stage struct {
	disk
	opt     Options
	output  string
	hidden  string
	data    string // hidden/data
	found   Found
	lock    vfs.File
	left    *Left    // what a stopped run left; nil where there is nothing
	planned *planned // the plan in the hidden folder; nil where there is none
	journal *journal // nil until Begin or Resume

	mu      sync.Mutex
	names   map[string]bool // of files in data/, false until they are whole
	open    map[vfs.File]bool
	temps   map[string]bool // files that go when they are not finished
	scratch *scratch        // nil until there is a part
	begun   bool            // data/ is this run's, to fill or to remove
	keep    bool            // something is finished that the next run can go on with
}

// Open takes the lock of an output and looks at what stands there. It makes the
// parents of the output and the hidden folder, ends a commit or an overwrite that
// was stopped half way, removes from the hidden folder what no run can go on
// with, and else changes nothing.
//
// The error is a *LockedError when another run holds the output, an
// *OutputError when the file system refuses, and ErrInTheWay, ErrForeign,
// ErrMountPoint or ErrName when the output cannot be used as it stands.
func Open(fsys vfs.FS, output string, opt Options) (*Stage, error) {
	if opt.Warn == nil {
		opt.Warn = func(string) {}
	}
	v, err := look(fsys, output)
	if err != nil {
		return nil, err
	}
	if v.Found == Foreign {
		return nil, &placeError{v.Path, ErrInTheWay}
	}
	s := &Stage{
		disk:   disk{fs: fsys, sync: opt.Sync, cold: opt.Cold, readers: newReaders(opt.Readers), warn: opt.Warn},
		opt:    opt,
		output: v.Path,
		hidden: HiddenPath(v.Path),
		names:  map[string]bool{},
		open:   map[vfs.File]bool{},
		temps:  map[string]bool{},
	}
	s.data = filepath.Join(s.hidden, dataName)
	if err := s.mkdirAll(filepath.Dir(s.output)); err != nil {
		return nil, err
	}
	if err := s.syncAbove(filepath.Dir(s.output)); err != nil {
		return nil, err
	}
	if s.lock, err = s.claim(s.hidden); err != nil {
		return nil, err
	}
	if err := s.settle(); err != nil {
		s.lock.Close() // the error that matters is in hand
		return nil, err
	}
	return s, nil
}

// lookAgain sees what stands at the output now.
func (s *Stage) lookAgain() (err error) {
	s.found, err = standing(s.fs, s.output)
	if err == nil && s.found == Foreign {
		err = &placeError{s.output, ErrInTheWay}
	}
	return err
}

// Path returns the path of the output, links followed.
func (s *Stage) Path() string { return s.output }

// Found says what stands at the output: Absent, Empty or Dataset.
func (s *Stage) Found() Found { return s.found }

// State returns what the last commit was given, or nil.
func (s *Stage) State() ([]byte, error) { return readState(s.fs, s.hidden) }

// Reserve sees whether bytes more can be written beside the output. When they
// cannot, the error is an *OutputError around syscall.ENOSPC.
func (s *Stage) Reserve(bytes int64) error {
	free, err := s.fs.Free(s.hidden)
	if err != nil {
		return fault("asking for the free space of", s.hidden, err)
	}
	if free < bytes {
		op := fmt.Sprintf("reserving %d bytes, where %d are free, for", bytes, free)
		return fault(op, s.output, syscall.ENOSPC)
	}
	return nil
}

// Begin starts a dataset: it removes what a stopped run left and makes an empty
// one, out of sight. job says what is being built, for the next run to tell
// whether it may go on with it. ErrDataset says that a dataset stands at the
// output and Overwrite was not given, ErrStranger that files of others stand in it.
func (s *Stage) Begin(job []byte) error {
	if err := s.start(); err != nil {
		return err
	}
	s.begun = true
	if err := s.Drop(); err != nil {
		return err
	}
	for _, dir := range []string{s.data, filepath.Join(s.hidden, rejectsName)} {
		if err := s.fs.Mkdir(dir); err != nil {
			return fault("making the folder", dir, err)
		}
	}
	if err := s.put(s.hidden, jobName, job); err != nil {
		return err
	}
	var err error
	if s.journal, err = s.newJournal(journalLine{Job: textDigest(job)}); err != nil {
		return err
	}
	return s.syncDirs(s.hidden)
}

// start sees that a dataset may come to stand at the output.
func (s *Stage) start() error {
	if s.found == Dataset && !s.opt.Overwrite {
		return &placeError{s.output, ErrDataset}
	}
	if s.found == Dataset {
		return s.keepStrangers()
	}
	return nil
}

// Drop removes what a stopped run left, or what this one made so far, of which
// nothing is of use any more.
func (s *Stage) Drop() error {
	s.keep, s.planned = false, nil
	clear(s.names)
	if err := s.closeOpen(); err != nil {
		return err
	}
	return s.dropAll()
}

// dropAll removes the parts, and then the journal that tells of them and the rest
// of the hidden folder.
func (s *Stage) dropAll() error {
	if s.scratch != nil {
		if err := s.scratch.remove(); err != nil {
			return err
		}
	}
	if err := s.DropParts(); err != nil {
		return err
	}
	s.left = nil
	return s.tidy()
}

// tidy removes what is in the hidden folder but for the lock, the state, a
// dataset that was moved there and is still the only one, and what is to stay.
func (s *Stage) tidy(stay ...string) error {
	entries, err := s.fs.ReadDir(s.hidden)
	if err != nil {
		return fault("listing", s.hidden, err)
	}
	for _, e := range entries {
		switch e.Name() {
		case lockName, stateName, oldName:
			continue
		}
		if slices.Contains(stay, e.Name()) {
			continue
		}
		if err := s.removeAll(filepath.Join(s.hidden, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// Close ends the work and gives back the lock. Of a dataset that was not
// committed the finished shards and parts stay in the hidden folder, for the next
// run; what was begun is removed. A dataset that was committed is not touched,
// whatever error is returned.
func (s *Stage) Close() error {
	err := s.closeOpen()
	if s.scratch != nil {
		err = cmp.Or(err, s.scratch.close())
	}
	if s.journal != nil {
		err = cmp.Or(err, s.journal.close())
	}
	if s.begun && !s.keep {
		err = cmp.Or(err, s.Drop())
	}
	return cmp.Or(err, fault("closing", s.lock.Name(), s.lock.Close()))
}

// closeOpen closes the files that are open and removes what is not finished.
func (s *Stage) closeOpen() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	for f := range s.open {
		err = cmp.Or(err, fault("closing", f.Name(), f.Close()))
	}
	clear(s.open)
	for name := range s.temps {
		err = cmp.Or(err, s.removeAll(name))
	}
	clear(s.temps)
	return err
}
