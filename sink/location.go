package sink

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"tfr-build/internal/store"

	"github.com/zeebo/xxh3"
)

// Found is what exists at an output.
type Found uint8

// The possible values of Found.
const (
	Absent  Found = iota // nothing
	Empty                // a directory without files
	Dataset              // a directory or prefix with a manifest of tfr-build
	Foreign              // anything else
)

// Names of files and directories.
const (
	ManifestName   = "_tfr/manifest.json"   // in a dataset: identifies it
	provenanceName = "_tfr/provenance.json" // in a dataset: not in its manifest
	successName    = "_SUCCESS"             // in a dataset: the last file that is written
	stateName      = "state.json"           // in the staging directory, as are all names below
	lockName       = "lock"
	jobName        = "job.json"   // what is built, as the caller describes it
	journalName    = "journal"    // what is finished
	planName       = "plan"       // how it is built, from which files
	dataName       = "data"       // the unfinished dataset
	spillName      = "spill"      // spill files, while they are needed
	rejectsName    = "rejects"    // metadata of rejected rows, in a file per shard
	statisticsName = "statistics" // statistics of records, in a file per shard
	oldName        = "old"        // a dataset that is being replaced without an exchange
	goneName       = "gone"       // the same dataset after its replacement
	claimName      = "claim"      // the claim of tasks, while they work
	attemptsName   = "attempts"   // shards that tasks are writing
	ownerName      = "owner"      // the run ID, to recognize the job object of this directory
	workName       = "work"       // records that tasks exchange, unless they use another directory
	linkName       = "link"       // a new link, before it replaces the old link
)

// A View is the state of an output and its staging directory at one moment.
type View struct {
	Path  string // of the output, with links resolved
	Found Found
	State []byte // stored by the last commit; nil without a commit
	// Unfinished means that a run works on the output or was stopped: the staging directory
	// contains more than a commit leaves. [Open] recovers it.
	Unfinished bool
}

// Inspect returns the state of an output. It takes no lock and changes nothing, so its result may change at
// any time; [Open] inspects the output again. The error is [ErrUnknownStage] if tfr-build did not
// make the staging directory.
func Inspect(storage *store.Storage, output string) (View, error) {
	loc, err := newLocation(newDisk(storage, &Options{}), output, &Options{})
	if err != nil {
		return View{Path: output}, err
	}
	v := View{Path: loc.output}
	if v.Found, err = loc.target.find(); err != nil {
		return v, err
	}
	v.State, v.Unfinished, err = loc.target.lastState()
	return v, err
}

