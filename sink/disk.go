package sink

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"tfr-build/internal/crc32c"
	"tfr-build/internal/store"
)

// A Disk is the file system as this package uses it. Its errors are *OutputError. It syncs only
// if [Options.Sync] is set, and reads back from the device only if [Options.Cold] is set.
type Disk struct {
	storage    *store.Storage
	fs         store.Local // the local store of storage
	sync       bool
	cold       bool
	readers    readers
	warn       func(string)
	tempDir    string       // directory of incomplete files; empty: next to the final name
	tempCount  atomic.Int64 // number of names used in tempDir
	attempt    string       // part of the names in tempDir, unique to this process
	syncOnce   sync.Once    // for the warning that directories are not synced
	lacksLocks bool         // a directory was locked on a file system without locks
}

// NewDisk returns the local file system of a storage.
func NewDisk(storage *store.Storage, sync bool) *Disk { return newDisk(storage, &Options{Sync: sync}) }

func newDisk(storage *store.Storage, opt *Options) *Disk {
	d := &Disk{
		storage: storage, fs: storage.Local(), sync: opt.Sync, cold: opt.Cold,
		readers: newReaders(opt.Readers), warn: opt.Warn,
	}
	if d.warn == nil {
		d.warn = func(string) {}
	}
	return d
}

// SyncDirs makes the names in directories durable. If the file system cannot sync directories,
// it warns once.
func (d *Disk) SyncDirs(names ...string) error {
	if !d.sync {
		return nil
	}
	for _, name := range names {
		err := d.fs.SyncDir(name)
		if errors.Is(err, errors.ErrUnsupported) {
			d.syncOnce.Do(func() {
				d.warn("the file system of " + name +
					" does not sync directories: after a loss of power names may be missing")
			})
			continue
		}
		if err != nil {
			return wrapError("syncing the directory", name, err)
		}
	}
	return nil
}

// SyncFile makes the content of a file durable.
func (d *Disk) SyncFile(f store.LocalFile) error {
	if !d.sync {
		return nil
	}
	return wrapError("syncing", f.Name(), f.Sync())
}

// MkdirAll creates a directory and its missing parents, durably.
func (d *Disk) MkdirAll(name string) error {
	if !d.storage.CanRename(name) {
		return nil // a store without directories needs none
	}
	changed, err := d.fs.MkdirAll(name)
	if err != nil {
		return wrapError("making the directory", name, err)
	}
	return d.SyncDirs(changed...)
}

// syncParents makes the names of dir and its parents durable, up to the mount point of their
// file system: a killed run may have created them. It skips directories that this process may
// not read, because tfr-build cannot have created them.
func (d *Disk) syncParents(dir string) error {
	for {
		if err := d.SyncDirs(dir); err != nil && !errors.Is(err, fs.ErrPermission) {
			return err
		}
		mount, err := d.fs.IsMount(dir)
		if err != nil {
			return wrapError("inspecting", dir, err)
		}
		above := filepath.Dir(dir)
		if mount || above == dir {
			return nil
		}
		dir = above
	}
}

// ensureDirectory creates a directory unless it exists. It removes anything else that has the
// name, such as a link to another directory.
func (d *Disk) ensureDirectory(name string) error {
	info, err := d.fs.Lstat(name)
	switch {
	case err == nil && info.IsDir():
		return nil
	case err == nil:
		err = d.removeAll(name)
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	default:
		err = wrapError("inspecting", name, err)
	}
	if mkdir := d.fs.Mkdir(name); !errors.Is(mkdir, fs.ErrExist) { // by another process
		err = cmp.Or(err, wrapError("making the directory", name, mkdir))
	}
	return err
}

func (d *Disk) removeAll(name string) error {
	return wrapError("removing", name, d.fs.RemoveAll(name))
}

func (d *Disk) rename(from, to string) error {
	return wrapError("renaming to", to, d.fs.Rename(from, to))
}

