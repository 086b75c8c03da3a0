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
	About
	Index *Sum // of its index, where it has one

	line *LeftShard
}

func (l *LeftShard) kept() Kept {
	k := Kept{Sum: l.Sum, About: About{Note: l.Note}, line: l}
	if l.Index != nil {
		k.Index = &l.Index.Sum
	}
	return k
}

// Resume takes over what a stopped run left: it checks every finished shard by
// size and digest, and the plan, removes whatever is not finished or not as it
// was, and returns the shards that stay. The errors are those of Begin; after an
// error what the stopped run left stays for the next.
func (s *Stage) Resume(ctx context.Context, digest Digest) ([]Kept, error) {
	if err := s.place.accepts(); err != nil {
		return nil, err
	}
	if err := s.place.target.begin(s.left.Job); err != nil {
		return nil, err
	}
	s.begun = true
	s.resumable.Store(true)
	for _, dir := range []string{s.files.dir, s.place.in(rejectsName), s.place.in(statisticsName)} {
		if err := s.disk.folder(dir); err != nil {
			return nil, err
		}
	}
	kept, err := s.left.check(ctx, digest)
	if err != nil {
		return nil, err
	}
	if err := s.left.keepOnly(kept); err != nil {
		return nil, err
	}
	if s.journal, err = s.left.newJournal(kept); err != nil {
		return nil, err
	}
	s.planned = s.left.planned
	for _, k := range kept {
		for _, f := range k.line.files() {
			s.files.finished(f.Name, f.ETag != "")
		}
	}
	s.resumable.Store(len(kept) > 0 || s.left.Runs != nil)
	return kept, nil
}

// check checks the plan and the finished shards, and returns those that stay.
func (l *Left) check(ctx context.Context, digest Digest) ([]Kept, error) {
	d := l.place.disk
	checked, faults := make([]Kept, len(l.Shards)), make([]error, len(l.Shards))
	err := d.readers.each(ctx, len(checked), func(ctx context.Context, i int) error {
		var err error
		checked[i], faults[i], err = l.checkShard(ctx, &l.Shards[i], digest)
		return cmp.Or(context.Cause(ctx), err)
	})
	if err != nil {
		return nil, err
	}
	var kept []Kept
	for i, k := range checked {
		if faults[i] != nil {
			d.warn(fmt.Sprintf("%s of the stopped run is made again: %v", k.Name, faults[i]))
			continue
		}
		kept = append(kept, k)
	}
	return kept, l.checkPlan(ctx)
}

// checkShard says what is wrong with a shard that is not as it was finished.
func (l *Left) checkShard(ctx context.Context, shard *LeftShard, digest Digest) (k Kept, differs, err error) {
	k = shard.kept()
	differs, err = l.place.fileDiffers(ctx, shard, digest)
	if err == nil && differs == nil {
		k.Rejects, differs = l.readAbout(ctx, rejectsName, shard.Rejects, digest)
	}
	if err == nil && differs == nil {
		k.Statistics, differs = l.readAbout(ctx, statisticsName, shard.Statistics, digest)
	}
	return k, differs, err
}

// fileDiffers says how a shard, or its index, is not as it was finished.
func (p *place) fileDiffers(ctx context.Context, shard *LeftShard, digest Digest) (differs, err error) {
	differs, err = p.target.checkShard(ctx, shard, digest)
	if err == nil && differs == nil && shard.Index != nil {
		differs, err = p.target.checkShard(ctx, shard.Index, SHA256)
	}
	return differs, err
}

// readAbout reads a file about a shard; sum is nil where there is none.
func (l *Left) readAbout(ctx context.Context, folder string, sum *Sum, digest Digest) ([]byte, error) {
	if sum == nil {
		return nil, nil
	}
	return l.place.target.getMetadata(ctx, folder, sum, digest)
}

// checkPlan forgets a plan that is not as it was.
func (l *Left) checkPlan(ctx context.Context) error {
	if l.planned == nil {
		return nil
	}
	err := l.place.checkFile(ctx, ".", &l.planned.Plan, XXH128, io.Discard)
	if err == nil {
		err = l.place.checkFile(ctx, ".", &l.planned.Listing, XXH128, io.Discard)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		l.place.disk.warn("the plan of the stopped run is made again: " + err.Error())
		l.planned = nil
	}
	return nil
}

// checkFile compares a file in a folder of the staging folder with its sum. It
// syncs it first: the run that was stopped may have been one without Sync.
func (p *place) checkFile(ctx context.Context, dir string, expected *Sum, digest Digest, w io.Writer) error {
	d, name := p.disk, filepath.Join(p.in(dir), filepath.FromSlash(expected.Name))
	if err := d.isFolder(filepath.Dir(name)); err != nil {
		return err
	}
	f, err := d.openSum(name, expected)
	if err != nil {
		return err
	}
	if err = d.syncFile(f); err == nil {
		err = d.compare(ctx, f, expected, digest, w)
	}
	return cmp.Or(err, fault("closing", f.Name(), f.Close()))
}

// keepOnly removes from the staging folder what is not kept of a stopped run.
func (l *Left) keepOnly(kept []Kept) error {
	shards, rejects, statistics := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, k := range kept {
		for _, f := range k.line.files() {
			if f.ETag == "" {
				shards[f.Name] = true
			}
		}
		if len(k.Rejects) > 0 {
			rejects[k.Name] = true
		}
		if len(k.Statistics) > 0 {
			statistics[k.Name] = true
		}
	}
	if err := l.keepIn(dataName, shards); err != nil {
		return err
	}
	if err := l.keepIn(rejectsName, rejects); err != nil {
		return err
	}
	if err := l.keepIn(statisticsName, statistics); err != nil {
		return err
	}
	stay := []string{jobName, journalName, dataName, rejectsName, statisticsName, spillName}
	if l.planned != nil {
		stay = append(stay, planName, listingName)
	}
	return l.place.tidy(stay...)
}

// keepIn removes from a folder of the staging folder all but these files, and makes
// their names durable.
func (l *Left) keepIn(dir string, names map[string]bool) error {
	folders := map[string]bool{}
	for name := range names {
		for folder := range foldersOf(name) {
			folders[folder] = true
		}
	}
	if _, err := l.place.disk.sweep(l.place.in(dir), ".", names, folders); err != nil {
		return err
	}
	return l.place.disk.syncTree(l.place.in(dir), folders)
}

// newJournal writes the job and the journal anew, of what stays. They are other
// files: those of the stopped run may be such as were never synced, or whose sync
// failed, which no later sync repairs.
func (l *Left) newJournal(kept []Kept) (*journal, error) {
	d, staging := l.place.disk, l.place.staging
	if err := d.put(staging, jobName, l.Job); err != nil {
		return nil, err
	}
	lines := []journalLine{{Job: textDigest(l.Job)}}
	if l.planned != nil {
		lines = append(lines, journalLine{Planned: l.planned})
	}
	if l.Runs != nil {
		lines = append(lines, journalLine{Spill: l.Runs})
	}
	stays := map[string]bool{}
	for _, k := range kept {
		stays[k.Name] = true
	}
	for i := range l.Shards {
		if shard := &l.Shards[i]; stays[shard.Name] {
			lines = append(lines, journalLine{Shard: shard})
		}
	}
	j, err := newJournal(d, staging, lines...)
	if err != nil {
		return nil, err
	}
	return j, d.syncDirs(staging)
}
