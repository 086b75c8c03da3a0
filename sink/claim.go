package sink

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"tfr-build/internal/vfs"
)

// A ClaimedError says that tasks make the dataset: nobody else may, until they have
// committed it or have given it up.
type ClaimedError struct {
	Path  string // of the claim
	Claim []byte // what they gave to Claim
}

func (e *ClaimedError) Error() string { return e.Path + ": tasks are at work on the output" }

// ErrNoClaim says that the output is not, or no longer, that of the tasks.
var ErrNoClaim = errors.New("is not claimed by these tasks")

// WorkPath is the folder where the tasks of an output tell one another what they
// did, unless they do it elsewhere. No run removes what is in it.
func WorkPath(output string) string { return filepath.Join(StagingPath(output), workName) }

// claim is what tasks gave to Claim; nil where none are at work.
func (p *place) claim() ([]byte, error) { return readSmall(p.disk.fs, p.in(claimName), maxJob) }

// claimedBy finds out whether the tasks of another claim are at work. Where those of
// this run are, others may be at the same files: those that are not whole stand apart,
// each under a name of its own.
func (p *place) claimedBy(opt *Options) error {
	held, err := p.claim()
	switch {
	case err != nil || held == nil:
	case bytes.Equal(held, opt.Claim):
		p.disk.temps, p.disk.attempt = p.in(attemptsName), "."+opt.Attempt
	default:
		err = &ClaimedError{p.in(claimName), held}
	}
	return err
}

// Shared is an output that several processes make together, as one of them has opened
// it: the first, to claim it, the last, to commit what all of them made, or whoever
// gives it up.
type Shared struct{ Stage *Stage }

// ClaimOn is what the tasks that make an output gave to Claim; nil where none do, as
// when they have published it or were given up.
func ClaimOn(fsys vfs.FS, output string) ([]byte, error) {
	output, err := outputPath(fsys, output)
	if err != nil {
		return nil, err
	}
	p := &place{disk: &disk{fs: fsys}, output: output, staging: StagingPath(output)}
	return p.claim()
}

// Claim gives the output to tasks: processes that make the shards, each by [Join]
// and without a lock, until one of them commits. What a stopped run left is removed.
// Nothing is changed where the claim is held already.
func (o Shared) Claim(claim []byte) error {
	s := o.Stage
	held, err := s.place.claim()
	if err != nil || held != nil {
		return err
	}
	if err := s.place.accepts(); err != nil {
		return err
	}
	if err := s.Drop(); err != nil {
		return err
	}
	if err := s.disk.put(s.place.staging, claimName, claim); err != nil {
		return err
	}
	return s.place.makeShared()
}

// makeShared makes the folders of an output that was claimed, as far as they are missing:
// where there are no locks, somebody who just did not see the claim may remove them.
func (p *place) makeShared() error {
	for _, name := range []string{dataName, rejectsName, statisticsName, attemptsName} {
		if err := p.disk.folder(p.in(name)); err != nil {
			return err
		}
	}
	return p.disk.syncDirs(p.staging)
}

// Join opens an output that tasks have claimed, to make shards of it beside other
// processes. Of the methods of a Stage those may be called that make a shard, and
// Close. A shard that another process made is replaced, by the same bytes. The error is
// [ErrNoClaim] when no claim is held, and a *[ClaimedError] when another is.
func Join(fsys vfs.FS, output string, opt Options) (*Stage, error) {
	if opt.Warn == nil {
		opt.Warn = func(string) {}
	}
	d := &disk{fs: fsys, sync: opt.Sync, cold: opt.Cold, readers: newReaders(opt.Readers), warn: opt.Warn}
	p, err := newPlace(d, output, &opt)
	if err != nil {
		return nil, err
	}
	err = p.claimedBy(&opt)
	if err == nil && d.temps == "" {
		err = &placeError{p.output, ErrNoClaim}
	}
	if err == nil {
		err = p.makeShared()
	}
	if err != nil {
		return nil, err
	}
	s := &Stage{disk: d, place: p, files: newFiles(d, p.in(dataName))}
	s.spill = &spill{place: p, files: s.files}
	return s, nil
}

// A LackingError says that shards are not there as their tasks have made them.
type LackingError struct{ Names []string }

func (e *LackingError) Error() string {
	return "not there as they were made: " + strings.Join(e.Names, ", ")
}

// Adopt begins a dataset of shards that tasks have made: job says what is built, as
// for Begin, and lines are what [Shard.Line] said of each. Their lengths are looked
// at, and not their bytes, which those who wrote them have read back. A
// *[LackingError] names shards that are to be made again; nothing is changed then.
func (o Shared) Adopt(ctx context.Context, job []byte, lines []LeftShard, digest Digest) ([]Kept, error) {
	s := o.Stage
	if err := s.place.accepts(); err != nil {
		return nil, err
	}
	held, err := s.place.claim()
	if err == nil && held == nil {
		err = &placeError{s.place.output, ErrNoClaim}
	}
	if err != nil {
		return nil, err
	}
	s.begun = true
	s.resumable.Store(true)
	left := &Left{Job: job, place: s.place}
	kept, err := left.adopted(ctx, lines, digest)
	if err != nil {
		return nil, err
	}
	if s.journal, err = left.newJournal(nil); err != nil {
		return nil, err
	}
	for _, k := range kept {
		s.files.finished(k.Name, false)
	}
	return kept, nil
}

// adopted are the shards with what is told about them.
func (l *Left) adopted(ctx context.Context, lines []LeftShard, digest Digest) ([]Kept, error) {
	d := l.place.disk
	if err := d.isFolder(l.place.in(dataName)); err != nil { // another process has just published it
		return nil, err
	}
	kept, faults := make([]Kept, len(lines)), make([]error, len(lines))
	err := d.readers.each(ctx, len(lines), func(ctx context.Context, i int) error {
		kept[i], faults[i] = l.adoptShard(ctx, &lines[i], digest)
		return context.Cause(ctx)
	})
	if err != nil {
		return nil, err
	}
	lacking := &LackingError{}
	for i, fault := range faults {
		switch {
		case fault == nil:
		case errors.Is(fault, fs.ErrNotExist), errors.Is(fault, ErrDiffers), errors.Is(fault, errNotRegular):
			lacking.Names = append(lacking.Names, lines[i].Name)
		default:
			return nil, fault
		}
	}
	if len(lacking.Names) > 0 {
		return nil, lacking
	}
	return kept, nil
}

// adoptShard is a shard of the length that it was made with, and what is told about
// it.
func (l *Left) adoptShard(ctx context.Context, line *LeftShard, digest Digest) (Kept, error) {
	k := Kept{Sum: line.Sum, About: About{Note: line.Note}}
	if err := line.ownNames(); err != nil {
		return k, err
	}
	name := filepath.Join(l.place.in(dataName), filepath.FromSlash(line.Name))
	info, err := l.place.disk.fs.Lstat(name)
	switch {
	case err != nil:
		return k, fault("inspecting", name, err)
	case !info.Mode().IsRegular():
		return k, fault("inspecting", name, errNotRegular)
	case info.Size() != line.Bytes:
		return k, fault("inspecting", name, ErrDiffers)
	}
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
	held, err := s.place.claim()
	if err != nil || held == nil {
		return err
	}
	if err := s.Drop(); err != nil {
		return err
	}
	return s.disk.syncDirs(s.place.staging)
}
