package sink

import (
	"cmp"
	"path/filepath"
	"sync"
	"sync/atomic"

	"tfr-build/internal/store"
)

// Options control how a dataset is written. None of them changes its bytes.
type Options struct {
	// Sync makes each step durable before the next. Without it, a power loss can lose the
	// dataset, or even leave a damaged dataset published.
	Sync bool
	// Cold reads files back from the device instead of from memory, as far as the system
	// allows.
	Cold bool
	// Temporary says that nothing is committed: Close removes the staging directory.
	Temporary bool
	// Overwrite allows a commit to replace a dataset that tfr-build made.
	Overwrite bool
	// Scratch is a directory for spill files. By default they are in the staging directory. For
	// an output in a bucket, Scratch is required, and contains the staging directory.
	Scratch string
	// Takeover lets a run take an output in a bucket from runs of another plan that have not
	// finished a shard for 10 minutes.
	Takeover bool
	// Warn is called with each warning, for example about a missing feature of the file system.
	// It may be nil.
	Warn func(message string)
	// Claim is the claim of the tasks that this run belongs to, see [Shared.Claim]. It is nil
	// for a run that does not belong to tasks.
	Claim []byte
	// Attempt identifies this process among all processes that work under a claim.
	Attempt string
	// Readers is how many goroutines read back at the same time, over all shards that are
	// finished in parallel. 0 means 1. For an output in a bucket it is at least 32.
	Readers int
}

// A Stage is an unfinished dataset. Its methods may be called from several goroutines, except
// Begin, Resume, WritePlan, those about spill files, Drop, Commit, and Close.
type Stage struct {
	disk         *Disk
	location     *location
	files        *files
	spill        *spill
	lock         store.LocalFile // nil in a staging directory that several processes share
	left         *Leftovers      // leftovers of a stopped run; nil without leftovers
	journal      *journal        // nil until Begin or Resume
	manifest     string          // digest of the manifest that WriteFile wrote
	begun        bool            // data/ belongs to this run, which fills or removes it
	resumable    atomic.Bool     // something is finished that the next run can reuse
	indexBuffers sync.Pool       // *[]byte: index lines of the current block
}

// Open locks an output and inspects it. It
//
//   - creates the parents of the output and the staging directory
//   - completes or undoes an interrupted commit or overwrite
//   - removes files from the staging directory that no run can reuse
//
// It changes nothing else.
//
// The error is a *[LockedError] if another run works on the output, and a *[ClaimedError] if
// other tasks do. It is an *[OutputError] if the file system refuses an operation. It is
// [ErrInTheWay], [ErrUnknownStage], [ErrMountPoint], or [ErrName] if the output cannot be used.
func Open(storage *store.Storage, output string, opt Options) (*Stage, error) {
	d := newDisk(storage, &opt)
	loc, err := newLocation(d, output, &opt)
	if err != nil {
		return nil, err
	}
	// Before anything is created, so that an unusable output leaves no directory. recover inspects it again.
	if err := loc.inspectOutput(); err != nil {
		return nil, err
	}
	s := &Stage{disk: d, location: loc, files: newFiles(d, loc.inStaging(dataName))}
	s.spill = &spill{location: loc, scratch: opt.Scratch}
	if err := d.MkdirAll(filepath.Dir(loc.staging)); err != nil {
		return nil, err
	}
	if err := d.syncParents(filepath.Dir(loc.staging)); err != nil {
		return nil, err
	}
	if s.lock, err = d.lockDirectoryRetrying(loc.staging); err != nil {
		return nil, err
	}
	err = s.recover()
	if err == nil {
		_, err = s.location.checkClaim(&opt)
	}
	if err != nil {
		_ = s.location.unlock(s.lock) // the first error is returned
		return nil, err
	}
	return s, nil
}

// Path returns the path of the output, with links resolved.
func (s *Stage) Path() string { return s.location.output }

// Found returns what exists at the output: Absent, Empty, or Dataset.
func (s *Stage) Found() Found { return s.location.found }

// State returns the state that the last commit stored, or nil.
func (s *Stage) State() ([]byte, error) {
	state, _, err := s.location.target.lastState()
	return state, err
}

// ReplaceState replaces the state that the last commit stored, in one step and durably.
func (s *Stage) ReplaceState(state []byte) error {
	staging := s.location.staging
	if err := s.disk.removeAll(tempPath(staging, stateName)); err != nil { // of a stopped run
		return err
	}
	return s.location.target.storeState(state)
}

// Leftovers returns the leftovers of a stopped run, or nil. Call it before Begin or Resume.
func (s *Stage) Leftovers() *Leftovers { return s.left }

// Reserve checks that the file system of the output has this many free bytes. If it does not,
// the error is an *OutputError around syscall.ENOSPC. In a bucket, space is not limited.
func (s *Stage) Reserve(bytes int64) error { return s.location.reserve(bytes) }

// Begin starts a dataset: it removes the leftovers of a stopped run, and creates an empty
// dataset in the staging directory. job describes the dataset. The next run compares it with
// its own job before it resumes.
//
// The error is [ErrDataset] if a dataset exists that may not be replaced, and [ErrUnknownFile] if
// that dataset contains unknown files. In a bucket it may be a *[TakenError] or a
// *[ClaimedError].
func (s *Stage) Begin(job []byte) error {
	if err := s.location.checkPublishable(); err != nil {
		return err
	}
	if err := s.location.target.begin(job); err != nil {
		return err
	}
	s.begun = true
	if err := s.dropLocal(); err != nil {
		return err
	}
	if err := s.location.makeDirectories(); err != nil {
		return err
	}
	var err error
	s.journal, err = (&Leftovers{Job: job, location: s.location}).newJournal(nil)
	return err
}

// Drop removes the leftovers of a stopped run, and what this run has made so far. Call it if no
// run can use them.
func (s *Stage) Drop() error { return cmp.Or(s.location.target.giveUp(true), s.dropLocal()) }

// dropLocal is the part of Drop in the staging directory.
func (s *Stage) dropLocal() error {
	s.resumable.Store(false)
	if err := s.files.reset(); err != nil {
		return err
	}
	return s.removeWorkFiles()
}

// removeWorkFiles removes the spill files. Then it removes the journal, which names them, and
// the rest of the staging directory.
func (s *Stage) removeWorkFiles() error {
	if err := s.DropSpillFiles(); err != nil {
		return err
	}
	s.left = nil
	return s.location.cleanStaging()
}

// Close ends the work and releases the lock. If the dataset was not committed, finished shards
// and spill files stay in the staging directory for the next run, and unfinished files are
// removed. Close never changes a committed dataset, even if it returns an error.
func (s *Stage) Close() error {
	err := cmp.Or(s.files.close(), s.spill.close())
	if s.journal != nil {
		err = cmp.Or(err, s.journal.close())
	}
	if s.begun && !s.resumable.Load() {
		err = cmp.Or(err, s.location.target.giveUp(false), s.dropLocal())
	}
	if s.lock == nil {
		return err
	}
	return cmp.Or(err, s.location.unlock(s.lock))
}
