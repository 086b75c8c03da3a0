package sink

import (
	"cmp"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"tfr-build/internal/store"
)

// files tracks the files of the unfinished dataset, and all open files.
type files struct {
	disk *Disk
	dir  string // path of data/

	mu         sync.Mutex
	isComplete map[string]bool            // by name below dir: false while the file is being written
	parents    map[string]bool            // the parent directories of these names
	created    map[string]error           // by path: the result of creating a directory
	unfinished map[string]store.LocalFile // by path: removed when the run ends; nil once it is closed
	uploaded   map[string]bool            // names of uploaded files, which are not in dir
}

func newFiles(d *Disk, dir string) *files {
	return &files{
		disk: d, dir: dir, isComplete: map[string]bool{}, parents: map[string]bool{}, created: map[string]error{},
		unfinished: map[string]store.LocalFile{}, uploaded: map[string]bool{},
	}
}

// nameError is the error of a file that cannot have a name.
func nameError(name string) error { return &pathError{fmt.Sprintf("the file name %q", name), ErrName} }

// checkName returns an error if a file of a dataset cannot have the name. A leading dot is for
// temporary names.
func checkName(name string) error {
	if !fs.ValidPath(name) || strings.ContainsAny(name, "/\\\x00") || name[0] == '.' || len(name) > MaxName {
		return nameError(name)
	}
	return nil
}

// checkShardName returns an error if a shard cannot have the name. A shard may be in a
// subdirectory, but not in one that begins with an underscore: tfr-build and readers use these.
func checkShardName(name string) error {
	dir, base, below := strings.Cut(name, "/")
	if !below {
		return checkName(name)
	}
	if checkName(dir) != nil || dir[0] == '_' || checkName(base) != nil {
		return nameError(name)
	}
	return nil
}

// reserveName reserves a name for one file. A name cannot be both a file and a directory.
func (fl *files) reserveName(name string) error {
	fl.mu.Lock()
	defer fl.mu.Unlock()
	_, taken := fl.isComplete[name]
	for dir := range parentsOf(name) {
		_, file := fl.isComplete[dir]
		taken = taken || file
	}
	if taken || fl.parents[name] {
		return wrapError("creating", filepath.Join(fl.dir, filepath.FromSlash(name)), fs.ErrExist)
	}
	fl.setComplete(name, false)
	return nil
}

// markComplete records that a file is complete and has its name, or is uploaded.
func (fl *files) markComplete(name string, uploaded bool) {
	fl.mu.Lock()
	defer fl.mu.Unlock()
	fl.setComplete(name, true)
	if uploaded {
		fl.uploaded[name] = true
	}
}

// markShard records that a shard and its index are complete.
func (fl *files) markShard(line *FinishedShard) {
	for _, f := range line.files() {
		fl.markComplete(f.Name, f.ETag != "")
	}
}

// isUploaded reports whether a file is complete and not in dir.
func (fl *files) isUploaded(name string) bool {
	fl.mu.Lock()
	defer fl.mu.Unlock()
	return fl.uploaded[name]
}

// localNames returns the names of the files that are in dir, sorted.
func (fl *files) localNames() []string {
	local := map[string]bool{}
	for name := range fl.isComplete {
		if !fl.uploaded[name] {
			local[name] = true
		}
	}
	return sorted(local)
}

// setComplete records whether a file is complete. The caller holds mu.
func (fl *files) setComplete(name string, complete bool) {
	fl.isComplete[name] = complete
	for dir := range parentsOf(name) {
		fl.parents[dir] = true
	}
}

// parentsOf yields the parent directories of a name, innermost first.
func parentsOf(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for dir := path.Dir(name); dir != "." && yield(dir); dir = path.Dir(dir) {
		}
	}
}

// makeParents returns the directory of the file that has this name below dir. It creates
// missing directories, once and durably: their names must be durable before the journal names
// the file.
func (fl *files) makeParents(dir, name string) (string, error) {
	fl.mu.Lock()
	defer fl.mu.Unlock()
	current := dir
	for i, c := range name {
		if c != '/' {
			continue
		}
		above := current
		current = filepath.Join(dir, filepath.FromSlash(name[:i]))
		err, done := fl.created[current]
		if !done { // a failed sync is not retried
			if err = fl.disk.ensureDirectory(current); err == nil {
				err = fl.disk.SyncDirs(above)
			}
			fl.created[current] = err
		}
		if err != nil {
			return current, err
		}
	}
	return current, nil
}

// track records an unfinished file, or that it is closed if f is nil.
func (fl *files) track(path string, f store.LocalFile) {
	fl.mu.Lock()
	defer fl.mu.Unlock()
	fl.unfinished[path] = f
}

// forget records that an unfinished file does not exist anymore.
func (fl *files) forget(path string) {
	fl.mu.Lock()
	defer fl.mu.Unlock()
	delete(fl.unfinished, path)
}

// close closes and removes the unfinished files.
func (fl *files) close() error {
	fl.mu.Lock()
	defer fl.mu.Unlock()
	var err error
	for name, f := range fl.unfinished {
		if f != nil {
			err = cmp.Or(err, wrapError("closing", name, f.Close()))
		}
		err = cmp.Or(err, fl.disk.removeAll(name))
	}
	clear(fl.unfinished)
	return err
}

// reset closes and forgets all files, so that their names can be used again.
func (fl *files) reset() error {
	clear(fl.isComplete)
	clear(fl.uploaded)
	clear(fl.parents)
	clear(fl.created)
	return fl.close()
}

// checkComplete checks that all files are complete and that dir contains them. It removes
// anything else from dir, and makes the names durable.
func (fl *files) checkComplete(output string) error {
	for name, complete := range fl.isComplete {
		if !complete {
			return fmt.Errorf("committing %s: %s was begun and not finished", output, name)
		}
	}
	if err := fl.disk.removeOthers(fl.dir, ".", fl.isComplete, fl.parents); err != nil {
		return err
	}
	found := 0
	for _, name := range fl.localNames() { // not listed: shared listings may be late
		switch exists, err := fl.disk.exists(filepath.Join(fl.dir, filepath.FromSlash(name))); {
		case err != nil:
			return err
		case exists:
			found++
		}
	}
	if local := len(fl.isComplete) - len(fl.uploaded); found != local {
		return fmt.Errorf("committing %s: %d files were written, %d are there", output, local, found)
	}
	return fl.disk.syncTree(fl.dir, fl.parents)
}

func sorted(set map[string]bool) []string {
	names := make([]string, 0, len(set))
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
