package sink

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"

	"tfr-build/internal/store"
)

// spill manages the directory of the spill files. It is spill/ in the staging directory, or the
// same in a directory under Options.Scratch, which exists while it is needed.
type spill struct {
	location *location
	scratch  string // Options.Scratch

	dir       string          // of the spill files; empty until this run has taken it
	lock      store.LocalFile // of the directory above dir under Options.Scratch; nil in the staging directory
	keep      bool            // the next run needs the directory if this run stops
	journaled string          // directory under Options.Scratch, as recorded in the journal
}

// SpillDirectory returns the path of a directory for spill files. This run removes the directory at
// its end, unless KeepSpillFiles was called. A run that resumes a stopped run gets the directory of
// that run, without anything but the subdirectories in stay. It gets a new one if Options.Scratch has
// changed since. Spill files are not synced: a power loss may damage them, which their reader must detect.
func (s *Stage) SpillDirectory(stay ...string) (string, error) {
	sp := s.spill
	if sp.dir != "" {
		return sp.dir, nil
	}
	scratchDir, err := sp.scratchDir()
	if err != nil {
		return "", err
	}
	if s.left == nil || s.left.spill == nil || *s.left.spill != scratchDir {
		if err := s.DropSpillFiles(); err != nil {
			return "", err
		}
		// The next run must find the directory.
		if _, err := s.journal.append(&journalLine{Spill: &scratchDir}); err != nil {
			return "", err
		}
		sp.journaled = scratchDir
		stay = nil
	}
	if err := sp.takeDirectory(scratchDir); err != nil {
		return "", err
	}
	sp.keep = stay != nil
	for _, name := range append([]string{"."}, stay...) { // a link to another directory does not stay
		if err := s.disk.ensureDirectory(filepath.Join(sp.dir, name)); err != nil {
			return "", err
		}
	}
	return sp.dir, s.disk.removeExcept(sp.dir, stay...)
}

// KeepSpillFiles leaves the directory of the spill files for the next run if this run stops.
func (s *Stage) KeepSpillFiles() {
	s.spill.keep = true
	s.resumable.Store(true)
}

// DropSpillFiles removes the spill files of this run and of a stopped run. The run can create new
// spill files later.
func (s *Stage) DropSpillFiles() error {
	if err := s.spill.cleanUp(); err != nil || s.left == nil || s.left.spill == nil {
		return err
	}
	left := *s.left.spill
	s.left.spill = nil
	return s.spill.removeLeftover(left)
}

// scratchDir returns the directory for spill files under Options.Scratch. It returns an empty
// string if they are in the staging directory.
func (sp *spill) scratchDir() (string, error) {
	if sp.scratch == "" || sp.location.isInBucket() {
		return "", nil
	}
	name, err := sp.location.scratchName()
	if err != nil {
		return "", err
	}
	dir, err := filepath.Abs(sp.scratch)
	return filepath.Join(dir, name, spillName), wrapError("inspecting", sp.scratch, err)
}

// takeDirectory takes the directory for spill files. Under Options.Scratch it locks the parent
// directory, and removes everything else from it.
func (sp *spill) takeDirectory(scratchDir string) error {
	d := sp.location.disk
	if scratchDir == "" {
		sp.dir = sp.location.inStaging(spillName)
		return nil
	}
	own := filepath.Dir(scratchDir)
	if err := d.MkdirAll(filepath.Dir(own)); err != nil {
		return err
	}
	lock, err := d.lockDirectoryRetrying(own)
	if err != nil {
		return err
	}
	if err := d.removeExcept(own, lockName, spillName); err != nil {
		lock.Close() // the first error is returned
		return err
	}
	sp.dir, sp.lock = scratchDir, lock
	return nil
}

// lockDirectoryRetrying locks a directory that its previous holder may be removing at the same
// time.
func (d *Disk) lockDirectoryRetrying(dir string) (lock store.LocalFile, err error) {
	const tries = 10 // a directory that disappears this often does not do so by chance
	for range tries {
		if lock, err = d.lockDirectory(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return lock, err
}

// cleanUp removes the spill files of this run, or those that it took from a stopped run. It
// also removes a directory that this run only began to take.
func (sp *spill) cleanUp() error {
	sp.keep = false
	if err := sp.close(); err != nil || sp.journaled == "" {
		return err
	}
	err := sp.removeLeftover(sp.journaled)
	sp.journaled = ""
	return err
}

// close removes the spill files unless the next run needs them, and releases their directory.
func (sp *spill) close() (err error) {
	if sp.dir != "" && !sp.keep {
		err = sp.remove()
	}
	if sp.lock != nil {
		err = cmp.Or(err, wrapError("closing", sp.lock.Name(), sp.lock.Close()))
	}
	sp.dir, sp.lock, sp.keep = "", nil, false
	return err
}

// removeLeftover removes the spill files of a stopped run from the scratch directory of that run, or
// from the staging directory if dir is empty. It warns if it cannot empty the scratch directory.
func (sp *spill) removeLeftover(dir string) error {
	if dir == "" {
		return sp.location.disk.removeAll(sp.location.inStaging(spillName))
	}
	if err := sp.removeScratch(dir); err != nil {
		sp.location.disk.warn("spill files of a stopped run are left in " + dir + ": " + err.Error())
	}
	return nil
}

// removeScratch removes the spill files in dir, which is under the scratch directory of a
// stopped run. dir was read from a file, so nothing is removed unless dir can belong to this
// output.
func (sp *spill) removeScratch(dir string) error {
	d, own := sp.location.disk, filepath.Dir(dir)
	name, err := sp.location.scratchName()
	if err != nil {
		return err
	}
	if !filepath.IsAbs(dir) || dir != filepath.Join(filepath.Dir(own), name, spillName) {
		return errNotThisOutput
	}
	exists, err := checkOwned(d.fs, own)
	if err != nil {
		return err
	}
	if !exists { // it may just have been removed, which must be durable, too
		if err := d.SyncDirs(filepath.Dir(own)); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	lock, err := d.lockDirectory(own)
	if err != nil {
		return err
	}
	other := spill{location: sp.location, dir: dir, lock: lock}
	return other.close()
}

var errNotThisOutput = errors.New("the directory is not one for this output")

// remove removes the spill files. Under Options.Scratch it also removes the directory that was
// made for them, durably: without a journal, nothing names it. Files of other programs stay.
func (sp *spill) remove() error {
	d := sp.location.disk
	if err := d.removeAll(sp.dir); err != nil || sp.lock == nil {
		return err
	}
	own := filepath.Dir(sp.dir)
	// A directory with spill files but without a lock would be foreign.
	if err := d.SyncDirs(own); err != nil {
		return err
	}
	return removeIfEmpty(d, own)
}

// removeIfEmpty removes a directory that this run has locked, if it contains only the lock.
func removeIfEmpty(d *Disk, own string) error {
	entries, err := d.fs.ReadDir(own)
	if err != nil {
		return wrapError("listing", own, err)
	}
	if len(entries) > 1 {
		return nil
	}
	// A process that has opened the lock by now notices that it was removed, and creates
	// another. Then the directory is not empty.
	if err := d.removeAll(filepath.Join(own, lockName)); err != nil {
		return err
	}
	if err := d.fs.Remove(own); err != nil && !errors.Is(err, fs.ErrExist) {
		return wrapError("removing", own, err)
	}
	return d.SyncDirs(filepath.Dir(own))
}
