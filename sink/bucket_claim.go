package sink

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"tfr-build/internal/store"
)

// Each process of tasks that share a prefix has a local directory, which is removed when it ends.
// The claim is the job object, and the metadata of shards is stored next to it.

func (p *prefix) readClaim() ([]byte, error) {
	job, _, err := p.readJob(p.ctx)
	if err != nil || job == nil || !job.Tasks {
		return nil, err
	}
	return []byte(job.Job), nil
}

// claim puts the job object of tasks. Tasks need the run ID of a staging directory only to take the output from a
// stopped run of that directory.
func (p *prefix) claim(claim []byte) error {
	if err := p.owner.start(claim, true); err != nil {
		return err
	}
	return p.disk.removeAll(p.owner.runFile)
}

func (p *prefix) attach(claim []byte, _ string) {
	p.owner.mu.Lock()
	defer p.owner.mu.Unlock()
	p.owner.job, p.owner.tasks = string(claim), true
	p.metadata = objectMetadata{p.remote}
}

// openWorkDirectory creates a directory for this process alone. It removes the directories of
// processes that were killed on this machine.
func (p *prefix) openWorkDirectory(attempt string) (store.LocalFile, error) {
	p.removeDead()
	p.staging += "-" + attempt
	p.temporary = true
	if err := p.disk.MkdirAll(filepath.Dir(p.staging)); err != nil {
		return nil, err
	}
	lock, err := createLockedDirectory(p.disk, p.staging)
	if err != nil {
		return nil, err
	}
	if err := p.makeDirectories(); err != nil {
		_ = p.unlock(lock) // the first error is returned
		return nil, err
	}
	return lock, nil
}

// createLockedDirectory creates a directory that is locked before it has its name. So no other
// process can mistake it for the directory of a killed process.
func createLockedDirectory(d *Disk, dir string) (lock store.LocalFile, err error) {
	temp := tempPath(filepath.Split(dir))
	if lock, err = d.lockDirectory(temp); err != nil {
		return nil, err
	}
	if err = d.rename(temp, dir); err != nil {
		_ = d.removeAll(temp) // the first error is returned
		_ = lock.Close()
		return nil, err
	}
	return lock, nil
}

// removeDead removes the directories of killed processes, whose locks are free. A process may
// just be creating a directory that has a temporary name and no lock, so this one stays. Errors
// of removing are ignored.
func (p *prefix) removeDead() {
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

// hasLock reports whether a directory has a lock file, locked or not.
func hasLock(d *Disk, dir string) bool {
	exists, err := d.exists(filepath.Join(dir, lockName))
	return err == nil && exists
}

// removeUnlocked removes a directory of this package whose lock is free. On a file system
// without locks it removes nothing, because the process may still be alive.
func removeUnlocked(d *Disk, dir string) {
	if isOwn, err := checkOwned(d.fs, dir); err != nil || !isOwn {
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

// removeLocked removes a directory whose lock this process has. The lock is removed last:
// without it the directory would be foreign, and would stay if this process were killed here.
func removeLocked(d *Disk, dir string) error {
	if err := d.removeExcept(dir, lockName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return d.removeAll(dir)
}

// An objectMetadata stores the metadata of tasks in the bucket, where all processes can read it.
type objectMetadata struct{ *remote }

func (r objectMetadata) putMetadata(_ *files, subdir string, sum *Sum, data []byte) error {
	return r.put(r.ctx, r.inHidden(subdir+"/"+sum.Name), data)
}

func (r objectMetadata) getMetadata(ctx context.Context, subdir string, sum *Sum, digest Digest) ([]byte, error) {
	url := r.inHidden(subdir + "/" + sum.Name)
	data, _, err := r.get(ctx, url, sum.Bytes)
	switch {
	case err != nil:
		return nil, err
	case data == nil:
		return nil, wrapError("reading", url, fs.ErrNotExist)
	case sumOf(sum.Name, data, digest) != *sum:
		return nil, wrapError("reading", url, fmt.Errorf("it is not as it was written: %w", ErrDiffers))
	}
	return data, nil
}
