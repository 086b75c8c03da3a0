package sink

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
)

// A Kept is a shard of a stopped run that was checked and stays.
type Kept struct {
	Sum
	Rejects []byte // its file in rejects/; empty where it has none
	Note    []byte // what the caller gave to Finish
}

// Resume goes on with what a stopped run left: it checks every finished shard by
// size and digest, and the plan, removes whatever is not finished or not as it
// was, and returns the shards that stay. The errors are those of Begin; after one what the
// stopped run left stays for the next.
func (s *Stage) Resume(ctx context.Context, digest Digest) ([]Kept, error) {
	if err := s.start(); err != nil {
		return nil, err
	}
	s.begun, s.keep = true, true
	rejects := filepath.Join(s.hidden, rejectsName)
	for _, dir := range []string{s.data, rejects} {
		if err := s.folder(dir); err != nil {
			return nil, err
		}
	}
	kept, err := s.checkAll(ctx, digest)
	if err == nil {
		err = s.checkPlan(ctx)
	}
	if err != nil {
		return nil, err
	}
	if err := s.keepOnly(kept); err != nil {
		return nil, err
	}
	if err := s.syncDirs(s.data, rejects); err != nil {
		return nil, err
	}
	if err := s.resumeJournal(); err != nil {
		return nil, err
	}
	s.keep = len(kept) > 0 || s.left.Parts != nil
	return kept, nil
}

// checkAll checks the finished shards and returns those that stay.
func (s *Stage) checkAll(ctx context.Context, digest Digest) ([]Kept, error) {
	checked, faults := make([]Kept, len(s.left.Shards)), make([]error, len(s.left.Shards))
	err := s.readers.each(ctx, len(checked), func(ctx context.Context, i int) error {
		checked[i], faults[i] = s.check(ctx, &s.left.Shards[i], digest)
		return context.Cause(ctx)
	})
	if err != nil {
		return nil, err
	}
	var kept []Kept
	for i, k := range checked {
		if faults[i] != nil {
			s.warn(fmt.Sprintf("%s of the stopped run is made again: %v", k.Name, faults[i]))
			continue
		}
		kept = append(kept, k)
		s.names[k.Name] = true
	}
	return kept, nil
}

// check says what is wrong with a shard that is not as it was finished.
func (s *Stage) check(ctx context.Context, left *LeftShard, digest Digest) (Kept, error) {
	k := Kept{Sum: left.Sum, Note: left.Note}
	err := s.checkFile(ctx, s.data, left.Name, &left.Sum, digest, io.Discard)
	if err == nil && left.Rejects != nil {
		var text appender
		err = s.checkFile(ctx, filepath.Join(s.hidden, rejectsName), left.Name, left.Rejects, digest, &text)
		k.Rejects = text.buf
	}
	return k, err
}

// checkFile compares a file with its sum. It syncs it first: the run that was
// stopped may have been one without Sync.
func (s *Stage) checkFile(ctx context.Context, dir, name string, want *Sum, digest Digest, w io.Writer) error {
	f, err := s.openSum(filepath.Join(dir, name), want)
	if err != nil {
		return err
	}
	if err = s.syncFile(f); err == nil {
		err = s.compare(ctx, f, want, digest, w)
	}
	return cmp.Or(err, fault("closing", f.Name(), f.Close()))
}

// keepOnly removes from the hidden folder what is not kept of a stopped run.
func (s *Stage) keepOnly(kept []Kept) error {
	rejects := map[string]bool{}
	for _, k := range kept {
		rejects[k.Name] = len(k.Rejects) > 0
	}
	if _, err := s.sweep(s.data, ".", s.names, nil); err != nil {
		return err
	}
	if _, err := s.sweep(filepath.Join(s.hidden, rejectsName), ".", rejects, nil); err != nil {
		return err
	}
	stay := []string{jobName, journalName, dataName, rejectsName, partsName}
	if s.planned != nil {
		stay = append(stay, planName, listingName)
	}
	return s.tidy(stay...)
}

// resumeJournal writes the job and the journal anew, of what stays. They are
// other files: those of the stopped run may be such as were never synced, or
// whose sync failed, which no later sync mends.
func (s *Stage) resumeJournal() (err error) {
	if err := s.put(s.hidden, jobName, s.left.Job); err != nil {
		return err
	}
	lines := []journalLine{{Job: textDigest(s.left.Job)}}
	if s.planned != nil {
		lines = append(lines, journalLine{Planned: s.planned})
	}
	if s.left.Parts != nil {
		lines = append(lines, journalLine{Parts: s.left.Parts})
	}
	for i := range s.left.Shards {
		if shard := &s.left.Shards[i]; s.names[shard.Name] {
			lines = append(lines, journalLine{Shard: shard})
		}
	}
	if s.journal, err = s.newJournal(lines...); err != nil {
		return err
	}
	return s.syncDirs(s.hidden)
}
