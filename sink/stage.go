package sink

import (
	"cmp"
	"path/filepath"
	"sync"
	"sync/atomic"

	"tfr-build/internal/store"
)

// Options say how a dataset is written. None of them changes a byte of it.
type Options struct {
	// Sync makes each step durable before the next. Without it a loss of power
	// can cost the dataset, and can even leave a damaged one published.
	Sync bool
	// Cold has what was written read back from the disk and not from memory,
	// as far as the system allows.
	Cold bool
	// Overwrite allows a commit to replace a dataset of ours.
	Overwrite bool
	// Scratch is a folder for spill runs, which are otherwise written to the
	// staging folder. For an output in a bucket it has the staging folder, and it has
	// to be given.
	Scratch string
	// Takeover has a run take an output in a bucket from runs of another plan that
	// have finished no shard for some time.
	Takeover bool
	// Warn is told what the file system lacks. It may be nil.
	Warn func(message string)
	// Claim is that of the tasks that the run belongs to, see [Shared.Claim]; nil for
	// one that belongs to none.
	Claim []byte
	// Attempt tells this process from all others, where it works under a claim.
	Attempt string
	// Readers is how many goroutines at once read back what was written, over
	// all shards that are finished at the same time. 0 is 1.
	Readers int
}

// A Stage is a dataset in the making. Its methods, but for Begin, Resume,
// WritePlan, Drop, Commit and Close, may be called from several goroutines.
type Stage struct {
	disk      *disk
	place     *place
	files     *files
	spill     *spill
	lock      store.LocalFile // nil where others may work beside this process
	left      *Left           // by a stopped run; nil where there is nothing
	planned   *planned        // the plan in the staging folder; nil where there is none
	journal   *journal        // nil until Begin or Resume
	manifest  string          // digest of the manifest that was written
	begun     bool            // data/ is this run's, to fill or to remove
	resumable atomic.Bool     // something is finished that the next run can use
	lines     sync.Pool       // *[]byte: of indexes, in the making
}

// Open takes the lock of an output and inspects it. It makes the parents of the
// output and the staging folder, ends a commit or an overwrite that was
// interrupted, removes from the staging folder what no run can resume, and
// changes nothing else.
//
// The error is a *LockedError when another run holds the output, an
// *OutputError when the file system refuses, and ErrInTheWay, ErrForeign,
// ErrMountPoint or ErrName when the output cannot be used as it is.
func Open(storage *store.Storage, output string, opt Options) (*Stage, error) {
	d := newDisk(storage, &opt)
	p, err := newPlace(d, output, &opt)
	if err != nil {
		return nil, err
	}
	if err := p.inspect(); err != nil {
		return nil, err
	}
	s := &Stage{disk: d, place: p, files: newFiles(d, p.in(dataName))}
	s.spill = &spill{place: p, files: s.files, scratch: opt.Scratch}
	if err := d.mkdirAll(filepath.Dir(p.staging)); err != nil {
		return nil, err
	}
	if err := d.syncAbove(filepath.Dir(p.staging)); err != nil {
		return nil, err
	}
	if s.lock, err = d.claimPassing(p.staging); err != nil {
		return nil, err
	}
	err = s.recover()
	if err == nil {
		_, err = s.place.claimedBy(&opt)
	}
	if err != nil {
		_ = s.place.unlock(s.lock) // the error that matters is in hand
		return nil, err
	}
	return s, nil
}

// Path returns the path of the output, links followed.
func (s *Stage) Path() string { return s.place.output }

// Found says what is at the output: Absent, Empty or Dataset.
func (s *Stage) Found() Found { return s.place.found }

// State returns what the last commit was given, or nil.
func (s *Stage) State() ([]byte, error) {
	state, _, err := s.place.target.lastState()
	return state, err
}

// ReplaceState replaces what the last commit was given, in one step and durably.
func (s *Stage) ReplaceState(state []byte) error {
	staging := s.place.staging
	if err := s.disk.removeAll(tempName(staging, stateName)); err != nil { // of a run that was stopped here
		return err
	}
	return s.place.target.keepState(state)
}

// Left returns what a stopped run left, or nil. It is to be asked before Begin
// or Resume.
func (s *Stage) Left() *Left { return s.left }

// Reserve checks that bytes more can be written beside the output. When they
// cannot, the error is an *OutputError around syscall.ENOSPC.
func (s *Stage) Reserve(bytes int64) error { return s.place.target.reserve(bytes) }

// Begin starts a dataset: it removes what a stopped run left and makes an empty
// dataset in the staging folder. job says what is being built: the next run
// compares it with its own before it resumes. ErrDataset says that there is a
// dataset at the output and Overwrite was not given, ErrStranger that it holds
// files of others.
func (s *Stage) Begin(job []byte) error {
	if err := s.place.accepts(); err != nil {
		return err
	}
	if err := s.place.target.begin(job); err != nil {
		return err
	}
	s.begun = true
	if err := s.dropHere(); err != nil {
		return err
	}
	for _, dir := range []string{s.files.dir, s.place.in(rejectsName), s.place.in(statisticsName)} {
		if err := s.disk.fs.Mkdir(dir); err != nil {
			return fault("making the folder", dir, err)
		}
	}
	if err := s.disk.put(s.place.staging, jobName, job); err != nil {
		return err
	}
	var err error
	if s.journal, err = newJournal(s.disk, s.place.staging, journalLine{Job: textDigest(job)}); err != nil {
		return err
	}
	return s.disk.syncDirs(s.place.staging)
}

// Drop removes what a stopped run left and what this one has made so far, when
// no run can use any of it.
func (s *Stage) Drop() error { return cmp.Or(s.place.target.removeUploaded(), s.dropHere()) }

// dropHere is Drop of what is in the staging folder.
func (s *Stage) dropHere() error {
	s.resumable.Store(false)
	s.planned = nil
	if err := s.files.drop(); err != nil {
		return err
	}
	return s.dropAll()
}

// dropAll removes the spill runs, and then the journal that tells of them and the
// rest of the staging folder.
func (s *Stage) dropAll() error {
	if err := s.spill.drop(); err != nil {
		return err
	}
	if err := s.DropRuns(); err != nil {
		return err
	}
	s.left = nil
	return s.place.tidy()
}

// Close ends the work and releases the lock. Of a dataset that was not committed
// the finished shards and spill runs stay in the staging folder, for the next
// run; what was only begun is removed. A dataset that was committed is not
// touched, whatever error is returned.
func (s *Stage) Close() error {
	err := cmp.Or(s.files.close(), s.spill.close())
	if s.journal != nil {
		err = cmp.Or(err, s.journal.close())
	}
	if s.begun && !s.resumable.Load() {
		err = cmp.Or(err, s.place.target.giveUp(), s.dropHere())
	}
	if s.lock == nil {
		return err
	}
	return cmp.Or(err, s.place.unlock(s.lock))
}
