package sink

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"

	"tfr-build/internal/vfs"
)

// spill is where spill runs are: spill/ in the staging folder, or in a folder of
// the same kind under Options.Scratch.
type spill struct {
	place   *place
	files   *files
	scratch string // Options.Scratch

	mu     sync.Mutex
	folder *spillFolder // nil until there is a run
}

// A spillFolder is a folder for spill runs that this run holds.
type spillFolder struct {
	disk *disk
	dir  string
	lock vfs.File // of the folder above it under Options.Scratch; nil in the staging folder
	keep bool     // the runs are complete, and the next run needs them if this one stops
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
func (sp *spill) begin(j *journal) (err error) {
	if sp.folder, err = sp.claim(); err != nil {
		return err
	}
	if _, err := j.append(&journalLine{Spill: &LeftRuns{Dir: sp.folder.apart()}}); err != nil {
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

// reclaim takes the folder of a stopped run, whose runs stay for now.
func (sp *spill) reclaim() (folder *spillFolder, err error) {
	if sp.folder, err = sp.claim(); err != nil {
		return nil, err
	}
	sp.keep()
	return sp.folder, nil
}

var errOtherRuns = errors.New("they are not the ones that are needed")

// reopen opens the runs that are needed, all of them or none, and removes the
// others: runs that were made of a run are made again.
func (sp *spill) reopen(ctx context.Context, list []Sum, needed []bool) (runs []*Run, err error) {
	d, dir := sp.place.disk, sp.folder.dir
	info, err := d.fs.Lstat(dir)
	if err == nil && (!info.IsDir() || len(needed) != len(list)) {
		err = errOtherRuns
	}
	names := map[string]bool{}
	for i := 0; i < len(list) && err == nil; i++ {
		var r *Run
		if names[list[i].Name] = needed[i]; needed[i] {
			r, err = sp.reopenRun(ctx, &list[i])
		}
		runs = append(runs, r)
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

// reopenRun opens a run that is as it was.
func (sp *spill) reopenRun(ctx context.Context, expected *Sum) (*Run, error) {
	d := sp.place.disk
	f, err := d.openSum(filepath.Join(sp.folder.dir, expected.Name), expected)
	if err != nil {
		return nil, err
	}
	if err := d.compare(ctx, f, expected, XXH128, io.Discard); err != nil {
		f.Close() // the error that matters is in hand
		return nil, err
	}
	r := newRun(sp.files, f, false)
	r.size, r.crc = expected.Bytes, expected.CRC32C
	return r, nil
}

// claim takes the folder for spill runs. That under Options.Scratch is named
// after the output's whole path and has a lock of its own; of runs that are not
// resumed nothing stays in it.
func (sp *spill) claim() (*spillFolder, error) {
	d := sp.place.disk
	if sp.scratch == "" {
		return &spillFolder{disk: d, dir: sp.place.in(spillName)}, nil
	}
	name, err := sp.scratchName()
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(sp.scratch)
	if err != nil {
		return nil, fault("inspecting", sp.scratch, err)
	}
	if err := d.mkdirAll(dir); err != nil {
		return nil, err
	}
	own := filepath.Join(dir, name)
	lock, err := d.claim(own)
	if err != nil {
		return nil, err
	}
	folder := &spillFolder{disk: d, dir: filepath.Join(own, spillName), lock: lock}
	if err := d.clear(own, lockName, spillName); err != nil {
		lock.Close() // the error that matters is in hand
		return nil, err
	}
	return folder, nil
}

// scratchName is the name under Options.Scratch of the folder of this output.
func (sp *spill) scratchName() (string, error) {
	digest, err := sp.place.pathDigest()
	return fmt.Sprintf(".%s-%s.tfr", filepath.Base(sp.place.output), digest), err
}

// drop removes the runs of this run.
func (sp *spill) drop() error {
	if sp.folder == nil {
		return nil
	}
	return sp.folder.remove()
}

// dropLeft removes the runs of a stopped run, wherever they are.
func (sp *spill) dropLeft(left *LeftRuns) error {
	switch {
	case left.Dir == "":
		return sp.place.disk.removeAll(sp.place.in(spillName))
	case sp.folder != nil && sp.folder.dir == left.Dir:
		return sp.folder.remove()
	}
	if err := sp.dropApart(left.Dir); err != nil {
		sp.place.disk.warn("spill runs of a stopped run are left in " + left.Dir + ": " + err.Error())
	}
	return nil
}

// dropApart removes the runs in a folder under another Scratch than that of this
// run. dir was read from a file: only what can be this output's is removed.
func (sp *spill) dropApart(dir string) error {
	d, own := sp.place.disk, filepath.Dir(dir)
	name, err := sp.scratchName()
	if err != nil {
		return err
	}
	if !filepath.IsAbs(dir) || dir != filepath.Join(filepath.Dir(own), name, spillName) {
		return errNotThisOutput
	}
	exists, err := owned(d.fs, own)
	if err != nil || !exists {
		return err
	}
	lock, err := d.claim(own)
	if err != nil {
		return err
	}
	other := spillFolder{disk: d, dir: dir, lock: lock}
	return other.close()
}

var errNotThisOutput = errors.New("the folder is not one for this output")

// giveUp removes the runs of a stopped run and releases their folder: the next
// run that is created is the first of new ones.
func (sp *spill) giveUp() error {
	folder := sp.folder
	folder.keep, sp.folder = false, nil
	return folder.close()
}

// close removes the runs that the next run does not need.
func (sp *spill) close() error {
	if sp.folder == nil {
		return nil
	}
	return sp.folder.close()
}

// apart is the path of the folder where it is not in the staging folder, and
// empty where it is.
func (f *spillFolder) apart() string {
	if f.lock == nil {
		return ""
	}
	return f.dir
}

// remove removes the runs. It is durable where they are apart: once the journal
// is gone, nothing tells of them.
func (f *spillFolder) remove() error {
	f.keep = false
	if err := f.disk.removeAll(f.dir); err != nil || f.lock == nil {
		return err
	}
	return f.disk.syncDirs(filepath.Dir(f.dir))
}

// close removes the runs, unless the next run needs them. The folder above and
// its lock stay, as a lock that can vanish guards nothing.
func (f *spillFolder) close() (err error) {
	if !f.keep {
		err = f.remove()
	}
	if f.lock == nil {
		return err
	}
	return cmp.Or(err, fault("closing", f.lock.Name(), f.lock.Close()))
}
