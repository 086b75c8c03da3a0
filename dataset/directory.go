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

// A place is a directory, and how it is read.
type place struct {
	fs   store.Reader
	dir  string
	cold bool
}

func newPlace(dir string, opt *VerifyOptions) place {
	p := place{fs: opt.Store, dir: dir, cold: opt.Cold}
	if p.fs == nil {
		p.fs = store.OS()
	}
	return p
}

func (p place) path(name string) string { return store.Join(p.dir, name) }

// open opens a regular file. Anything else under its name is damage; a pipe,
// for one, must not be opened, which would wait for a writer.
func (p place) open(name string) (store.File, *DamageError, error) {
	info, err := p.fs.Stat(p.path(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, wholeFile(name, "it is missing"), nil
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG):
		return nil, wholeFile(name, "it is missing: %v", store.Cause(err)), nil
	case err != nil:
		return nil, nil, err
	case !info.Mode().IsRegular():
		return nil, wholeFile(name, "it is no file but %s", kindOf(info.Mode())), nil
	}
	f, err := p.fs.Open(p.path(name))
	if err != nil {
		return nil, nil, err
	}
	if err := p.cool(f); err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, nil, nil
}

// kindOf names what is no regular file.
func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}

// cool has the system forget what it holds of a file in memory. It cannot
// forget what is not on the disk yet. What a store sends comes from there anyway.
func (p place) cool(file store.File) error {
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

// readFile reads a file that has to be small enough to be held.
func (p place) readFile(name string) ([]byte, *DamageError, error) {
	f, damage, err := p.open(name)
	if f == nil {
		return nil, damage, err
	}
	data, err := io.ReadAll(io.LimitReader(f, tfrecord.MaxHeld+1))
	if err = cmp.Or(err, f.Close()); err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if len(data) > tfrecord.MaxHeld {
		return nil, wholeFile(name, "it has more than %d MiB, and was not read", tfrecord.MaxHeld>>20), nil
	}
	return data, nil, nil
}

// listing reports files that the manifest does not know.
func (v *verifier) listing(m *Manifest) error {
	known := map[string]bool{ManifestName: true, SuccessName: true}
	for _, s := range m.Splits {
		for _, shard := range s.Shards {
			known[shard.Name] = true
		}
	}
	for _, f := range m.Files {
		known[f.Name] = true
	}
	folders := map[string]bool{}
	for name := range known {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	return v.list(".", known, folders)
}

// list reports what a folder holds that is not known.
func (v *verifier) list(folder string, known, folders map[string]bool) error {
	entries, err := v.fs.ReadDir(v.path(folder))
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name := path.Join(folder, entry.Name())
		if known[name] || isCompiled(name) {
			continue
		}
		below := false
		if folders[name] || name == compiledFolder {
			if below, err = v.isFolder(name, entry); err != nil {
				return err
			}
		}
		if !below {
			v.damage(wholeFile(name, "it does not belong to the dataset"))
		} else if err := v.list(name, known, folders); err != nil {
			return err
		}
	}
	return nil
}

// compiledFolder is where Python keeps what it makes of the readers.
var compiledFolder = path.Join(path.Dir(ReaderName), "__pycache__")

// isCompiled reports whether Python made the file when it imported a reader.
func isCompiled(name string) bool {
	module, rest, _ := strings.Cut(path.Base(name), ".")
	isReader := module+".py" == path.Base(ReaderName) || module+".py" == path.Base(TorchReaderName)
	return path.Dir(name) == compiledFolder && isReader && strings.Contains(rest, "pyc")
}

// isFolder reports whether an entry is a folder, or a link to one.
func (p place) isFolder(name string, entry fs.DirEntry) (bool, error) {
	if entry.Type() != fs.ModeSymlink {
		return entry.IsDir(), nil
	}
	info, err := p.fs.Stat(p.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && info.IsDir(), err
}
