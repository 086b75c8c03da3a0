package sink

import (
	"bytes"
	"cmp"
	"errors"
	"path/filepath"
	"sync"

	"tfr-build/internal/vfs"
)

// disk is the file system as this package uses it: its errors are OutputErrors,
// and it syncs only when that was asked for.
type disk struct {
	fs       vfs.FS
	sync     bool
	warn     func(string)
	syncOnce sync.Once // for the warning that folders are not synced
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
func (d *disk) syncFile(f vfs.File) error {
	if !d.sync {
		return nil
	}
	return fault("syncing", f.Name(), f.Sync())
}

// mkdirAll makes a folder and the parents it lacks.
func (d *disk) mkdirAll(name string) error {
	changed, err := vfs.MkdirAll(d.fs, name)
	if err != nil {
		return fault("making the folder", name, err)
	}
	return d.syncDirs(changed...)
}

func (d *disk) removeAll(name string) error {
	return fault("removing", name, vfs.RemoveAll(d.fs, name))
}

func (d *disk) rename(from, to string) error {
	return fault("renaming to", to, d.fs.Rename(from, to))
}

// tempName is the name of a file in a folder until it is whole. Nothing that is
// published begins with a dot, so it is nobody else's.
func tempName(dir, name string) string { return filepath.Join(dir, "."+name+".tmp") }

// put writes a small file: under a temporary name, synced, read back, renamed.
// The name itself is durable after the folder's next sync.
func (d *disk) put(dir, name string, data []byte) error {
	temp := tempName(dir, name)
	f, err := d.fs.Create(temp)
	if err != nil {
		return fault("creating", temp, err)
	}
	if err = writeAt(f, data, 0); err == nil {
		err = d.syncFile(f)
	}
	if err = cmp.Or(err, fault("closing", temp, f.Close())); err != nil {
		return err
	}
	back, err := vfs.ReadFile(d.fs, temp)
	if err == nil && !bytes.Equal(back, data) {
		err = ErrDiffers
	}
	if err != nil {
		return fault("reading back", temp, err)
	}
	return d.rename(temp, filepath.Join(dir, name))
}

// pieceSize is how much is written or read back at once: large enough to be
// fast, small enough to stay in a cache.
const pieceSize = 512 << 10

// writeAt writes data at off, in pieces.
func writeAt(f vfs.File, data []byte, off int64) error {
	for len(data) > 0 {
		n := min(len(data), pieceSize)
		if _, err := f.WriteAt(data[:n], off); err != nil {
			return faultAt("writing", f.Name(), off, err)
		}
		data, off = data[n:], off+int64(n)
	}
	return nil
}
