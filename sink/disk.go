package sink

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"tfr-build/internal/store"
)

// disk is the file system as this package uses it: its errors are OutputErrors,
// it syncs only when that was asked for, and reads back from the disk itself
// where that was.
type disk struct {
	storage  *store.Storage
	fs       store.Local // of storage
	sync     bool
	cold     bool
	readers  readers
	warn     func(string)
	temps    string       // where files stand that are not whole; empty: in their folder
	made     atomic.Int64 // so many
	attempt  string       // in their names, where others may work beside this process; else empty
	syncOnce sync.Once    // for the warning that folders are not synced
	unlocked bool         // a folder was claimed where there are no locks
}

func newDisk(storage *store.Storage, opt *Options) *disk {
	d := &disk{storage: storage, fs: storage.Local(), sync: opt.Sync, cold: opt.Cold, readers: newReaders(opt.Readers), warn: opt.Warn}
	if d.warn == nil {
		d.warn = func(string) {}
	}
	return d
}

// syncDirs makes the names in folders durable. A file system that does not sync
// folders is warned of, once.
func (d *disk) syncDirs(names ...string) error {
	if !d.sync {
		return nil
	}
	for _, name := range names {
		err := d.fs.SyncDir(name)
		if errors.Is(err, errors.ErrUnsupported) {
			d.syncOnce.Do(func() {
				d.warn("the file system of " + name + " does not sync folders: after a loss of power names may be missing")
			})
			continue
		}
		if err != nil {
			return fault("syncing the folder", name, err)
		}
	}
	return nil
}

// syncFile makes the content of a file durable.
func (d *disk) syncFile(f store.LocalFile) error {
	if !d.sync {
		return nil
	}
	return fault("syncing", f.Name(), f.Sync())
}

// mkdirAll makes a folder and the parents it lacks.
func (d *disk) mkdirAll(name string) error {
	if !d.storage.CanRename(name) {
		return nil // a store without directories needs none
	}
	changed, err := d.fs.MkdirAll(name)
	if err != nil {
		return fault("making the folder", name, err)
	}
	return d.syncDirs(changed...)
}

// syncAbove makes the names of dir and of the folders above it durable, up to
// where their file system is mounted: a run that was killed may have made them.
// A folder that may not be read was not made by us.
func (d *disk) syncAbove(dir string) error {
	for {
		if err := d.syncDirs(dir); err != nil && !errors.Is(err, fs.ErrPermission) {
			return err
		}
		mount, err := d.fs.IsMount(dir)
		if err != nil {
			return fault("inspecting", dir, err)
		}
		above := filepath.Dir(dir)
		if mount || above == dir {
			return nil
		}
		dir = above
	}
}

// folder makes a folder of that name where there is none. Anything else there, such as
// a link to a folder of others, goes.
func (d *disk) folder(name string) error {
	info, err := d.fs.Lstat(name)
	switch {
	case err == nil && info.IsDir():
		return nil
	case err == nil:
		err = d.removeAll(name)
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	default:
		err = fault("inspecting", name, err)
	}
	if made := d.fs.Mkdir(name); !errors.Is(made, fs.ErrExist) { // else another process made it meanwhile
		err = cmp.Or(err, fault("making the folder", name, made))
	}
	return err
}

func (d *disk) removeAll(name string) error {
	return fault("removing", name, d.fs.RemoveAll(name))
}

func (d *disk) rename(from, to string) error {
	return fault("renaming to", to, d.fs.Rename(from, to))
}

// temp is the path of a file of a folder until it is whole. Files of a dataset that others may publish stand apart: what comes late must not be
// left in it.
func (d *disk) temp(dir, name string) string {
	if d.temps == "" {
		return tempName(dir, path.Base(name))
	}
	return filepath.Join(d.temps, around("", path.Base(name), fmt.Sprintf("%s-%d", d.attempt, d.made.Add(1))))
}

// put writes a small file: under a temporary name, synced, read back, renamed.
// The name itself is durable after the folder's next sync.
func (d *disk) put(dir, name string, data []byte) error {
	temp := d.temp(dir, name)
	f, err := d.fs.Create(temp)
	if err != nil {
		return fault("creating", temp, err)
	}
	if err = d.fill(f, data); err == nil {
		err = d.rename(temp, filepath.Join(dir, name))
	}
	if err != nil {
		_ = d.fs.Remove(temp) // the error that matters is in hand
	}
	return err
}

// fill writes all of a file, syncs and closes it, and reads it back.
func (d *disk) fill(f store.LocalFile, data []byte) error {
	err := writeAt(f, data, 0)
	if err == nil {
		err = d.syncFile(f)
	}
	if err = cmp.Or(err, fault("closing", f.Name(), f.Close())); err != nil {
		return err
	}
	sum := sumOf(f.Name(), data, XXH128)
	return d.matches(context.Background(), f.Name(), &sum, XXH128, io.Discard)
}

// writeAt writes data at off, in pieces.
func writeAt(f store.LocalFile, data []byte, off int64) error {
	for len(data) > 0 {
		n := min(len(data), pieceSize)
		if _, err := f.WriteAt(data[:n], off); err != nil {
			return faultAt("writing", f.Name(), off, err)
		}
		data, off = data[n:], off+int64(n)
	}
	return nil
}

// sweep removes what is in the folder dir of root and neither a name nor, where
// folders may be, a folder that is to stay, and counts the names.
func (d *disk) sweep(root, dir string, names, folders map[string]bool) (found int, err error) {
	at := filepath.Join(root, filepath.FromSlash(dir))
	entries, err := d.fs.ReadDir(at)
	if err != nil {
		return 0, fault("listing", at, err)
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		n := 1
		switch {
		case e.IsDir() && folders[name]:
			n, err = d.sweep(root, name, names, folders)
		case e.IsDir() || !names[name]:
			n, err = 0, d.removeAll(filepath.Join(at, e.Name()))
		}
		if err != nil {
			return 0, err
		}
		found += n
	}
	return found, nil
}

// syncTree makes the names in root and in folders below it durable. Folders below
// others come first, so that a name is durable after what it names.
func (d *disk) syncTree(root string, folders map[string]bool) error {
	for _, dir := range slices.Backward(sorted(folders)) {
		if err := d.syncDirs(filepath.Join(root, filepath.FromSlash(dir))); err != nil {
			return err
		}
	}
	return d.syncDirs(root)
}

// clear removes from a folder all but what is to stay.
func (d *disk) clear(dir string, stay ...string) error {
	entries, err := d.fs.ReadDir(dir)
	if err != nil {
		return fault("listing", dir, err)
	}
	for _, e := range entries {
		if slices.Contains(stay, e.Name()) {
			continue
		}
		if err := d.removeAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
