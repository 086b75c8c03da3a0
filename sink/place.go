package sink

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"tfr-build/internal/vfs"
)

// Found says what stands at an output.
type Found uint8

// What can stand there.
const (
	Absent  Found = iota // nothing
	Empty                // a folder without files
	Dataset              // a folder that holds a manifest of ours
	Foreign              // anything else
)

// Names that this package and readers of a dataset agree on.
const (
	ManifestName = "_tfr/manifest.json" // in a dataset: what makes a folder one
	stateName    = "state.json"         // in the hidden folder
	lockName     = "lock"
	jobName      = "job.json"  // what is being built, as the caller says it
	journalName  = "journal"   // what of it is finished
	planName     = "plan.json" // how it is built, with listing beside it
	listingName  = "listing"
	dataName     = "data"    // the dataset in the making
	partsName    = "parts"   // raw rows, while they are needed
	rejectsName  = "rejects" // what is known of rows that cannot be used, a file a shard
	oldName      = "old"     // a dataset that is being replaced, where folders cannot be exchanged
	goneName     = "gone"    // the same, once it was replaced
)

// A View is an output and its hidden folder as they stand.
type View struct {
	Path  string // of the output; where a link was given, of what it leads to
	Found Found
	State []byte // what the last commit was given, nil without one
	// Unsettled says that a run works here or was stopped: the hidden folder
	// holds more than a commit leaves. Open brings it to rest.
	Unsettled bool
}

// Peek looks at an output. It takes no lock and changes nothing, so what it
// sees may be about to change; [Open] looks again. ErrForeign says that there is
// a folder where the hidden one should be which is not ours.
func Peek(fsys vfs.FS, output string) (View, error) {
	v, err := look(fsys, output)
	if err != nil {
		return v, err
	}
	hidden := HiddenPath(v.Path)
	if exists, err := owned(fsys, hidden); err != nil || !exists {
		return v, err
	}
	if v.State, err = readState(fsys, hidden); err != nil {
		return v, err
	}
	v.Unsettled, err = unsettled(fsys, hidden)
	return v, err
}

// unsettled reports whether a hidden folder holds more than a commit leaves.
func unsettled(fsys vfs.FS, hidden string) (bool, error) {
	entries, err := fsys.ReadDir(hidden)
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return e.Name() != lockName && e.Name() != stateName
	}), fault("listing", hidden, err)
}

// look says what stands at output.
func look(fsys vfs.FS, output string) (v View, err error) {
	if v.Path, err = placeOf(fsys, output); err != nil {
		return v, err
	}
	v.Found, err = standing(fsys, v.Path)
	return v, err
}

// placeOf follows output where it is a link and checks that it ends in a name.
func placeOf(fsys vfs.FS, output string) (string, error) {
	path := filepath.Clean(output)
	if !endsInName(path) {
		return path, &placeError{output, ErrName}
	}
	path, err := fsys.Resolve(path)
	if err != nil {
		return path, fault("looking at", output, err)
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

// standing says what stands at path, which is no link.
func standing(fsys vfs.FS, path string) (Found, error) {
	info, err := fsys.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Absent, nil
	case err != nil:
		return Foreign, fault("looking at", path, err)
	case !info.IsDir():
		return Foreign, nil
	}
	if mount, err := fsys.IsMount(path); err != nil {
		return Foreign, fault("looking at", path, err)
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
	info, err = fsys.Lstat(filepath.Join(path, filepath.FromSlash(ManifestName)))
	switch {
	case err == nil && info.Mode().IsRegular():
		ours, err := isOurs(fsys, filepath.Join(path, filepath.FromSlash(ManifestName)))
		if err != nil {
			return Foreign, fault("reading", path, err)
		}
		if ours {
			return Dataset, nil
		}
		return Foreign, nil
	case err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotDir):
		return Foreign, nil
	default:
		return Foreign, fault("looking at", path, err)
	}
}

// HiddenPath is the folder beside the output in which a run works.
func HiddenPath(output string) string {
	return filepath.Join(filepath.Dir(output), "."+filepath.Base(output)+".tfr")
}

// maxState is how long a state can be.
const maxState = 16 << 20

// readState reads what the last commit left in a hidden folder.
func readState(fsys vfs.FS, hidden string) ([]byte, error) {
	return readSmall(fsys, filepath.Join(hidden, stateName), maxState)
}
