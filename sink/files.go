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

// files are the files of the dataset in the making, and all that are open.
type files struct {
	disk *disk
	dir  string // data/

	mu    sync.Mutex
	whole map[string]bool          // by name in dir: false while it is being written
	above map[string]bool          // the folders that those names have
	made  map[string]error         // paths of folders that this run made or found, and what came of it
	open  map[store.LocalFile]bool // to be closed when the run ends
	temps map[string]bool          // paths to be removed when the run ends
	away  map[string]bool          // names of files that were brought away: dir lacks them
}

func newFiles(d *disk, dir string) *files {
	return &files{
		disk: d, dir: dir, whole: map[string]bool{}, above: map[string]bool{}, made: map[string]error{},
		open: map[store.LocalFile]bool{}, temps: map[string]bool{}, away: map[string]bool{},
	}
}

// checkName refuses what cannot be a file of a dataset. A dot at the start is
// for temporary names.
func checkName(name string) error {
	if !fs.ValidPath(name) || strings.ContainsAny(name, "/\\\x00") || strings.HasPrefix(name, ".") || len(name) > MaxName {
		return &placeError{fmt.Sprintf("the file name %q", name), ErrName}
	}
	return nil
}

// checkShardName refuses what cannot be a shard. One may stand in a folder, but in
// none that this package or a reader takes for its own.
func checkShardName(name string) error {
	folder, base, below := strings.Cut(name, "/")
	if !below {
		return checkName(name)
	}
	if checkName(folder) != nil || folder[0] == '_' || checkName(base) != nil {
		return &placeError{fmt.Sprintf("the file name %q", name), ErrName}
	}
	return nil
}

// reserve gives a name to one file only, and to no file that of a folder.
func (fl *files) reserve(name string) error {
	fl.mu.Lock()
	defer fl.mu.Unlock()
	_, taken := fl.whole[name]
	for dir := range foldersOf(name) {
		_, file := fl.whole[dir]
		taken = taken || file
	}
	if taken || fl.above[name] {
		return fault("creating", filepath.Join(fl.dir, filepath.FromSlash(name)), fs.ErrExist)
	}
	fl.note(name, false)
	return nil
}

// finished notes that a file is whole and has its name, or was brought away.
func (fl *files) finished(name string, away bool) {
	fl.mu.Lock()
	defer fl.mu.Unlock()
	fl.note(name, true)
	if away {
		fl.away[name] = true
	}
}

// here are the names of the files that dir has, sorted.
func (fl *files) here() []string {
	here := map[string]bool{}
	for name := range fl.whole {
		if !fl.away[name] {
			here[name] = true
		}
	}
	return sorted(here)
}

// note notes how far a file is. The caller holds mu.
func (fl *files) note(name string, whole bool) {
	fl.whole[name] = whole
	for dir := range foldersOf(name) {
		fl.above[dir] = true
	}
}

// foldersOf gives the folders that a name stands in, from the innermost on.
func foldersOf(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for dir := path.Dir(name); dir != "." && yield(dir); dir = path.Dir(dir) {
		}
	}
}

// within returns the folder that the file of a shard stands in, below dir. It makes
// those on the way that there are not, once and durably: what is in one has its name
// before any line of the journal tells of it.
func (fl *files) within(dir, name string) (string, error) {
	fl.mu.Lock()
	defer fl.mu.Unlock()
	at := dir
	for i, c := range name {
		if c != '/' {
			continue
		}
		above := at
		at = filepath.Join(dir, filepath.FromSlash(name[:i]))
		err, done := fl.made[at]
		if !done { // a sync that failed is not done a second time
			if err = fl.disk.folder(at); err == nil {
				err = fl.disk.syncDirs(above)
			}
			fl.made[at] = err
		}
		if err != nil {
			return at, err
		}
	}
	return at, nil
}

// opened notes a file that is open. A temporary one is removed when the run ends,
// unless its name is kept.
func (fl *files) opened(f store.LocalFile, temporary bool) {
	fl.mu.Lock()
	defer fl.mu.Unlock()
	fl.open[f] = true
	if temporary {
		fl.temps[f.Name()] = true
	}
}

// closing has the caller close a file, which nobody else then does.
func (fl *files) closing(f store.LocalFile) {
	fl.mu.Lock()
	defer fl.mu.Unlock()
	delete(fl.open, f)
}

// gone notes that nothing has a temporary name any more.
func (fl *files) gone(temp string) {
	fl.mu.Lock()
	defer fl.mu.Unlock()
	delete(fl.temps, temp)
}

// close closes the files that are open and removes the temporary ones.
func (fl *files) close() error {
	fl.mu.Lock()
	defer fl.mu.Unlock()
	var err error
	for f := range fl.open {
		err = cmp.Or(err, fault("closing", f.Name(), f.Close()))
	}
	clear(fl.open)
	for name := range fl.temps {
		err = cmp.Or(err, fl.disk.removeAll(name))
	}
	clear(fl.temps)
	return err
}

// drop forgets all files, so that their names are free again.
func (fl *files) drop() error {
	clear(fl.whole)
	clear(fl.away)
	clear(fl.above)
	clear(fl.made)
	return fl.close()
}

// complete checks that the folder holds the files that were written, and makes
// their names durable. It removes anything else.
func (fl *files) complete(output string) error {
	for name, whole := range fl.whole {
		if !whole {
			return fmt.Errorf("committing %s: %s was begun and not finished", output, name)
		}
	}
	if _, err := fl.disk.sweep(fl.dir, ".", fl.whole, fl.above); err != nil {
		return err
	}
	found := 0
	for _, name := range fl.here() { // asked for by name: listings of shared folders may be late
		switch there, err := fl.disk.isThere(filepath.Join(fl.dir, filepath.FromSlash(name))); {
		case err != nil:
			return err
		case there:
			found++
		}
	}
	if here := len(fl.whole) - len(fl.away); found != here {
		return fmt.Errorf("committing %s: %d files were written, %d are there", output, here, found)
	}
	return fl.disk.syncTree(fl.dir, fl.above)
}

func sorted(set map[string]bool) []string {
	names := make([]string, 0, len(set))
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
