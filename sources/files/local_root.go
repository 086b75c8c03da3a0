package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tfr-build/internal/store"

	"golang.org/x/sys/unix"
)

// A localRoot is a directory. No name leads out of it, not even through links or `..`.
type localRoot struct {
	dir     string
	real    string   // the absolute path of dir without links; empty if dir did not exist
	written []string // files and directories below real that the run writes
	open    *os.Root // nil until the first Read
}

func (local) newRoot(dir string, written []string) Root {
	r := &localRoot{dir: dir}
	if real, err := filepath.EvalSymlinks(dir); err == nil { // Read reports errors of dir
		r.real, _ = filepath.Abs(real)
	}
	for _, w := range written {
		if _, below := strings.CutPrefix(w, r.real+"/"); below {
			r.written = append(r.written, w)
		}
	}
	return r
}

// Prefetch does nothing: only remote files are fetched before they are read.
func (r *localRoot) Prefetch(string, int) {}

func (r *localRoot) Close() error {
	if r.open == nil {
		return nil
	}
	return r.open.Close()
}

func (r *localRoot) Read(room func(size int) []byte, name string, limit int) (data []byte, err error) {
	if r.open == nil {
		if r.open, err = os.OpenRoot(r.dir); err != nil {
			return nil, &DirectoryError{err}
		}
	}
	rel := r.relative(name)
	if r.isWritten(rel) {
		return nil, ErrWritten
	}
	f, err := r.open.OpenFile(rel, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, nameError(err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, ErrNotRegular
	case info.Size() > int64(limit):
		return nil, &store.LargeError{Size: info.Size()}
	}
	data, err = readAll(room(int(info.Size())), int(f.Fd()), info.Size())
	if err == nil && int64(len(data)) != info.Size() {
		err = ErrChanged
	}
	return data, err
}

// isWritten reports whether the run writes the file name, relative to dir, or a directory above
// it.
func (r *localRoot) isWritten(name string) bool {
	if len(r.written) == 0 {
		return false
	}
	real, err := filepath.EvalSymlinks(filepath.Join(r.real, name))
	return err == nil && slices.ContainsFunc(r.written,
		func(w string) bool { return real == w || strings.HasPrefix(real, w+"/") })
}

// relative returns a name relative to dir. An absolute name may begin with dir as the config has
// it, or reach dir by another way.
func (r *localRoot) relative(name string) string {
	if !filepath.IsAbs(name) || r.real == "" {
		return name
	}
	for _, dir := range []string{r.dir, r.real} {
		if rest, below := strings.CutPrefix(name, dir+"/"); below {
			return strings.TrimLeft(rest, "/")
		}
	}
	real, err := filepath.EvalSymlinks(name)
	if err != nil { // the file does not exist, but its directory may
		real, _ = filepath.EvalSymlinks(filepath.Dir(name))
		real = filepath.Join(real, filepath.Base(name))
	}
	if rest, below := strings.CutPrefix(real, r.real+"/"); below {
		return rest
	}
	return name
}

// nameError returns the error of Read for an error of opening a file. It distinguishes names that
// lead to no readable file from files that cannot be read.
func nameError(err error) error {
	switch {
	case errors.Is(err, unix.ENXIO): // from opening a socket
		return ErrNotRegular
	case errors.Is(err, fs.ErrNotExist):
		return fs.ErrNotExist
	case errors.Is(err, fs.ErrPermission), errors.Is(err, unix.EIO), errors.Is(err, unix.EMFILE), errors.Is(err,
		unix.ENFILE):
		return store.Cause(err)
	case errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.ENAMETOOLONG), errors.Is(err, unix.ELOOP), errors.Is(err,
		fs.ErrInvalid):
		return ErrNoFile
	}
	return ErrOutside
}
