package sink

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"sync"

	"tfr-build/internal/store"
)

// spill is where spill runs are: spill/ in the staging folder, or in a folder of
// the same kind under Options.Scratch, which is there while it is needed.
type spill struct {
	place   *place
	files   *files
	scratch string // Options.Scratch

	mu     sync.Mutex
	folder *spillFolder // nil until there is a run
	noted  string       // the folder under Options.Scratch that this run noted in the journal
}

// A spillFolder is a folder for spill runs that this run holds.
type spillFolder struct {
	disk *disk
	dir  string
	lock store.LocalFile // of the folder above it under Options.Scratch; nil in the staging folder
	keep bool            // the runs are complete, and the next run needs them if this one stops
}

// create makes a spill run.
func (sp *spill) create(name string, j *journal) (*Run, error) {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	if sp.folder == nil {
		if err := sp.begin(j); err != nil {
			return nil, err
		}
	}
	path := filepath.Join(sp.folder.dir, name)
	f, err := sp.place.disk.fs.Create(path)
	if err != nil {
		return nil, fault("creating", path, err)
	}
	// Where the others are kept, this one is made of one of them, and the next run
	// makes it again.
	return newRun(sp.files, f, sp.folder.keep), nil
}

// begin makes the folder for the first run. Before that, the journal tells the
// next run where spill runs may be.
func (sp *spill) begin(j *journal) error {
	apart, err := sp.apart()
	if err != nil {
		return err
	}
	if _, err := j.append(&journalLine{Spill: &LeftRuns{Dir: apart}}); err != nil {
		return err
	}
	sp.noted = apart
	if sp.folder, err = sp.claim(apart); err != nil {
		return err
	}
	d, dir := sp.place.disk, sp.folder.dir
	if err := d.removeAll(dir); err != nil {
		return err
	}
	return fault("making the folder", dir, d.fs.Mkdir(dir))
}

// keep has the runs stay for the next run, if this one stops.
func (sp *spill) keep() {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	sp.folder.keep = true
}

// reclaim takes the folder of a stopped run, whose runs stay for now. ok is false
// where this run would have others elsewhere.
func (sp *spill) reclaim(left *LeftRuns) (ok bool, err error) {
	apart, err := sp.apart()
	if err != nil || apart != left.Dir {
		return false, err
	}
	if sp.folder, err = sp.claim(apart); err != nil {
		return false, err
	}
	sp.keep()
	return true, nil
}

var errOtherRuns = errors.New("they are not the ones that are needed")

