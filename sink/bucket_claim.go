package sink

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"tfr-build/internal/bucket"
	"tfr-build/internal/store"
)

// A sharedPrefix is a prefix that tasks share: they have a local folder each, which goes
// with them. Their claim is the job object, and what they tell about shards stands beside
// it.
type sharedPrefix struct{ *prefix }

func (p sharedPrefix) readClaim() ([]byte, error) {
	job, _, err := p.readJob(p.ctx)
	if err != nil || job == nil || !job.Tasks {
		return nil, err
	}
	return []byte(job.Job), nil
}

func (p sharedPrefix) claim(claim []byte) error { return p.owner.grant(claim) }

// grant puts the job object of tasks. What they do needs no folder that was introduced,
// but for taking the output from a stopped run of it.
func (w *owner) grant(claim []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	word, err := readSmall(w.disk.fs, w.note, maxLock)
	if err != nil {
		return err
	}
	if w.run = string(word); w.run == "" {
		w.run = rand.Text()
	}
	w.job, w.tasks = string(claim), true
	if err := w.hold(w.ctx); err != nil {
		return err
	}
	if err := w.abortLeft(); err != nil {
		return err
	}
	return w.disk.removeAll(w.note)
}

func (p sharedPrefix) attach(claim []byte, _ string) {
	p.owner.mu.Lock()
	defer p.owner.mu.Unlock()
	p.owner.job, p.owner.tasks = string(claim), true
}

// openWorkDirectory makes a folder of this process's own, and removes the folders of processes that
// were killed on this machine.
func (p sharedPrefix) openWorkDirectory(attempt string) (store.LocalFile, error) {
	p.removeDead()
	p.staging += "-" + attempt
	p.passing = true
	if err := p.disk.mkdirAll(filepath.Dir(p.staging)); err != nil {
		return nil, err
	}
	lock, err := claimNew(p.disk, p.staging)
	if err != nil {
		return nil, err
	}
	if err := p.makeFolders(); err != nil {
		_ = p.unlock(lock) // the error that matters is in hand
		return nil, err
	}
	return lock, nil
}

// claimNew makes a folder that is locked from the moment it has its name: until then
// nobody else knows it, and nobody can take it for one that a killed process left.
func claimNew(d *disk, dir string) (lock store.LocalFile, err error) {
	temp := tempName(filepath.Split(dir))
	if lock, err = d.claim(temp); err != nil {
		return nil, err
	}
	if err = d.rename(temp, dir); err != nil {
		_ = d.removeAll(temp) // the error that matters is in hand
		_ = lock.Close()
		return nil, err
	}
	return lock, nil
}

// removeDead removes the folders of processes that were killed: nobody holds their locks.
// A folder that has no name yet may be one that a process is just making, unless it has a
// lock. What removeDead cannot remove is no fault of this process.
func (p sharedPrefix) removeDead() {
	dir, base := filepath.Split(p.staging)
	entries, err := p.disk.fs.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if strings.HasPrefix(e.Name(), base+"-") || strings.HasPrefix(e.Name(), "."+base+"-") && hasLock(p.disk, name) {
			removeUnlocked(p.disk, name)
		}
	}
}

// hasLock reports whether a folder has a lock, held or not.
func hasLock(d *disk, dir string) bool {
	exists, err := d.isThere(filepath.Join(dir, lockName))
	return err == nil && exists
}

// removeUnlocked removes a folder of ours whose lock nobody holds. Where there are no
// locks, nobody can tell.
func removeUnlocked(d *disk, dir string) {
	if ours, err := owned(d.fs, dir); err != nil || !ours {
		return
	}
	lock, isLocked, err := d.fs.Lock(filepath.Join(dir, lockName))
	if err != nil {
		return
	}
	if isLocked {
		_ = removeLocked(d, dir)
	}
	_ = lock.Close()
}

// removeLocked removes a folder whose lock this process holds. The lock goes last: a folder
// without it is nobody's, and would stay if this process were killed here.
func removeLocked(d *disk, dir string) error {
	if err := d.clear(dir, lockName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return d.removeAll(dir)
}

// adoption compares the shards with one listing. What describes the dataset is made in
// folders here.
func (p sharedPrefix) adoption(ctx context.Context, _ Digest) (adoption, error) {
	if err := p.makeFolders(); err != nil {
		return nil, err
	}
	there := map[string]bucket.Object{}
	err := p.client.List(ctx, p.out, func(o bucket.Object) error {
		there[strings.TrimPrefix(o.Key, p.out.Key)] = o
		return nil
	})
	if err != nil {
		return nil, p.fail(err)
	}
	return func(ctx context.Context, line *LeftShard) (differs, err error) {
		for _, file := range line.files() {
			if differs, err = compareFile(ctx, p.prefix, file, there[file.Name]); differs != nil || err != nil {
				break
			}
		}
		return differs, err
	}, nil
}

// putMetadata keeps what tasks tell where all of them see it.
func (p *prefix) putMetadata(fl *files, folder string, sum *Sum, data []byte) error {
	if !p.owner.tasks {
		return p.place.putMetadata(fl, folder, sum, data)
	}
	_, err := p.client.Put(p.ctx, p.hidden.Join(folder).Join(sum.Name), data)
	return p.fail(err)
}

func (p *prefix) getMetadata(ctx context.Context, folder string, sum *Sum, digest Digest) ([]byte, error) {
	if !p.owner.tasks {
		return p.place.getMetadata(ctx, folder, sum, digest)
	}
	u := p.hidden.Join(folder).Join(sum.Name)
	data, _, err := p.get(ctx, u, sum.Bytes)
	switch {
	case err != nil:
		return nil, err
	case data == nil:
		return nil, fault("reading", u.String(), fs.ErrNotExist)
	case sumOf(sum.Name, data, digest) != *sum:
		return nil, fault("reading", u.String(), fmt.Errorf("it is not as it was written: %w", ErrDiffers))
	}
	return data, nil
}
