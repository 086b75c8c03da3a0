package sink

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"tfr-build/internal/store"
)

// lockLine is how a lock begins, and with it every folder that is ours.
const lockLine = "tfr-build\n"

// maxLock is as much of a lock as is read.
const maxLock = 4096

// owned reports whether dir exists and is a folder that this package made: its
// lock begins with our line, or it is as we leave it when stopped in the middle
// of making it, empty or with nothing but a lock that has no name yet, is cut
// short, or holds zeros. Another folder of that name is ErrForeign.
func owned(fsys store.Local, dir string) (exists bool, err error) {
	info, err := fsys.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fault("inspecting", dir, err)
	}
	foreign := &placeError{dir, ErrForeign}
	if !info.IsDir() {
		return false, foreign
	}
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return false, fault("listing", dir, err)
	}
	if len(entries) == 0 || len(entries) == 1 && entries[0].Name() == filepath.Base(tempName(dir, lockName)) {
		return true, nil
	}
	name := filepath.Join(dir, lockName)
	info, err = fsys.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return false, foreign
	}
	if err != nil {
		return false, fault("inspecting", name, err)
	}
	text, err := readLock(fsys, name)
	if err != nil {
		return false, err
	}
	cutShort := len(entries) == 1 && strings.HasPrefix(lockLine, strings.TrimRight(text, "\x00"))
	if !strings.HasPrefix(text, lockLine) && !cutShort {
		return false, foreign
	}
	return true, nil
}

// readLock returns what a lock says.
func readLock(fsys store.Local, name string) (string, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return "", fault("opening", name, err)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxLock))
	return string(text), fault("reading", name, cmp.Or(err, f.Close()))
}

// claim makes dir where it is missing, takes its lock and says in it who holds
// it. A folder that is not ours is left alone.
func (d *disk) claim(dir string) (lock store.LocalFile, err error) {
	exists, err := owned(d.fs, dir)
	if err != nil {
		return nil, err
	}
	if !exists {
		if err := d.fs.Mkdir(dir); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, fault("making the folder", dir, err)
		}
	}
	name := filepath.Join(dir, lockName)
	lock, locked, err := d.newLock(dir, name)
	if err == nil && lock == nil {
		lock, locked, err = oldLock(d, name)
	}
	if err != nil {
		return nil, err
	}
	if !locked {
		d.unlocked = true
		d.warn("the file system of " + dir + " has no locks: nothing keeps a second run from the same output")
	}
	if err = d.syncDirs(dir, filepath.Dir(dir)); err != nil {
		lock.Close() // the error that matters is in hand
		return nil, err
	}
	return lock, nil
}

// oldLock takes a lock that has its name, and signs it.
func oldLock(d *disk, name string) (lock store.LocalFile, locked bool, err error) {
	lock, locked, err = d.fs.Lock(name)
	if errors.Is(err, store.ErrLocked) {
		return nil, false, d.holder(name)
	}
	if err != nil {
		return nil, false, fault("locking", name, err)
	}
	if err = d.sign(lock); err != nil {
		lock.Close() // the error that matters is in hand
		return nil, false, err
	}
	return lock, locked, nil
}

// newLock makes the lock of a folder that has none, and holds it from before it has its
// name: nobody finds it free. It says whose it is, durably, by then, for a lock that a loss
// of power spoiled would make the folder nobody's. Only who holds the lock of the temporary
// file renames it. Where the folder has a lock already, lock is nil.
func (d *disk) newLock(dir, name string) (lock store.LocalFile, locked bool, err error) {
	if exists, err := d.isThere(name); err != nil || exists {
		return nil, false, err
	}
	temp := tempName(dir, lockName)
	f, locked, err := d.fs.Lock(temp)
	if errors.Is(err, store.ErrLocked) {
		return nil, false, d.holder(name)
	}
	if err != nil {
		return nil, false, fault("locking", temp, err)
	}
	exists, err := d.isThere(name) // by now another run may have made it
	switch {
	case err == nil && exists:
		err = d.removeAll(temp)
	case err == nil:
		if err = d.sign(f); err == nil {
			err = d.rename(temp, name)
		}
	}
	if err == nil && !exists {
		return f, locked, nil
	}
	return nil, false, cmp.Or(err, fault("closing", temp, f.Close()))
}

func (d *disk) isThere(name string) (bool, error) {
	_, err := d.fs.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, fault("inspecting", name, err)
}

// holder makes the error of a lock that is taken. The holder may just be
// writing its name, and is given a moment for it.
func (d *disk) holder(name string) error {
	const tries, moment = 20, 5 * time.Millisecond
	e := &LockedError{Path: name}
	for range tries {
		text, err := readLock(d.fs, name)
		lines := strings.Split(text, "\n")
		if err == nil && len(lines) > 3 && lines[0]+"\n" == lockLine {
			e.Host = lines[1]
			e.PID, _ = strconv.Atoi(lines[2]) // 0 where it is not known
			return e
		}
		time.Sleep(moment)
	}
	return e
}

// sign writes into a lock who holds it, durably before anything else comes to be
// in the folder. The first line of a lock that has one is written over by the
// same bytes and never cut off: it is what makes the folder ours.
func (d *disk) sign(lock store.LocalFile) error {
	me := store.ThisProcess()
	text := fmt.Sprintf("%s%s\n%d\n%s\n", lockLine, strings.ReplaceAll(me.Host, "\n", " "), me.PID, me.Boot)
	if err := writeAt(lock, []byte(text), 0); err != nil {
		return err
	}
	if err := lock.Truncate(int64(len(text))); err != nil {
		return fault("writing", lock.Name(), err)
	}
	return d.syncFile(lock)
}