// reopen opens the runs that are needed, all of them or none, and removes the
// others: runs that were made of a run are made again.
func (sp *spill) reopen(list []Sum, needed []bool, check func([]*Run) error) (runs []*Run, err error) {
	d, dir := sp.place.disk, sp.folder.dir
	info, err := d.fs.Lstat(dir)
	if err == nil && (!info.IsDir() || len(needed) != len(list)) {
		err = errOtherRuns
	}
	names := map[string]bool{}
	for i := 0; i < len(list) && err == nil; i++ {
		var r *Run
		if names[list[i].Name] = needed[i]; needed[i] {
			r, err = sp.reopenRun(&list[i])
		}
		runs = append(runs, r)
	}
	if err == nil {
		err = check(runs)
	}
	if err == nil {
		_, err = d.sweep(dir, ".", names, nil)
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

// reopenRun opens a run that is as long as it was.
func (sp *spill) reopenRun(expected *Sum) (*Run, error) {
	f, err := sp.place.disk.openSum(filepath.Join(sp.folder.dir, expected.Name), expected)
	if err != nil {
		return nil, err
	}
	if sp.place.disk.cold {
		_ = f.DropCache() // a hint
	}
	r := newRun(sp.files, f, false)
	r.size = expected.Bytes
	return r, nil
}

// apart is the folder for spill runs where it is not in the staging folder, and
// empty where it is.
func (sp *spill) apart() (string, error) {
	if sp.scratch == "" || sp.place.isApart() {
		return "", nil
	}
	name, err := sp.place.scratchName()
	if err != nil {
		return "", err
	}
	dir, err := filepath.Abs(sp.scratch)
	return filepath.Join(dir, name, spillName), fault("inspecting", sp.scratch, err)
}

// claim takes the folder for spill runs. One that is apart stands in a folder
// with a lock of its own; of runs that are not resumed nothing stays in it.
func (sp *spill) claim(apart string) (*spillFolder, error) {
	d := sp.place.disk
	if apart == "" {
		return &spillFolder{disk: d, dir: sp.place.in(spillName)}, nil
	}
	own := filepath.Dir(apart)
	if err := d.mkdirAll(filepath.Dir(own)); err != nil {
		return nil, err
	}
	lock, err := d.claimPassing(own)
	if err != nil {
		return nil, err
	}
	if err := d.clear(own, lockName, spillName); err != nil {
		lock.Close() // the error that matters is in hand
		return nil, err
	}
	return &spillFolder{disk: d, dir: apart, lock: lock}, nil
}

// claimPassing claims a folder that whoever holds it removes in the end, perhaps
// between two steps of this.
func (d *disk) claimPassing(dir string) (lock store.LocalFile, err error) {
	const tries = 10 // a folder that goes each time does not go by chance
	for range tries {
		if lock, err = d.claim(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return lock, err
}

// drop removes the runs of this run, or those of a stopped run that it took, and
// what is left of a folder that it only began to take. The next run that is
// created is the first of new ones.
func (sp *spill) drop() error {
	if sp.folder != nil {
		sp.folder.keep = false
	}
	if err := sp.close(); err != nil || sp.noted == "" {
		return err
	}
	err := sp.dropLeft(&LeftRuns{Dir: sp.noted})
	sp.noted = ""
	return err
}

// close removes the runs that the next run does not need, and releases their
// folder.
func (sp *spill) close() error {
	folder := sp.folder
	if folder == nil {
		return nil
	}
	sp.folder = nil
	return folder.close()
}

// dropLeft removes the runs of a stopped run, wherever they are.
func (sp *spill) dropLeft(left *LeftRuns) error {
	if left.Dir == "" {
		return sp.place.disk.removeAll(sp.place.in(spillName))
	}
	if err := sp.dropApart(left.Dir); err != nil {
		sp.place.disk.warn("spill runs of a stopped run are left in " + left.Dir + ": " + err.Error())
	}
	return nil
}

// dropApart removes the runs in a folder under the Scratch of a stopped run. dir
// was read from a file: only what can be this output's is removed.
func (sp *spill) dropApart(dir string) error {
	d, own := sp.place.disk, filepath.Dir(dir)
	name, err := sp.place.scratchName()
	if err != nil {
		return err
	}
	if !filepath.IsAbs(dir) || dir != filepath.Join(filepath.Dir(own), name, spillName) {
		return errNotThisOutput
	}
	exists, err := owned(d.fs, own)
	if err != nil {
		return err
	}
	if !exists { // perhaps since a moment ago: that it is gone has to be durable, too
		if err := d.syncDirs(filepath.Dir(own)); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	lock, err := d.claim(own)
	if err != nil {
		return err
	}
	other := spillFolder{disk: d, dir: dir, lock: lock}
	return other.close()
}

var errNotThisOutput = errors.New("the folder is not one for this output")

// apart is the path of the folder where it is not in the staging folder, and
// empty where it is.
func (f *spillFolder) apart() string {
	if f.lock == nil {
		return ""
	}
	return f.dir
}

// close removes the runs, unless the next run needs them, and releases the lock.
func (f *spillFolder) close() (err error) {
	if !f.keep {
		err = f.remove()
	}
	if f.lock == nil {
		return err
	}
	return cmp.Or(err, fault("closing", f.lock.Name(), f.lock.Close()))
}

// remove removes the runs and, where they are apart, the folder that was made for
// them, durably: once the journal is gone, nothing tells of it. What others have
// put there stays.
func (f *spillFolder) remove() error {
	if err := f.disk.removeAll(f.dir); err != nil || f.lock == nil {
		return err
	}
	own := filepath.Dir(f.dir)
	if err := f.disk.syncDirs(own); err != nil { // a folder with runs and without a lock would be nobody's
		return err
	}
	return removeOwn(f.disk, own)
}

// removeOwn removes a folder that this run has locked, if nothing but the lock is left
// in it.
func removeOwn(d *disk, own string) error {
	entries, err := d.fs.ReadDir(own)
	if err != nil {
		return fault("listing", own, err)
	}
	if len(entries) > 1 {
		return nil
	}
	// Whoever opened the lock by now finds that it is gone, and makes another one;
	// then the folder is not empty.
	if err := d.removeAll(filepath.Join(own, lockName)); err != nil {
		return err
	}
	if err := d.fs.Remove(own); err != nil && !errors.Is(err, fs.ErrExist) {
		return fault("removing", own, err)
	}
	return d.syncDirs(filepath.Dir(own))
}
