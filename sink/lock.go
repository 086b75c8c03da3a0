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

	"tfr-build/internal/vfs"
)

// lockLine is how a lock begins, and with it every folder that is ours.
const lockLine = "tfr-build\n"

// maxLock is as much of a lock as is read.
const maxLock = 4096

// owned reports whether dir exists and is a folder that this package made: its
// lock begins with our line, or it is as we leave it when stopped in the middle
// of making it, empty or with nothing but a lock that is cut short. Another
// folder of that name is ErrForeign.
func owned(fsys vfs.FS, dir string) (exists bool, err error) {
	info, err := fsys.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fault("looking at", dir, err)
	}
	foreign := &placeError{dir, ErrForeign}
	if !info.IsDir() {
		return false, foreign
	}
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return false, fault("listing", dir, err)
	}
	if len(entries) == 0 {
		return true, nil
	}
	name := filepath.Join(dir, lockName)
	info, err = fsys.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return false, foreign
	}
	if err != nil {
		return false, fault("looking at", name, err)
	}
	text, err := readLock(fsys, name)
	if err != nil {
		return false, err
	}
	cutShort := len(entries) == 1 && strings.HasPrefix(lockLine, text)
	if !strings.HasPrefix(text, lockLine) && !cutShort {
		return false, foreign
	}
	return true, nil
}

// readLock returns what a lock says.
func readLock(fsys vfs.FS, name string) (string, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return "", fault("opening", name, err)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxLock))
	return string(text), fault("reading", name, cmp.Or(err, f.Close()))
}

// claim makes dir where it is missing, takes its lock and says in it who holds
// it. A folder that is not ours is left alone.
func (d *disk) claim(dir string) (lock vfs.File, err error) {
	exists, err := owned(d.fs, dir)
	if err != nil {
		return nil, err
	}
	if !exists {
		if err := d.fs.Mkdir(dir); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, fault("making the folder", dir, err)
		}
		if err := d.syncDirs(filepath.Dir(dir)); err != nil {
			return nil, err
		}
	}
	name := filepath.Join(dir, lockName)
	lock, locked, err := d.fs.Lock(name)
	if errors.Is(err, vfs.ErrLocked) {
		return nil, d.holder(name)
	}
	if err != nil {
		return nil, fault("locking", name, err)
	}
	if !locked {
		d.warn("the file system of " + dir + " has no locks: nothing keeps a second run from the same output")
	}
	if err := d.sign(lock, dir); err != nil {
		lock.Close() // the error that matters is in hand
		return nil, err
	}
	return lock, nil
}

// holder makes the error of a lock that is taken. The holder may just be
// writing its name, so that it cannot be told.
func (d *disk) holder(name string) error {
	e := &LockedError{Path: name}
	text, err := readLock(d.fs, name)
	lines := strings.Split(text, "\n")
	if err != nil || len(lines) < 3 || lines[0]+"\n" != lockLine {
		return e
	}
	if pid, err := strconv.Atoi(lines[2]); err == nil {
		e.Host, e.PID = lines[1], pid
	}
	return e
}

// sign writes into a lock who holds it. Its first line, once written, is
// written over by the same bytes and never cut off: it is what makes the folder
// ours. A folder without that line was just made, or was left in the making.
func (d *disk) sign(lock vfs.File, dir string) error {
	head := make([]byte, len(lockLine))
	if _, err := lock.ReadAt(head, 0); err != nil && err != io.EOF {
		return fault("reading", lock.Name(), err)
	}
	fresh := string(head) != lockLine
	me := vfs.ThisProcess()
	text := fmt.Sprintf("%s%s\n%d\n%s\n", lockLine, strings.ReplaceAll(me.Host, "\n", " "), me.PID, me.Boot)
	if err := writeAt(lock, []byte(text), 0); err != nil {
		return err
	}
	if err := lock.Truncate(int64(len(text))); err != nil {
		return fault("writing", lock.Name(), err)
	}
	if !fresh {
		return nil
	}
	if err := d.syncFile(lock); err != nil {
		return err
	}
	return d.syncDirs(dir)
}
