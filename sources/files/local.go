package files

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tfr-build/internal/store"

	"golang.org/x/sys/unix"
)

// local is the accessor of the local file system.
type local struct{}

// fileOf returns the File that st describes, under a name.
func fileOf(name string, st *unix.Stat_t) File {
	return File{
		Name:    name,
		Size:    st.Size,
		ModTime: st.Mtim.Nano(),
		Inode:   st.Ino,
		Regular: st.Mode&unix.S_IFMT == unix.S_IFREG,
	}
}

// idOf returns the ID of the file that st describes.
func idOf(st *unix.Stat_t) FileID { return FileID{device: uint64(st.Dev), inode: st.Ino} }

// check returns ErrChanged unless the open file is the listed version. A file of size 0 that has bytes is generated
// when it is read, as in /proc, and is ErrNotRegular.
func (f *File) check(fd int) error {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return err
	}
	if st.Size == 0 && st.Mode&unix.S_IFMT == unix.S_IFREG {
		var first [1]byte
		if n, err := unix.Pread(fd, first[:], 0); n > 0 || err != nil {
			return cmp.Or(err, ErrNotRegular)
		}
	}
	if f.Size != st.Size || f.ModTime != st.Mtim.Nano() || f.Inode != st.Ino {
		return ErrChanged
	}
	return nil
}

func (local) stat(name, path string) (File, error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return File{}, err
	}
	return fileOf(name, &st), nil
}

// openFile opens a file for reading. It never waits for a pipe or a device.
func openFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
}

func (local) open(path string, listed *File) (Handle, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	if err := listed.check(int(f.Fd())); err != nil {
		f.Close()
		return nil, err
	}
	return localFile{f}, nil
}

// A localFile is an open file of the local file system.
type localFile struct{ *os.File }

func (f localFile) Section(off, n int64) io.ReadCloser {
	return io.NopCloser(io.NewSectionReader(f, off, n))
}

func (local) each(ctx context.Context, dir string, skip func(path string) bool,
	visit func(path string, f File) error) error {
	dir = store.Real(dir)
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return err
		case skip(path) && e.IsDir():
			return fs.SkipDir
		case skip(path):
			return nil
		}
		f, err := local{}.stat(strings.TrimPrefix(path, dir), path)
		switch {
		// a broken link matters only to a row that names it
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ELOOP):
			return nil
		case err != nil:
			return &fs.PathError{Op: "stat", Path: path, Err: err}
		case !f.Regular:
			return nil
		}
		return visit(path, f)
	})
}

func (l local) appendDirs(list []string, root string, depth int) ([]string, error) {
	list = append(list, root)
	if depth == 0 {
		return list, nil
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		path := filepath.Join(root, e.Name())
		if !isDir(path, e, depth > 0) || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if list, err = l.appendDirs(list, path, max(AnyDepth, depth-1)); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// isDir reports whether an entry at path is a directory or, if follow is set, a link to one.
func isDir(path string, e fs.DirEntry, follow bool) bool {
	if !follow || e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir()
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
