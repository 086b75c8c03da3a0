package sink

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"tfr-build/internal/store"
)

// lockLine is the first line of each lock. It identifies the directories that this package
// made.
const lockLine = "tfr-build\n"

// maxLock is the maximum number of bytes that are read from a lock.
const maxLock = 4096

// checkOwned reports whether the directory dir exists. The error is [ErrUnknownStage] if this
// package did not make it. A directory belongs to this package if its lock begins with
// lockLine. It also does if a run may have been stopped while it created the directory. Then
// the directory is empty, or contains only a lock:
//
//   - under its temporary name
//   - that is truncated
//   - that contains zeros from some offset on
func checkOwned(fsys store.Local, dir string) (exists bool, err error) {
	info, err := fsys.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, wrapError("inspecting", dir, err)
	}
	notOwned := &pathError{dir, ErrUnknownStage}
	if !info.IsDir() {
		return false, notOwned
	}
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return false, wrapError("listing", dir, err)
	}
	if len(entries) == 0 || len(entries) == 1 && entries[0].Name() == filepath.Base(tempPath(dir, lockName)) {
		return true, nil
	}
	text, _, err := readHead(fsys, filepath.Join(dir, lockName), maxLock)
	if err != nil {
		return false, err
	}
	cutShort := len(entries) == 1 && strings.HasPrefix(lockLine, strings.TrimRight(string(text), "\x00"))
	if text == nil || !strings.HasPrefix(string(text), lockLine) && !cutShort {
		return false, notOwned
	}
	return true, nil
}

// lockDirectory creates dir if it does not exist, locks it, and writes the holder into the
// lock. It changes nothing if it does not own the directory. If the file system has no locks, it
// warns.
func (d *Disk) lockDirectory(dir string) (lock store.LocalFile, err error) {
	exists, err := checkOwned(d.fs, dir)
	if err != nil {
		return nil, err
	}
	if !exists {
		if err := d.fs.Mkdir(dir); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, wrapError("making the directory", dir, err)
		}
	}
	name := filepath.Join(dir, lockName)
	lock, locked, err := d.createLock(dir, name)
	if err == nil && lock == nil {
		lock, locked, err = takeLock(d, name)
	}
	if err != nil {
		if !exists {
			_ = d.fs.Remove(dir) // unless another run has begun to lock it
		}
		return nil, err
	}
	if !locked {
		d.lacksLocks = true
		d.warn("the file system of " + dir + " has no locks: nothing keeps a second run from the same output")
	}
	if err = d.SyncDirs(dir, filepath.Dir(dir)); err != nil {
		lock.Close() // the first error is returned
		return nil, err
	}
	return lock, nil
}

// lock locks a file, which is or becomes the lock file with a name.
func (d *Disk) lock(file, name string) (lock store.LocalFile, locked bool, err error) {
	lock, locked, err = d.fs.Lock(file)
	if errors.Is(err, store.ErrLocked) {
		return nil, false, d.newLockedError(name)
	}
	return lock, locked, wrapError("locking", file, err)
}

// takeLock locks a lock file that exists under its name, and writes the holder into it.
func takeLock(d *Disk, name string) (lock store.LocalFile, locked bool, err error) {
	if lock, locked, err = d.lock(name, name); err != nil {
		return nil, false, err
	}
	if err = d.writeHolder(lock); err != nil {
		lock.Close() // the first error is returned
		return nil, false, err
	}
	return lock, locked, nil
}

// createLock creates the lock of a directory. If the directory already has a lock, it returns a
// nil lock. The file gets its name only after it is locked and names its holder, durably:
//
//   - no other process can find the lock free
//   - a lock that a power loss damaged would make the directory unowned
//
// Only the process that has locked the temporary file renames it.
func (d *Disk) createLock(dir, name string) (lock store.LocalFile, locked bool, err error) {
	if exists, err := d.exists(name); err != nil || exists {
		return nil, false, err
	}
	temp := tempPath(dir, lockName)
	f, locked, err := d.lock(temp, name)
	if err != nil {
		return nil, false, err
	}
	exists, err := d.exists(name) // another run may have created it since
	switch {
	case err == nil && exists:
		err = d.removeAll(temp)
	case err == nil:
		if err = d.writeHolder(f); err == nil {
			err = d.rename(temp, name)
		}
	}
	if err == nil && !exists {
		return f, locked, nil
	}
	if err != nil { // a full disk
		_ = d.fs.Remove(temp)
	}
	return nil, false, cmp.Or(err, wrapError("closing", temp, f.Close()))
}

func (d *Disk) exists(name string) (bool, error) {
	_, err := d.fs.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, wrapError("inspecting", name, err)
}

// newLockedError returns the error for a lock that another process has. That process may still
// be writing its name, so newLockedError retries for 100 ms.
func (d *Disk) newLockedError(name string) error {
	const tries, moment = 20, 5 * time.Millisecond
	e := &LockedError{Path: name}
	for range tries {
		text, _, err := readHead(d.fs, name, maxLock)
		lines := strings.Split(string(text), "\n")
		if err == nil && len(lines) > 3 && lines[0]+"\n" == lockLine {
			e.Host = lines[1]
			e.PID, _ = strconv.Atoi(lines[2]) // 0 if unknown
			return e
		}
		time.Sleep(moment)
	}
	return e
}

// writeHolder writes the holder into a lock. This is durable before anything else is created in
// the directory. The first line of an existing lock is overwritten with the same bytes and
// never truncated, because it identifies the directory.
func (d *Disk) writeHolder(lock store.LocalFile) error {
	me := store.ThisProcess()
	text := fmt.Sprintf("%s%s\n%d\n", lockLine, strings.ReplaceAll(me.Host, "\n", " "), me.PID)
	if err := writeAt(lock, []byte(text), 0); err != nil {
		return err
	}
	if err := lock.Truncate(int64(len(text))); err != nil {
		return wrapError("writing", lock.Name(), err)
	}
	return d.SyncFile(lock)
}
