package sink

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"tfr-build/internal/store"
)

// A ClaimedError means that tasks make the dataset. Nobody else may make it until they commit
// it or give it up.
type ClaimedError struct {
	Path  string // of the output
	Claim []byte // as given to [Shared.Claim]
}

// Error names the output.
func (e *ClaimedError) Error() string { return e.Path + ": tasks are at work on it" }

// ErrNoClaim means that these tasks do not have the claim on the output, or no longer have it.
var ErrNoClaim = errors.New("is not claimed by these tasks")

// WorkPath returns the directory in which the tasks of an output exchange records, unless they
// use another directory. No run removes its content.
func WorkPath(output string) string { return store.Join(StagingPath(output), workName) }

// checkClaim reports whether the tasks of this run have the claim. If other tasks have it, the
// error is a *[ClaimedError].
func (loc *location) checkClaim(opt *Options) (bool, error) {
	current, err := loc.shared.readClaim()
	switch {
	case err != nil || current == nil:
		return false, err
	case !bytes.Equal(current, opt.Claim):
		return false, &ClaimedError{loc.output, current}
	}
	loc.shared.attach(current, opt.Attempt)
	return true, nil
}

// Shared is an output that several processes make together. One of them opens it: the first to
// claim it, the last to commit the shards of all, or any to give it up.
type Shared struct{ Stage *Stage }

// ClaimOn returns the claim of the tasks that make an output, as given to Claim. It returns nil
// if no tasks make it, for example after they committed it or gave it up.
func ClaimOn(storage *store.Storage, output string) ([]byte, error) {
	loc, err := newLocation(newDisk(storage, &Options{}), output, &Options{})
	if err != nil {
		return nil, err
	}
	return loc.shared.readClaim()
}

// Claim gives the output to tasks: processes that make the shards. Each of them calls [Join],
// and needs no lock. The claim ends when one of them commits. Claim removes the leftovers of a
// stopped run. It changes nothing if these tasks already have the claim. If other tasks have
// it, the error is a *[ClaimedError].
func (o Shared) Claim(claim []byte) error {
	s := o.Stage
	current, err := s.location.shared.readClaim()
	if err != nil {
		return err
	}
	if current != nil {
		if !bytes.Equal(current, claim) {
			err = &ClaimedError{s.location.output, current}
		}
		return err
	}
	if err := s.location.checkPublishable(); err != nil {
		return err
	}
	// Once the claim is there, tasks may join and write, so the leftovers go first.
	if err := s.Drop(); err != nil {
		return err
	}
	return s.location.shared.claim(claim)
}

// Join opens an output that tasks have claimed, to make shards in parallel with other
// processes. Call only Close and the methods that make a shard. A shard that another process
// also made is replaced by the same bytes. The error is [ErrNoClaim] if no tasks have the
// claim, and a *[ClaimedError] if other tasks have it.
func Join(storage *store.Storage, output string, opt Options) (*Stage, error) {
	d := newDisk(storage, &opt)
	loc, err := newLocation(d, output, &opt)
	if err != nil {
		return nil, err
	}
	claimed, err := loc.checkClaim(&opt)
	if err == nil && !claimed {
		err = &pathError{loc.output, ErrNoClaim}
	}
	if err != nil {
		return nil, err
	}
	lock, err := loc.shared.openWorkDirectory(opt.Attempt)
	if err != nil {
		return nil, err
	}
	s := &Stage{disk: d, location: loc, lock: lock, files: newFiles(d, loc.inStaging(dataName))}
	s.spill = &spill{location: loc}
	return s, nil
}

// A MissingShardsError names the shards that are missing or are not as their tasks made them.
type MissingShardsError struct{ Names []string }

// Error lists up to eight of the shards.
func (e *MissingShardsError) Error() string {
	const most = 8
	text := "not there as they were made: " + strings.Join(e.Names[:min(most, len(e.Names))], ", ")
	if more := len(e.Names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// Adopt begins a dataset from shards that tasks have made. job describes the dataset, as for
// Begin, and lines are the results of [Shard.Line]. Adopt compares the digest of each shard,
// unless the store returns the same ETag.
//
// Adopt calls take for each shard and its metadata, from several goroutines and in any order:
// all metadata together may not fit in memory. A *[MissingShardsError] names shards that must be made
// again; then Adopt has changed nothing.
func (o Shared) Adopt(
	ctx context.Context, job []byte, lines []FinishedShard, digest Digest, take func(*Reused) error,
) error {
	s := o.Stage
	if err := s.location.checkPublishable(); err != nil {
		return err
	}
	current, err := s.location.shared.readClaim()
	if err == nil && current == nil {
		err = &pathError{s.location.output, ErrNoClaim}
	}
	if err != nil {
		return err
	}
	s.begun = true
	s.resumable.Store(true)
	left := &Leftovers{Job: job, location: s.location}
	if err := left.checkAdopted(ctx, lines, digest, take); err != nil {
		return err
	}
	if s.journal, err = left.newJournal(nil); err != nil {
		return err
	}
	for i := range lines {
		s.files.markShard(&lines[i])
	}
	return nil
}

// checkAdopted checks all shards, and calls take for each shard and its metadata.
func (l *Leftovers) checkAdopted(
	ctx context.Context, lines []FinishedShard, digest Digest, take func(*Reused) error,
) error {
	for i := range lines {
		if err := lines[i].checkNames(); err != nil {
			return err
		}
	}
	differs, err := l.checkShards(ctx, lines, digest, func(_ int, k *Reused) error { return take(k) })
	if err != nil {
		return err
	}
	missing := &MissingShardsError{}
	for i, reason := range differs {
		switch {
		case reason == nil:
		case errors.Is(reason, fs.ErrNotExist), errors.Is(reason, ErrDiffers),
			errors.Is(reason, errNotRegular), errors.Is(reason, errNotHere):
			missing.Names = append(missing.Names, lines[i].Name)
		default:
			return reason
		}
	}
	if len(missing.Names) > 0 {
		return missing
	}
	return nil
}

// checkNames returns an error if a line names files that cannot belong to the shard.
func (l *FinishedShard) checkNames() error {
	if !l.hasValidIndex() {
		return fmt.Errorf("%s: its index has the name %q", l.Name, l.Index.Name)
	}
	for _, sum := range []*Sum{&l.Sum, l.Rejects, l.Statistics} {
		if sum != nil && (checkShardName(sum.Name) != nil || sum.Bytes < 0) {
			return nameError(sum.Name)
		}
	}
	return nil
}

// Release gives up a claim and removes what the tasks made. Without a claim it does nothing.
func (o Shared) Release() error {
	s := o.Stage
	current, err := s.location.shared.readClaim()
	if err != nil || current == nil {
		return err
	}
	if err := s.Drop(); err != nil {
		return err
	}
	return s.disk.SyncDirs(s.location.staging)
}
