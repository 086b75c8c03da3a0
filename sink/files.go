package sink

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"tfr-build/internal/vfs"
)

// files are the files of the dataset in the making, and all that are open.
type files struct {
	disk *disk
	dir  string // data/

	mu    sync.Mutex
	whole map[string]bool   // by name in dir: false while it is being written
	open  map[vfs.File]bool // to be closed when the run ends
	temps map[string]bool   // paths to be removed when the run ends
}

func newFiles(d *disk, dir string) *files {
	return &files{disk: d, dir: dir, whole: map[string]bool{}, open: map[vfs.File]bool{}, temps: map[string]bool{}}
}

// checkName refuses what cannot be a file of a dataset. A dot at the start is
// for temporary names.
func checkName(name string) error {
	if !fs.ValidPath(name) || strings.ContainsAny(name, "/\\\x00") || strings.HasPrefix(name, ".") || len(name) > MaxName {
		return &placeError{fmt.Sprintf("the file name %q", name), ErrName}
	}
	return nil
}

// reserve gives a name to one file only.
func (fl *files) reserve(name string) error {
	fl.mu.Lock()
	defer fl.mu.Unlock()
	if _, taken := fl.whole[name]; taken {
		return fault("creating", filepath.Join(fl.dir, filepath.FromSlash(name)), fs.ErrExist)
	}
	fl.whole[name] = false
	return nil
}

// finished notes that a file is whole and has its name.
func (fl *files) finished(name string) {
	fl.mu.Lock()
	defer fl.mu.Unlock()
	fl.whole[name] = true
}

// opened notes a file that is open. A temporary one is removed when the run ends,
// unless its name is kept.
func (fl *files) opened(f vfs.File, temporary bool) {
	fl.mu.Lock()
	defer fl.mu.Unlock()
	fl.open[f] = true
	if temporary {
		fl.temps[f.Name()] = true
	}
}

// closing has the caller close a file, which nobody else then does.
func (fl *files) closing(f vfs.File) {
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
	return fl.close()
}

// complete checks that the folder holds the files that were written, and makes
// their names durable. It removes anything else.
func (fl *files) complete(output string) error {
	folders := map[string]bool{".": true}
	for name, whole := range fl.whole {
		if !whole {
			return fmt.Errorf("committing %s: %s was begun and not finished", output, name)
		}
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	found, err := fl.disk.sweep(fl.dir, ".", fl.whole, folders)
	if err != nil {
		return err
	}
	if found != len(fl.whole) {
		return fmt.Errorf("committing %s: %d files were written, %d are there", output, len(fl.whole), found)
	}
	// Folders below others come first, so that a name is durable after what it names.
	for _, dir := range slices.Backward(sorted(folders)) {
		if err := fl.disk.syncDirs(filepath.Join(fl.dir, filepath.FromSlash(dir))); err != nil {
			return err
		}
	}
	return nil
}

func sorted(set map[string]bool) []string {
	names := make([]string, 0, len(set))
	for name := range set {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
