package sink

import (
	"cmp"
	"fmt"
	"path/filepath"
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
	// Overwrite allows a commit to replace a dataset of ours.
	Overwrite bool
	// Scratch is a folder for parts, which otherwise stand in the hidden one.
	Scratch string
	// Warn is told what the file system lacks. It may be nil.
	Warn func(message string)
	// Each runs task(0) to task(n-1), in any order and as many at once as it
	// likes, and returns the first error. It reads finished shards back. Nil
	// runs them one after another.
	Each func(n int, task func(i int) error) error
}

// A Stage is a dataset in the making. Its methods, but for Open, Begin, Commit
// and Close, may be called from several goroutines.
type Stage struct {
	disk
	opt     Options
	output  string
	hidden  string
	data    string // hidden/data
	found   Found
	lock    vfs.File
	buffers sync.Pool // of *[]byte, pieceSize long

	mu      sync.Mutex
	names   map[string]bool // of files in data/, false until they are whole
	open    map[vfs.File]bool
	scratch *scratch // nil until there is a part
}

// Open takes the lock of an output and looks at what stands there. It makes the
// parents of the output and the hidden folder, repairs an overwrite that was
// stopped between its two renames, and else changes nothing.
//
// The error is a *LockedError when another run holds the output, an
// *OutputError when the file system refuses, and ErrInTheWay, ErrForeign,
// ErrMountPoint or ErrName when the output cannot be used as it stands.
func Open(fsys vfs.FS, output string, opt Options) (*Stage, error) {
	if opt.Warn == nil {
		opt.Warn = func(string) {}
	}
	if opt.Each == nil {
		opt.Each = inTurn
	}
	v, err := look(fsys, output)
	if err != nil {
		return nil, err
	}
	if v.Found == Foreign {
		return nil, &placeError{v.Path, ErrInTheWay}
	}
	s := &Stage{
		disk:    disk{fs: fsys, sync: opt.Sync, warn: opt.Warn},
		opt:     opt,
		output:  v.Path,
		hidden:  HiddenPath(v.Path),
		names:   map[string]bool{},
		open:    map[vfs.File]bool{},
		buffers: sync.Pool{New: func() any { b := make([]byte, pieceSize); return &b }},
	}
	s.data = filepath.Join(s.hidden, dataName)
	if err := s.mkdirAll(filepath.Dir(s.output)); err != nil {
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

// settle looks at the output under the lock, after repairing it.
func (s *Stage) settle() error {
	err := s.lookAgain()
	if err == nil {
		err = s.repair()
	}
	return err
}

// lookAgain sees what stands at the output now.
func (s *Stage) lookAgain() (err error) {
	s.found, err = standing(s.fs, s.output)
	if err == nil && s.found == Foreign {
		err = &placeError{s.output, ErrInTheWay}
	}
	return err
}

func inTurn(n int, task func(int) error) error {
	for i := range n {
		if err := task(i); err != nil {
			return err
		}
	}
	return nil
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
// one, out of sight. ErrDataset says that a dataset stands at the output and
// Overwrite was not given, ErrStranger that files of others stand in it.
func (s *Stage) Begin() error {
	if s.found == Dataset && !s.opt.Overwrite {
		return &placeError{s.output, ErrDataset}
	}
	if s.found == Dataset {
		if err := s.keepStrangers(); err != nil {
			return err
		}
	}
	if err := s.tidy(); err != nil {
		return err
	}
	clear(s.names)
	return fault("making the folder", s.data, s.fs.Mkdir(s.data))
}

// tidy removes what is in the hidden folder but for the lock, the state and a
// dataset that was moved there and is still the only one.
func (s *Stage) tidy() error {
	entries, err := s.fs.ReadDir(s.hidden)
	if err != nil {
		return fault("listing", s.hidden, err)
	}
	for _, e := range entries {
		switch e.Name() {
		case lockName, stateName, oldName:
			continue
		}
		if err := s.removeAll(filepath.Join(s.hidden, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// Close ends the work: it closes what is open, removes what was not committed
// and gives back the lock. Of a dataset that was not committed nothing stays.
// A dataset that was committed is not touched, whatever error is returned.
func (s *Stage) Close() error {
	var err error
	s.mu.Lock()
	for f := range s.open {
		err = cmp.Or(err, fault("closing", f.Name(), f.Close()))
	}
	clear(s.open)
	s.mu.Unlock()
	if s.scratch != nil {
		err = cmp.Or(err, s.scratch.close())
	}
	tidied := s.tidy()
	return cmp.Or(err, tidied, fault("closing", s.lock.Name(), s.lock.Close()))
}