// outputPath resolves links in output, and checks that the path ends in a name.
func outputPath(fsys store.Local, output string) (string, error) {
	path := filepath.Clean(output)
	if !endsInName(path) {
		return path, &pathError{output, ErrName}
	}
	path, err := fsys.Resolve(path)
	if err != nil {
		return path, wrapError("inspecting", output, err)
	}
	if !endsInName(path) {
		return path, &pathError{path, ErrName}
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

// inspectPath returns what exists at path, which must not be a link.
func inspectPath(fsys store.Local, path string) (Found, error) {
	info, err := fsys.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Absent, nil
	case err != nil:
		return Foreign, wrapError("inspecting", path, err)
	case !info.IsDir():
		return Foreign, nil
	}
	if mount, err := fsys.IsMount(path); err != nil {
		return Foreign, wrapError("inspecting", path, err)
	} else if mount {
		return Foreign, &pathError{path, ErrMountPoint}
	}
	entries, err := fsys.ReadDir(path)
	if err != nil {
		return Foreign, wrapError("listing", path, err)
	}
	if len(entries) == 0 {
		return Empty, nil
	}
	head, _, err := readHead(fsys, filepath.Join(path, filepath.FromSlash(ManifestName)), maxMarkRead)
	switch {
	case errors.Is(err, errNotDir) || err == nil && !bytes.Contains(head, []byte(toolMark)):
		return Foreign, nil
	case err != nil:
		return Foreign, err
	}
	return Dataset, nil
}

// A location is an output and its staging directory.
type location struct {
	disk      *Disk
	output    string // path or URL, with links resolved
	staging   string
	overwrite bool // a dataset that tfr-build made may be replaced
	temporary bool // only this process uses the staging directory, which unlock removes
	target    target
	shared    sharing
	metadata  metadataStore
	found     Found // at the output, by the last inspectOutput
}

// newLocation returns the location of an output. It chooses between a directory and a bucket.
func newLocation(d *Disk, output string, opt *Options) (*location, error) {
	loc := &location{disk: d, overwrite: opt.Overwrite, temporary: opt.Temporary}
	loc.metadata = loc
	if !d.storage.CanRename(output) {
		return loc, loc.initBucket(output, opt)
	}
	var err error
	if loc.output, err = outputPath(d.fs, output); err != nil {
		return nil, err
	}
	loc.staging = StagingPath(loc.output)
	loc.target, loc.shared = directory{loc}, directory{loc}
	return loc, nil
}

// inStaging returns the path of a name in the staging directory.
func (loc *location) inStaging(name string) string { return filepath.Join(loc.staging, name) }

// inspectOutput updates found. It returns an error if something other than a dataset or an
// empty directory exists at the output.
func (loc *location) inspectOutput() (err error) {
	loc.found, err = loc.target.find()
	if err == nil && loc.found == Foreign {
		err = &pathError{loc.output, ErrInTheWay}
	}
	return err
}

// checkPublishable returns an error if a dataset cannot be published here. A dataset in a bucket is
// never replaced: a store cannot exchange two prefixes in one step.
func (loc *location) checkPublishable() error {
	switch {
	case loc.found != Dataset:
		return nil
	case !loc.overwrite || loc.isInBucket():
		return &pathError{loc.output, ErrDataset}
	}
	name, err := loc.findUnknownFile()
	if err == nil && name != "" {
		err = &pathError{loc.output, fmt.Errorf("holds %s, which is not the dataset's: %w", name, ErrUnknownFile)}
	}
	return err
}

// cleanStaging removes everything from the staging directory except
//
//   - the lock, the run ID, and the state
//   - the work directory, which belongs to the tasks
//   - old/, which may be the only copy of a dataset
//   - the names in stay
func (loc *location) cleanStaging(stay ...string) error {
	// The claim goes first, so that no process starts new work.
	if err := loc.disk.removeAll(loc.inStaging(claimName)); err != nil {
		return err
	}
	return loc.disk.removeExcept(loc.staging, append(stay, lockName, ownerName, stateName, oldName, workName)...)
}

// pathDigest returns a digest of the path of the output. It does not depend on the links that
// lead to the output.
func (loc *location) pathDigest() (string, error) {
	output := loc.output
	var err error
	if loc.disk.storage.HasLinks(output) {
		output, err = filepath.Abs(output)
		if dir, err := filepath.EvalSymlinks(filepath.Dir(output)); err == nil {
			output = filepath.Join(dir, filepath.Base(output))
		}
	}
	return fmt.Sprintf("%016x", xxh3.HashString(output)), wrapError("inspecting", loc.output, err)
}

// scratchName returns the name of the output's own directory under Options.Scratch.
func (loc *location) scratchName() (string, error) {
	digest, err := loc.pathDigest()
	return wrapName(".", store.Base(loc.output), "-"+digest+".tfr"), err
}

// unlock releases the lock of the staging directory. First it removes that directory if only
// this process uses it. For an output in a bucket, it also removes a directory that contains
// only the lock.
func (loc *location) unlock(lock store.LocalFile) (err error) {
	switch {
	case loc.temporary:
		err = removeLocked(loc.disk, loc.staging)
	case loc.isInBucket():
		err = removeIfEmpty(loc.disk, loc.staging)
	}
	return cmp.Or(err, wrapError("closing", lock.Name(), lock.Close()))
}
