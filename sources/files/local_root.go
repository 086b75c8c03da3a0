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

// A localRoot is a folder that no name leads out of, through links and `..` neither.
type localRoot struct {
	dir     string
	real    string   // dir with links followed; empty until it is there
	written []string // what the run writes below it
	open    *os.Root // nil until the first file
}

func (local) root(dir string, written []string) Root {
	r := &localRoot{dir: dir}
	r.real, _ = filepath.EvalSymlinks(dir) // reading says what is wrong with it
	for _, w := range written {
		if _, below := strings.CutPrefix(w, r.real+"/"); below {
			r.written = append(r.written, w)
		}
	}
	return r
}

func (r *localRoot) Prefetch(string, int) {} // the system reads ahead itself

func (r *localRoot) Close() error {
	if r.open == nil {
		return nil
	}
	return r.open.Close()
}

func (r *localRoot) Read(buf []byte, name string, limit int) (_ []byte, err error) {
	if r.open == nil {
		if r.open, err = os.OpenRoot(r.dir); err != nil {
			return buf, &FolderError{err}
		}
	}
	rel := r.relative(name)
	if r.isWritten(rel) {
		return buf, ErrWritten
	}
	f, err := r.open.OpenFile(rel, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return buf, nameFault(err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return buf, err
	case !info.Mode().IsRegular():
		return buf, ErrNotRegular
	case info.Size() > int64(limit):
		return buf, &store.LargeError{Size: info.Size()}
	}
	buf, err = readAll(buf, int(f.Fd()), info.Size())
	if err == nil && int64(len(buf)) != info.Size() {
		err = ErrChanged
	}
	return buf, err
}

// isWritten reports whether the file name, relative to dir, is one that the run
// writes, or lies in a folder that it does.
func (r *localRoot) isWritten(name string) bool {
	if len(r.written) == 0 {
		return false
	}
	real, err := filepath.EvalSymlinks(filepath.Join(r.dir, name))
	return err == nil && slices.ContainsFunc(r.written, func(w string) bool { return real == w || strings.HasPrefix(real, w+"/") })
}

// relative is the name of a file relative to dir: an absolute one may name it as
// the config does, or by any other way to it.
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
	if err != nil { // then its folder may be there
		real, _ = filepath.EvalSymlinks(filepath.Dir(name))
		real = filepath.Join(real, filepath.Base(name))
	}
	if rest, below := strings.CutPrefix(real, r.real+"/"); below {
		return rest
	}
	return name
}

// nameFault tells a name that is no usable file's from a file that cannot be read.
func nameFault(err error) error {
	switch {
	case errors.Is(err, unix.ENXIO): // which opening a socket gives
		return ErrNotRegular
	case errors.Is(err, fs.ErrNotExist):
		return fs.ErrNotExist
	case errors.Is(err, fs.ErrPermission), errors.Is(err, unix.EIO), errors.Is(err, unix.EMFILE), errors.Is(err, unix.ENFILE):
		return cause(err)
	case errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.ENAMETOOLONG), errors.Is(err, unix.ELOOP), errors.Is(err, fs.ErrInvalid):
		return ErrNoFile
	}
	return ErrOutside
}

// cause is err without the path and the system call that it happened in.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
