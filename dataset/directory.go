package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"syscall"

	"tfr-build/internal/store"
	"tfr-build/tfrecord"
)

// A directory is the directory of a dataset, with its storage. Names are relative to dir.
type directory struct {
	fs   Store
	dir  string
	cold bool // read from the device instead of the page cache
}

func newDirectory(dir string, opt *VerifyOptions) directory {
	p := directory{fs: opt.Store, dir: dir, cold: opt.Cold}
	if p.fs == nil {
		p.fs = store.OS()
	}
	return p
}

func (p directory) path(name string) string { return store.Join(p.dir, name) }

// open opens a regular file. A file that is missing or not regular is damage. In particular, open
// does not open a pipe, which would wait for a writer.
func (p directory) open(name string) (StoreFile, *DamageError, error) {
	info, err := p.fs.Stat(p.path(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fileDamage(name, "it is missing"), nil
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG):
		return nil, fileDamage(name, "it is missing: %v", store.Cause(err)), nil
	case err != nil:
		return nil, nil, err
	case !info.Mode().IsRegular():
		return nil, fileDamage(name, "it is %s, not a file", kindOf(info.Mode())), nil
	}
	f, err := p.fs.Open(p.path(name))
	if err != nil {
		return nil, nil, err
	}
	if err := p.dropCache(f); err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, nil, nil
}

// kindOf names the type of a file that is not regular.
func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// dropCache drops the cached pages of a file if cold is set. It syncs the file first, because
// pages that are not yet on disk cannot be dropped. Files of other stores have no cached pages.
func (p directory) dropCache(file StoreFile) error {
	f, ok := file.(store.Cooler)
	if !p.cold || !ok {
		return nil
	}
	err := f.Sync()
	if err == nil {
		err = f.DropCache()
	}
	if err != nil {
		return fmt.Errorf("dropping what memory holds of %s: %w", file.Name(), store.Cause(err))
	}
	return nil
}

// readFile reads a file of at most tfrecord.MaxInMemory bytes.
func (p directory) readFile(name string) ([]byte, *DamageError, error) {
	f, damage, err := p.open(name)
	if f == nil {
		return nil, damage, err
	}
	data, err := io.ReadAll(io.LimitReader(f, tfrecord.MaxInMemory+1))
	if err = cmp.Or(err, f.Close()); err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if len(data) > tfrecord.MaxInMemory {
		return nil, fileDamage(name, "it has more than %d MiB, and was not read", tfrecord.MaxInMemory>>20), nil
	}
	return data, nil, nil
}

// checkListing reports files that the manifest does not list.
func (v *verifier) checkListing(m *Manifest) error {
	known := map[string]bool{}
	for _, name := range m.Unlisted() {
		known[name] = true
	}
	for _, s := range m.Splits {
		for _, shard := range s.Shards {
			known[shard.Name] = true
		}
	}
	for _, f := range m.Files {
		known[f.Name] = true
	}
	dirs := map[string]bool{}
	for name := range known {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			dirs[dir] = true
		}
	}
	return v.reportUnknown(".", known, dirs)
}

// reportUnknown reports unknown files in a directory.
func (v *verifier) reportUnknown(dir string, known, dirs map[string]bool) error {
	entries, err := v.fs.ReadDir(v.path(dir))
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		if known[name] || isCompiled(name) {
			continue
		}
		below := false
		if dirs[name] || name == compiledDir {
			if below, err = v.isDir(name, entry); err != nil {
				return err
			}
		}
		if !below {
			v.reportDamage(fileDamage(name, "it does not belong to the dataset"))
		} else if err := v.reportUnknown(name, known, dirs); err != nil {
			return err
		}
	}
	return nil
}

// compiledDir is the directory in which Python caches the compiled readers.
var compiledDir = path.Join(path.Dir(ReaderName), "__pycache__")

// isCompiled reports whether a file is a reader that Python compiled.
func isCompiled(name string) bool {
	module, rest, _ := strings.Cut(path.Base(name), ".")
	isReader := module+".py" == path.Base(ReaderName) || module+".py" == path.Base(TorchReaderName)
	return path.Dir(name) == compiledDir && isReader && strings.Contains(rest, "pyc")
}

// isDir reports whether an entry is a directory, or a link to one.
func (p directory) isDir(name string, entry fs.DirEntry) (bool, error) {
	if entry.Type() != fs.ModeSymlink {
		return entry.IsDir(), nil
	}
	info, err := p.fs.Stat(p.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && info.IsDir(), err
}
