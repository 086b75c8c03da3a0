package sink

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"tfr-build/internal/store"
)

// A ClaimedError says that tasks make the dataset: nobody else may, until they have
// committed it or have given it up.
type ClaimedError struct {
	Path  string // of the output
	Claim []byte // what they gave to Claim
}

func (e *ClaimedError) Error() string { return e.Path + ": tasks are at work on it" }

// ErrNoClaim says that the output is not, or no longer, that of the tasks.
var ErrNoClaim = errors.New("is not claimed by these tasks")

// WorkPath is the folder where the tasks of an output tell one another what they
// did, unless they do it elsewhere. No run removes what is in it.
func WorkPath(output string) string { return store.Join(StagingPath(output), workName) }

// claimedBy reports whether the tasks of this run are at work. Where those of another
// are, it is a *[ClaimedError].
func (p *place) claimedBy(opt *Options) (bool, error) {
	held, err := p.shared.readClaim()
	switch {
	case err != nil || held == nil:
		return false, err
	case !bytes.Equal(held, opt.Claim):
		return false, &ClaimedError{p.output, held}
	}
	p.shared.attach(held, opt.Attempt)
	return true, nil
}

// Shared is an output that several processes make together, as one of them has opened
// it: the first, to claim it, the last, to commit what all of them made, or whoever
// gives it up.
type Shared struct{ Stage *Stage }

// ClaimOn is what the tasks that make an output gave to Claim; nil where none do, as
// when they have published it or were given up.
func ClaimOn(storage *store.Storage, output string) ([]byte, error) {
	p, err := newPlace(newDisk(storage, &Options{}), output, &Options{})
	if err != nil {
		return nil, err
	}
	return p.shared.readClaim()
}

// Claim gives the output to tasks: processes that make the shards, each by [Join]
// and without a lock, until one of them commits. What a stopped run left is removed.
// Nothing is changed where the claim is held already.
func (o Shared) Claim(claim []byte) error {
	s := o.Stage
	held, err := s.place.shared.readClaim()
	if err != nil {
		return err
	}
	if held != nil {
		if !bytes.Equal(held, claim) {
			err = &ClaimedError{s.place.output, held}
		}
		return err
	}
	if err := s.place.accepts(); err != nil {
		return err
	}
	if err := s.Drop(); err != nil {
		return err
	}
	return s.place.shared.claim(claim)
}

// Join opens an output that tasks have claimed, to make shards of it beside other
// processes. Of the methods of a Stage those may be called that make a shard, and
// Close. A shard that another process made is replaced, by the same bytes. The error is
// [ErrNoClaim] when no claim is held, and a *[ClaimedError] when another is.
func Join(storage *store.Storage, output string, opt Options) (*Stage, error) {
	d := newDisk(storage, &opt)
	p, err := newPlace(d, output, &opt)
	if err != nil {
		return nil, err
	}
	ours, err := p.claimedBy(&opt)
	if err == nil && !ours {
		err = &placeError{p.output, ErrNoClaim}
	}
	if err != nil {
		return nil, err
	}
	lock, err := p.shared.openWorkDirectory(opt.Attempt)
	if err != nil {
		return nil, err
	}
	s := &Stage{disk: d, place: p, lock: lock, files: newFiles(d, p.in(dataName))}
	s.spill = &spill{place: p, files: s.files}
	return s, nil
}

// A LackingError says that shards are not there as their tasks have made them.
type LackingError struct{ Names []string }

func (e *LackingError) Error() string {
	const most = 8
	text := "not there as they were made: " + strings.Join(e.Names[:min(most, len(e.Names))], ", ")
	if more := len(e.Names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// Adopt begins a dataset of shards that tasks have made: job says what is built, as
// for Begin, and lines are what [Shard.Line] said of each. Each is compared with its
// digest, but for those whose ETag a store gives. take is given each
// with what is told about it, by several goroutines and in no order: all of that together
// may be more than the memory holds. A *[LackingError] names shards that are to be made
// again; nothing is changed then.
func (o Shared) Adopt(ctx context.Context, job []byte, lines []LeftShard, digest Digest, take func(*Kept) error) error {
	s := o.Stage
	if err := s.place.accepts(); err != nil {
		return err
	}
	held, err := s.place.shared.readClaim()
	if err == nil && held == nil {
		err = &placeError{s.place.output, ErrNoClaim}
	}
	if err != nil {
		return err
	}
	s.begun = true
	s.resumable.Store(true)
	left := &Left{Job: job, place: s.place}
	if err := left.adopted(ctx, lines, digest, take); err != nil {
		return err
	}
	if s.journal, err = left.newJournal(nil); err != nil {
		return err
	}
	for i := range lines {
		for _, f := range lines[i].files() {
			s.files.finished(f.Name, f.ETag != "")
		}
	}
	return nil
}

// adopted gives the shards to take, with what is told about them.
func (l *Left) adopted(ctx context.Context, lines []LeftShard, digest Digest, take func(*Kept) error) error {
	for i := range lines {
		if err := lines[i].ownNames(); err != nil {
			return err
		}
	}
	check, err := l.place.shared.adoption(ctx, digest)
	if err != nil {
		return err
	}
	differs := make([]error, len(lines))
	err = l.place.disk.readers.each(ctx, len(lines), func(ctx context.Context, i int) (err error) {
		if differs[i], err = check(ctx, &lines[i]); err != nil || differs[i] != nil {
			return cmp.Or(context.Cause(ctx), err)
		}
		kept, err := l.adoptShard(ctx, &lines[i], digest)
		if err == nil {
			return cmp.Or(take(&kept), context.Cause(ctx))
		}
		differs[i] = err
		return context.Cause(ctx)
	})
	if err != nil {
		return err
	}
	lacking := &LackingError{}
	for i, fault := range differs {
		switch {
		case fault == nil:
		case errors.Is(fault, fs.ErrNotExist), errors.Is(fault, ErrDiffers),
			errors.Is(fault, errNotRegular), errors.Is(fault, errNotHere):
			lacking.Names = append(lacking.Names, lines[i].Name)
		default:
			return fault
		}
	}
	if len(lacking.Names) > 0 {
		return lacking
	}
	return nil
}

// adoptShard is a shard and what is told about it.
func (l *Left) adoptShard(ctx context.Context, line *LeftShard, digest Digest) (k Kept, err error) {
	k = line.kept()
	if k.Rejects, err = l.readAbout(ctx, rejectsName, line.Rejects, digest); err == nil {
		k.Statistics, err = l.readAbout(ctx, statisticsName, line.Statistics, digest)
	}
	return k, err
}

// ownNames refuses a line whose names lead elsewhere.
func (l *LeftShard) ownNames() error {
	if err := checkShardName(l.Name); err != nil {
		return err
	}
	if !l.namesIndex() {
		return fmt.Errorf("%s: its index has the name %q", l.Name, l.Index.Name)
	}
	for _, about := range []*Sum{l.Rejects, l.Statistics} {
		if about != nil && checkShardName(about.Name) != nil {
			return fmt.Errorf("%s: what is told about it has the name %q", l.Name, about.Name)
		}
	}
	return nil
}

// Release gives up a claim and removes what the tasks made. Where there is no claim it
// does nothing.
func (o Shared) Release() error {
	s := o.Stage
	held, err := s.place.shared.readClaim()
	if err != nil || held == nil {
		return err
	}
	if err := s.Drop(); err != nil {
		return err
	}
	return s.disk.syncDirs(s.place.staging)
}
