package sink

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"sync"

	"tfr-build/internal/store"
)

// spill manages the directory of the spill files. It is spill/ in the staging directory, or the
// same in a directory under Options.Scratch, which exists while it is needed.
type spill struct {
	location *location
	files    *files
	scratch  string // Options.Scratch

	mu        sync.Mutex
	dir       string          // of the spill files; empty until this run has taken it
	lock      store.LocalFile // of the directory above dir under Options.Scratch; nil in the staging directory
	keep      bool            // the spill files are complete: the next run needs them if this run stops
	journaled string          // directory under Options.Scratch, as recorded in the journal
}

// create creates a spill file.
func (sp *spill) create(name string, j *journal) (*SpillFile, error) {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	if sp.dir == "" {
		if err := sp.createDirectory(j); err != nil {
			return nil, err
		}
	}
	path := filepath.Join(sp.dir, name)
	f, err := sp.location.disk.fs.Create(path)
	if err != nil {
		return nil, wrapError("creating", path, err)
	}
	// If keep is set, this file is derived from the complete files, and the next run makes it
	// again: it is temporary.
	return newSpillFile(sp.files, f, sp.keep), nil
}

// createDirectory creates the directory for the first spill file. Before that, it records the
// path in the journal for the next run.
func (sp *spill) createDirectory(j *journal) error {
	scratchDir, err := sp.scratchDir()
	if err != nil {
		return err
	}
	if _, err := j.append(&journalLine{Spill: &FinishedSpill{Dir: scratchDir}}); err != nil {
		return err
	}
	sp.journaled = scratchDir
	if err := sp.takeDirectory(scratchDir); err != nil {
		return err
	}
	d := sp.location.disk
	if err := d.removeAll(sp.dir); err != nil {
		return err
	}
	return wrapError("making the directory", sp.dir, d.fs.Mkdir(sp.dir))
}

// keepFiles leaves the spill files for the next run if this run stops.
func (sp *spill) keepFiles() {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	sp.keep = true
}

// reclaim takes the directory of a stopped run with its spill files. ok is false if this run
// uses another directory.
func (sp *spill) reclaim(left *FinishedSpill) (ok bool, err error) {
	scratchDir, err := sp.scratchDir()
	if err != nil || scratchDir != left.Dir {
		return false, err
	}
	if err := sp.takeDirectory(scratchDir); err != nil {
		return false, err
	}
	sp.keepFiles()
	return true, nil
}

var errOtherRuns = errors.New("they are not the ones that are needed")

// reopenFiles opens all spill files that are needed, or none. It removes all other files: files
// that were derived from spill files are made again.
func (sp *spill) reopenFiles(list []Sum, needed []bool, check func([]*SpillFile) error) (runs []*SpillFile, err error) {
	d, dir := sp.location.disk, sp.dir
	info, err := d.fs.Lstat(dir)
	if err == nil && (!info.IsDir() || len(needed) != len(list)) {
		err = errOtherRuns
	}
	names := map[string]bool{}
	for i := 0; i < len(list) && err == nil; i++ {
		var r *SpillFile
		if names[list[i].Name] = needed[i]; needed[i] {
			r, err = sp.reopenRun(&list[i])
		}
		runs = append(runs, r)
	}
	if err == nil {
		err = check(runs)
	}
	if err == nil {
		_, err = d.removeOthers(dir, ".", names, nil)
	}
	if err == nil {
		return runs, nil
	}
	for _, r := range runs {
		if r != nil {
			err = cmp.Or(err, r.close())
		}
	}
	return nil, err
}

// reopenRun opens a spill file, which must have the size in its sum.
func (sp *spill) reopenRun(expected *Sum) (*SpillFile, error) {
	f, err := sp.location.disk.openExpected(filepath.Join(sp.dir, expected.Name), expected)
	if err != nil {
		return nil, err
	}
	if sp.location.disk.cold {
		_ = f.DropCache() // only a hint
	}
	r := newSpillFile(sp.files, f, false)
	r.size = expected.Bytes
	return r, nil
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
	if err := d.mkdirAll(filepath.Dir(own)); err != nil {
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
func (d *disk) lockDirectoryRetrying(dir string) (lock store.LocalFile, err error) {
	const tries = 10 // a directory that disappears this often does not do so by chance
	for range tries {
		if lock, err = d.lockDirectory(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return lock, err
}

// cleanUp removes the spill files of this run, or those that it took from a stopped run. It
// also removes a directory that this run only began to take. Spill files can be created again
// later.
func (sp *spill) cleanUp() error {
	sp.keep = false
	if err := sp.close(); err != nil || sp.journaled == "" {
		return err
	}
	err := sp.removeLeftover(&FinishedSpill{Dir: sp.journaled})
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

// removeLeftover removes the spill files of a stopped run from the staging directory, or from the
// scratch directory of that run. It warns if it cannot empty the scratch directory.
func (sp *spill) removeLeftover(left *FinishedSpill) error {
	if left.Dir == "" {
		return sp.location.disk.removeAll(sp.location.inStaging(spillName))
	}
	if err := sp.removeScratch(left.Dir); err != nil {
		sp.location.disk.warn("spill files of a stopped run are left in " + left.Dir + ": " + err.Error())
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
		if err := d.syncDirs(filepath.Dir(own)); !errors.Is(err, fs.ErrNotExist) {
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
	if err := d.syncDirs(own); err != nil {
		return err
	}
	return removeIfEmpty(d, own)
}

// removeIfEmpty removes a directory that this run has locked, if it contains only the lock.
func removeIfEmpty(d *disk, own string) error {
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
	return d.syncDirs(filepath.Dir(own))
}
