package sink

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"tfr-build/internal/store"

	"github.com/zeebo/xxh3"
)

// Found says what is at an output.
type Found uint8

// What can be there.
const (
	Absent  Found = iota // nothing
	Empty                // a folder without files
	Dataset              // a folder that holds a manifest of ours
	Foreign              // anything else
)

// Names that this package and readers of a dataset agree on.
const (
	ManifestName   = "_tfr/manifest.json" // in a dataset: what makes a folder one
	successName    = "_SUCCESS"           // in a dataset: the file that is written last
	stateName      = "state.json"         // in the staging folder
	lockName       = "lock"
	jobName        = "job.json"  // what is being built, as the caller says it
	journalName    = "journal"   // what of it is finished
	planName       = "plan.json" // how it is built, with listing beside it
	listingName    = "listing"
	dataName       = "data"       // the dataset in the making
	spillName      = "spill"      // spill runs, while they are needed
	rejectsName    = "rejects"    // what is known of rejected rows, a file a shard
	statisticsName = "statistics" // of the records of a shard, a file a shard
	oldName        = "old"        // a dataset that is being replaced, where folders cannot be exchanged
	goneName       = "gone"       // the same, once it was replaced
	claimName      = "claim"      // whose tasks make the dataset, while they do
	attemptsName   = "attempts"   // shards that tasks are writing
	ownerName      = "owner"      // which job object of a bucket is of this folder's runs
	workName       = "work"       // what tasks tell one another, unless they do it elsewhere
	linkName       = "link"       // a link that is to take the place of another one
)

// A View is an output and its staging folder as they are.
type View struct {
	Path  string // of the output; where a link was given, of what it leads to
	Found Found
	State []byte // what the last commit was given, nil without one
	// Unfinished says that a run works here or was stopped: the staging folder
	// holds more than a commit leaves. Open recovers it.
	Unfinished bool
}

// Peek inspects an output. It takes no lock and changes nothing, so what it sees
// may be about to change; [Open] inspects it again. ErrForeign says that there is
// a folder in place of the staging folder which is not ours.
func Peek(storage *store.Storage, output string) (View, error) {
	p, err := newPlace(newDisk(storage, &Options{}), output, &Options{})
	if err != nil {
		return View{Path: output}, err
	}
	v := View{Path: p.output}
	if v.Found, err = p.target.find(); err != nil {
		return v, err
	}
	v.State, v.Unfinished, err = p.target.lastState()
	return v, err
}

// outputPath follows output where it is a link and checks that it ends in a name.
func outputPath(fsys store.Local, output string) (string, error) {
	path := filepath.Clean(output)
	if !endsInName(path) {
		return path, &placeError{output, ErrName}
	}
	path, err := fsys.Resolve(path)
	if err != nil {
		return path, fault("inspecting", output, err)
	}
	if !endsInName(path) {
		return path, &placeError{path, ErrName}
	}
	return path, nil
}

func endsInName(path string) bool {
	switch filepath.Base(path) {
	case ".", "..", string(filepath.Separator):
		return false
	}
	return true
}

// inspect says what is at path, which is no link.
func inspect(fsys store.Local, path string) (Found, error) {
	info, err := fsys.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Absent, nil
	case err != nil:
		return Foreign, fault("inspecting", path, err)
	case !info.IsDir():
		return Foreign, nil
	}
	if mount, err := fsys.IsMount(path); err != nil {
		return Foreign, fault("inspecting", path, err)
	} else if mount {
		return Foreign, &placeError{path, ErrMountPoint}
	}
	entries, err := fsys.ReadDir(path)
	if err != nil {
		return Foreign, fault("listing", path, err)
	}
	if len(entries) == 0 {
		return Empty, nil
	}
	manifest := filepath.Join(path, filepath.FromSlash(ManifestName))
	info, err = fsys.Lstat(manifest)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotDir) || err == nil && !info.Mode().IsRegular():
		return Foreign, nil
	case err != nil:
		return Foreign, fault("inspecting", path, err)
	}
	ours, err := isOurs(fsys, manifest)
	if err != nil {
		return Foreign, fault("reading", path, err)
	}
	if !ours {
		return Foreign, nil
	}
	return Dataset, nil
}

// A place is an output and its staging folder.
type place struct {
	disk    *disk
	output  string // its path, links followed
	staging string
	passing bool // the staging folder is this process's alone, and goes with it
	target  target
	shared  sharing
	found   Found // at the output, when it was last inspected
}

// newPlace is the place of an output. It is the one that asks where outputs are.
func newPlace(d *disk, output string, opt *Options) (*place, error) {
	p := &place{disk: d}
	if !d.storage.CanRename(output) {
		return p, p.inBucket(output, opt)
	}
	var err error
	if p.output, err = outputPath(d.fs, output); err != nil {
		return nil, err
	}
	p.staging = StagingPath(p.output)
	f := &folder{place: p, overwrite: opt.Overwrite}
	p.target, p.shared = f, sharedFolder{f}
	return p, nil
}

// in is the path of a name in the staging folder.
func (p *place) in(name string) string { return filepath.Join(p.staging, name) }

// inspect finds out what is at the output now.
func (p *place) inspect() (err error) {
	p.found, err = p.target.find()
	if err == nil && p.found == Foreign {
		err = &placeError{p.output, ErrInTheWay}
	}
	return err
}

// accepts says why a dataset cannot be published here, if it cannot.
func (p *place) accepts() error {
	if p.found != Dataset {
		return nil
	}
	return p.target.checkReplaceable()
}

// tidy removes what is in the staging folder but for the lock, the state, the work
// folder of tasks, which is theirs, a dataset that was moved there and is still the
// only one, and what is to stay.
func (p *place) tidy(stay ...string) error {
	if err := p.disk.removeAll(p.in(claimName)); err != nil { // first: nobody begins anything any more
		return err
	}
	return p.disk.clear(p.staging, append(stay, lockName, ownerName, stateName, oldName, workName)...)
}

// pathDigest tells the path of this output from that of another. It is the same
// whatever links lead there.
func (p *place) pathDigest() (string, error) {
	output := p.output
	var err error
	if p.disk.storage.HasLinks(output) {
		output, err = filepath.Abs(output)
		if dir, err := filepath.EvalSymlinks(filepath.Dir(output)); err == nil {
			output = filepath.Join(dir, filepath.Base(output))
		}
	}
	return fmt.Sprintf("%016x", xxh3.HashString(output)), fault("inspecting", p.output, err)
}

// scratchName is the name of a folder of this output that stands elsewhere.
func (p *place) scratchName() (string, error) {
	digest, err := p.pathDigest()
	return around(".", store.Base(p.output), "-"+digest+".tfr"), err
}

// unlock releases the lock of the staging folder. One that stands elsewhere than beside
// the output goes, where nothing is left in it.
func (p *place) unlock(lock store.LocalFile) (err error) {
	switch {
	case p.passing:
		err = removeLocked(p.disk, p.staging)
	case p.isApart():
		err = removeOwn(p.disk, p.staging)
	}
	return cmp.Or(err, fault("closing", lock.Name(), lock.Close()))
}