// newTempPath returns the path of a file until it is complete. If other processes may publish
// the dataset, the path is outside of data/: a late file must not end up in a published
// dataset.
func (d *Disk) newTempPath(dir, name string) string {
	if d.tempDir == "" {
		return tempPath(dir, path.Base(name))
	}
	return filepath.Join(d.tempDir, wrapName("", path.Base(name), fmt.Sprintf("%s-%d", d.attempt, d.tempCount.Add(1))))
}

// putFile writes a small file by replaceFile. Its name is durable after the next sync of the
// directory.
func (d *Disk) putFile(dir, name string, data []byte) error {
	to := filepath.Join(dir, name)
	return d.replaceFile(context.Background(), d.newTempPath(dir, name), to, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// replaceFile writes a file under a temporary name. It syncs, closes, and reads back the file
// before it gets its name: otherwise a power loss could leave the name with other bytes.
func (d *Disk) replaceFile(ctx context.Context, temp, to string, write func(io.Writer) error) error {
	f, err := d.fs.Create(temp)
	if err != nil {
		return wrapError("creating", temp, err)
	}
	if err = d.writeFile(ctx, f, write); err == nil {
		err = wrapError("renaming to", to, d.storage.Move(temp, to))
	}
	if err != nil {
		_ = d.fs.Remove(temp) // the first error is returned
	}
	return err
}

// writeFile writes a file of any length, syncs and closes it, and reads it back.
func (d *Disk) writeFile(ctx context.Context, f store.LocalFile, write func(io.Writer) error) error {
	out := &summingWriter{ctx: ctx, f: f, digest: XXH128.New()}
	err := write(out)
	if err == nil {
		err = d.SyncFile(f)
	}
	if err = cmp.Or(err, wrapError("closing", f.Name(), f.Close())); err != nil {
		return err
	}
	sum := Sum{f.Name(), out.n, out.crc, hex.EncodeToString(out.digest.Sum(nil))}
	return d.compareFile(ctx, f.Name(), &sum, XXH128, io.Discard)
}

// A summingWriter writes to a file until its context ends, and computes the sum of the bytes.
type summingWriter struct {
	ctx    context.Context
	f      store.LocalFile
	n      int64
	crc    uint32
	digest hash.Hash
}

func (w *summingWriter) Write(p []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, context.Cause(w.ctx)
	}
	if err := writeAt(w.f, p, w.n); err != nil {
		return 0, err
	}
	w.n += int64(len(p))
	w.crc = crc32c.Update(w.crc, p)
	w.digest.Write(p)
	return len(p), nil
}

// writeAt writes data at an offset, in chunks of chunkSize bytes.
func writeAt(f store.LocalFile, data []byte, off int64) error {
	for len(data) > 0 {
		n := min(len(data), chunkSize)
		if _, err := f.WriteAt(data[:n], off); err != nil {
			return WrapErrorAt("writing", f.Name(), off, err)
		}
		data, off = data[n:], off+int64(n)
	}
	return nil
}

// removeOthers removes everything in the subdirectory dir of root, except the files in names
// and the directories in dirs. names and dirs are relative to root.
func (d *Disk) removeOthers(root, dir string, names, dirs map[string]bool) error {
	full := filepath.Join(root, filepath.FromSlash(dir))
	entries, err := d.fs.ReadDir(full)
	if err != nil {
		return wrapError("listing", full, err)
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case e.IsDir() && dirs[name]:
			err = d.removeOthers(root, name, names, dirs)
		case e.IsDir() || !names[name]:
			err = d.removeAll(filepath.Join(full, e.Name()))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// syncTree makes the names in root and in its subdirectories dirs durable. It syncs
// subdirectories before their parents, so that a directory's name is durable after its content.
func (d *Disk) syncTree(root string, dirs map[string]bool) error {
	for _, dir := range slices.Backward(sorted(dirs)) {
		if err := d.SyncDirs(filepath.Join(root, filepath.FromSlash(dir))); err != nil {
			return err
		}
	}
	return d.SyncDirs(root)
}

// removeExcept removes everything in a directory except the names in stay.
func (d *Disk) removeExcept(dir string, stay ...string) error {
	entries, err := d.fs.ReadDir(dir)
	if err != nil {
		return wrapError("listing", dir, err)
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
