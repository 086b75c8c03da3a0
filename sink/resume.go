package sink

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"

	"tfr-build/internal/pool"
)

// A Reused is a shard of a stopped run that was checked and is reused.
type Reused struct {
	Sum
	About
	Index *Sum // of its index; nil without an index

	line *FinishedShard
}

// Resume takes over the leftovers of a stopped run. It checks each finished shard
// by size and digest. It removes everything that is unfinished or changed, and returns the
// shards that are reused. It returns the same errors as Begin. After an error, the leftovers
// stay for the next run.
func (s *Stage) Resume(ctx context.Context, digest Digest) ([]Reused, error) {
	if err := s.location.checkPublishable(); err != nil {
		return nil, err
	}
	if err := s.location.target.begin(s.left.Job); err != nil {
		return nil, err
	}
	s.begun = true
	s.resumable.Store(true)
	if err := s.location.makeDirectories(); err != nil {
		return nil, err
	}
	kept, err := s.left.check(ctx, digest)
	if err != nil {
		return nil, err
	}
	if err := s.left.removeUnkept(kept); err != nil {
		return nil, err
	}
	if s.journal, err = s.left.newJournal(kept); err != nil {
		return nil, err
	}
	for _, k := range kept {
		s.files.markShard(k.line)
	}
	s.resumable.Store(len(kept) > 0 || s.left.spill != nil)
	return kept, nil
}

// check checks the finished shards, and returns the shards that are reused.
func (l *Leftovers) check(ctx context.Context, digest Digest) ([]Reused, error) {
	checked := make([]Reused, len(l.Shards))
	differs, err := l.checkShards(ctx, l.Shards, digest, func(i int, k *Reused) error {
		checked[i] = *k
		return nil
	})
	if err != nil {
		return nil, err
	}
	var kept []Reused
	for i, why := range differs {
		if why != nil {
			l.location.disk.warn(fmt.Sprintf("%s of the stopped run is made again: %v", l.Shards[i].Name, why))
			continue
		}
		kept = append(kept, checked[i])
	}
	return kept, nil
}

// checkShards compares shards and their metadata files with their sums. It calls take for each that
// is as it was made, from several goroutines and in any order. differs has for each other shard why
// it must be made again.
func (l *Leftovers) checkShards(
	ctx context.Context, lines []FinishedShard, digest Digest, take func(int, *Reused) error,
) (differs []error, err error) {
	check, err := l.location.target.shardChecker(ctx, digest)
	if err != nil {
		return nil, err
	}
	differs = make([]error, len(lines))
	err = pool.Each(ctx, cap(l.location.disk.readers), len(lines), func(ctx context.Context, _, i int) (err error) {
		line := &lines[i]
		k := &Reused{Sum: line.Sum, About: About{Note: line.Note}, line: line}
		if line.Index != nil {
			k.Index = &line.Index.Sum
		}
		if differs[i], err = check(ctx, line); err == nil && differs[i] == nil {
			k.Rejects, differs[i] = l.readMetadata(ctx, rejectsName, line.Rejects, digest)
		}
		if err == nil && differs[i] == nil {
			k.Statistics, differs[i] = l.readMetadata(ctx, statisticsName, line.Statistics, digest)
		}
		if err == nil && differs[i] == nil {
			err = take(i, k)
		}
		return cmp.Or(context.Cause(ctx), err) // a canceled read has an error of its own
	})
	return differs, err
}

// readMetadata reads a metadata file of a shard. sum is nil if the shard does not have it.
func (l *Leftovers) readMetadata(ctx context.Context, subdir string, sum *Sum, digest Digest) ([]byte, error) {
	if sum == nil {
		return nil, nil
	}
	return l.location.metadata.getMetadata(ctx, subdir, sum, digest)
}

// checkFile compares a file in a subdirectory of the staging directory with its sum, and copies
// its bytes to w. First it syncs the file, because the stopped run may have run without
// [Options.Sync].
func (loc *location) checkFile(ctx context.Context, dir string, expected *Sum, digest Digest, w io.Writer) error {
	d, name := loc.disk, filepath.Join(loc.inStaging(dir), filepath.FromSlash(expected.Name))
	if err := d.checkDirectory(filepath.Dir(name)); err != nil {
		return err
	}
	f, err := d.openExpected(name, expected)
	if err != nil {
		return err
	}
	if err = d.SyncFile(f); err == nil {
		err = d.compareOpenFile(ctx, f, expected, digest, w)
	}
	return cmp.Or(err, wrapError("closing", f.Name(), f.Close()))
}

// removeUnkept removes everything from the staging directory that is not reused.
func (l *Leftovers) removeUnkept(kept []Reused) error {
	stay := map[string]map[string]bool{dataName: {}, rejectsName: {}, statisticsName: {}}
	for _, k := range kept {
		for _, f := range k.line.files() {
			if f.ETag == "" { // otherwise it is an object of a bucket
				stay[dataName][f.Name] = true
			}
		}
		if len(k.Rejects) > 0 {
			stay[rejectsName][k.Name] = true
		}
		if len(k.Statistics) > 0 {
			stay[statisticsName][k.Name] = true
		}
	}
	for _, dir := range []string{dataName, rejectsName, statisticsName} {
		if err := l.removeUnkeptIn(dir, stay[dir]); err != nil {
			return err
		}
	}
	list := []string{jobName, journalName, dataName, rejectsName, statisticsName, spillName}
	head, _, err := readHead(l.location.disk.fs, l.location.inStaging(planName), 1)
	if head != nil { // nothing else has the name of the plan
		list = append(list, planName)
	}
	return cmp.Or(err, l.location.cleanStaging(list...))
}

// removeUnkeptIn removes all files from a subdirectory of the staging directory except those in
// names. It makes the remaining names durable.
func (l *Leftovers) removeUnkeptIn(dir string, names map[string]bool) error {
	parents := map[string]bool{}
	for name := range names {
		for parent := range parentsOf(name) {
			parents[parent] = true
		}
	}
	if err := l.location.disk.removeOthers(l.location.inStaging(dir), ".", names, parents); err != nil {
		return err
	}
	return l.location.disk.syncTree(l.location.inStaging(dir), parents)
}

// newJournal writes job.json and the journal, with what is reused, as new files. The
// files of the stopped run may not be synced, or their sync may have failed, which a later sync
// does not repair.
func (l *Leftovers) newJournal(kept []Reused) (*journal, error) {
	d, staging := l.location.disk, l.location.staging
	if err := d.putFile(staging, jobName, l.Job); err != nil {
		return nil, err
	}
	lines := []journalLine{{Job: textDigest(l.Job)}}
	if l.spill != nil {
		lines = append(lines, journalLine{Spill: l.spill})
	}
	for i := range kept {
		lines = append(lines, journalLine{Shard: kept[i].line})
	}
	j, err := newJournal(d, staging, lines...)
	if err != nil {
		return nil, err
	}
	return j, d.SyncDirs(staging)
}
