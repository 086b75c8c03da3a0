package vfs

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

const errNotDir = syscall.ENOTDIR

// OS returns the real file system.
func OS() FS { return osFS{} }

type osFS struct{}

// An osFile is an *os.File with the methods of [File].
type osFile struct{ *os.File }

func open(name string, flag int) (File, error) {
	f, err := os.OpenFile(name, flag, 0o666)
	if err != nil {
		return nil, err
	}
	return &osFile{f}, nil
}

func (osFS) Create(name string) (File, error) {
	return open(name, os.O_RDWR|os.O_CREATE|os.O_EXCL)
}
func (osFS) Edit(name string) (File, error)             { return open(name, os.O_RDWR) }
func (osFS) Mkdir(name string) error                    { return os.Mkdir(name, 0o777) }
func (osFS) Remove(name string) error                   { return os.Remove(name) }
func (osFS) Rename(from, to string) error               { return rename(from, to) }
func (osFS) Link(from, to string) error                 { return os.Link(from, to) }
func (osFS) Symlink(target, name string) error          { return os.Symlink(target, name) }
func (osFS) Readlink(name string) (string, error)       { return os.Readlink(name) }
func (osFS) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }
func (osFS) Stat(name string) (fs.FileInfo, error)      { return os.Stat(name) }
func (osFS) Lstat(name string) (fs.FileInfo, error)     { return os.Lstat(name) }

// rename calls the system directly: os.Rename refuses to replace an empty directory.
func rename(from, to string) error {
	err := retry(func() error { return syscall.Rename(from, to) })
	if err != nil {
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

func (osFS) Open(name string) (File, error) {
	f, err := open(name, os.O_RDONLY|unix.O_NONBLOCK)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) != 0 {
		err = &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
	}
	if err != nil {
		f.Close() // err matters more than an error of closing
		return nil, err
	}
	return f, nil
}

func (osFS) Exchange(a, b string) error {
	err := retry(func() error { return exchange(a, b) })
	if err != nil {
		return &os.LinkError{Op: "exchange", Old: a, New: b, Err: unsupported(err)}
	}
	return nil
}

// maxLinks is how many links in a row are followed, the same as on Linux.
const maxLinks = 40

func (osFS) Resolve(name string) (string, error) {
	start := name
	for range maxLinks {
		info, err := os.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink == 0 {
			return name, nil
		}
		if err != nil {
			return "", err
		}
		target, err := os.Readlink(name)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(target) {
			dir, err := filepath.EvalSymlinks(filepath.Dir(name))
			if err != nil {
				return "", err
			}
			target = filepath.Join(dir, target)
		}
		name = target
	}
	return "", &fs.PathError{Op: "resolve", Path: start, Err: syscall.ELOOP}
}

func (osFS) SyncDir(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	if err := cmp.Or(d.Sync(), d.Close()); err != nil {
		return &fs.PathError{Op: "sync", Path: name, Err: unsupported(err)}
	}
	return nil
}

func (osFS) Lock(name string) (File, bool, error) {
	return lock(name, func() (*os.File, error) {
		return os.OpenFile(name, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW, 0o666)
	})
}

// lock opens and locks a file, until the locked file has the name. Another process may remove the
// file between the two steps, and a lock on a removed file protects nothing.
func lock(name string, open func() (*os.File, error)) (File, bool, error) {
	const tries = 10 // a file that is replaced so often is not replaced by chance
	for range tries {
		f, err := open()
		if err != nil {
			return nil, false, err
		}
		locked, err := flock(f)
		if err == nil && sameFile(f, name) {
			return &osFile{f}, locked, nil
		}
		f.Close()
		if err != nil {
			return nil, false, err
		}
	}
	return nil, false, &fs.PathError{Op: "lock", Path: name, Err: ErrLocked}
}

// flock takes an exclusive lock. If the file system has no locks, locked is false.
func flock(f *os.File) (locked bool, err error) {
	err = retry(func() error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) })
	if locked, err = lockResult(err); err != nil {
		err = &fs.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	return locked, err
}

// lockResult returns the result of Lock for the error of a system call.
func lockResult(answer error) (locked bool, err error) {
	switch {
	case answer == nil:
		return true, nil
	case answer == unix.EWOULDBLOCK:
		return false, ErrLocked
	case answer == unix.ENOLCK || errors.Is(answer, errors.ErrUnsupported):
		return false, nil
	default:
		return false, answer
	}
}

// sameFile reports whether the name leads to the open file.
func sameFile(f *os.File, name string) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(name)
	return err == nil && os.SameFile(opened, named)
}

func (osFS) Free(name string) (int64, error) {
	n, err := free(name)
	if err != nil {
		return 0, &fs.PathError{Op: "statfs", Path: name, Err: err}
	}
	return n, nil
}

func (f *osFile) Allocate(size int64) error {
	err := retry(func() error { return allocate(int(f.Fd()), size) })
	runtime.KeepAlive(f)
	return f.hintError("fallocate", err)
}

func (f *osFile) DropCache() error {
	err := retry(func() error { return dropCache(int(f.Fd())) })
	runtime.KeepAlive(f)
	return f.hintError("fadvise", err)
}

func (f *osFile) hintError(op string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: f.Name(), Err: unsupported(err)}
}

// deviceOf returns the number of the device that has name.
func deviceOf(name string) (uint64, error) {
	var st unix.Stat_t
	if err := retry(func() error { return unix.Lstat(name, &st) }); err != nil {
		return 0, &fs.PathError{Op: "lstat", Path: name, Err: err}
	}
	return uint64(st.Dev), nil
}

// otherDevice reports whether name and its parent directory are on different devices.
func otherDevice(name string) (bool, error) {
	own, err := deviceOf(name)
	if err != nil {
		return false, err
	}
	above, err := deviceOf(filepath.Join(name, ".."))
	return own != above, err
}

// unsupported returns errors.ErrUnsupported for the error numbers that mean it. EINVAL is one of
// them here, because the arguments of the operations are valid. It returns other errors without
// the path, which the caller adds.
func unsupported(err error) error {
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return errors.ErrUnsupported
	}
	return Cause(err)
}

// retry repeats f while a signal interrupts it.
func retry(f func() error) error {
	for {
		if err := f(); err != syscall.EINTR {
			return err
		}
	}
}

// A Process identifies a process by its machine and its ID.
type Process struct {
	Host string
	PID  int
}

// ThisProcess describes the running process.
func ThisProcess() Process {
	host, _ := os.Hostname() // empty on error
	return Process{host, os.Getpid()}
}
