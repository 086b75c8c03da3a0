package sources

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"tfr-build/schema"
)

// openInput opens a file for reading. It never waits for a pipe or a device.
func openInput(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
}

// readFile reads a listed file below the folder dir into buf, which grows as
// needed, and checks that it is still the file that was listed. It never waits
// for a pipe or a device.
func readFile(buf []byte, dir int, listed *File, flags int) ([]byte, error) {
	fd, err := openBelow(dir, listed.Name, flags)
	if err != nil {
		return buf, err
	}
	defer unix.Close(fd)
	if buf, err = readAll(buf, fd, listed.Size); err != nil {
		return buf, err
	}
	if listed.Size == 0 && hasMore(fd) {
		return buf, ErrNotRegular
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return buf, err
	}
	if !listed.same(&st) || int64(len(buf)) != listed.Size {
		return buf, ErrChanged
	}
	return buf, nil
}

// hasMore reports whether there is another byte to read.
func hasMore(fd int) bool {
	var next [1]byte
	n, err := unix.Read(fd, next[:])
	return n > 0 && err == nil
}

// readAll reads size bytes, or up to the end of the file.
func readAll(buf []byte, fd int, size int64) ([]byte, error) {
	if int64(cap(buf)) < size {
		buf = make([]byte, 0, size+size/4)
	}
	n := 0
	for n < int(size) {
		k, err := unix.Read(fd, buf[n:size])
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return buf[:n], err
		case k == 0:
			return buf[:n], nil
		}
		n += k
	}
	return buf[:n], nil
}

// notRegular is the fault of a row whose file is a pipe, a device or a socket.
func notRegular() *schema.RowError {
	return &schema.RowError{Code: "NOT_REGULAR", At: -1, Message: ErrNotRegular.Error()}
}

// A loader reads the files that rows name, inside of one folder.
type loader struct {
	load *Load
	root *os.Root
}

func openLoader(l *Load) (*loader, error) {
	root, err := os.OpenRoot(l.Dir)
	if err != nil {
		return nil, &InputError{l.Dir, err}
	}
	return &loader{l, root}, nil
}

// read reads the file name, which stays inside of the folder through links
// and `..` too, into buf.
func (l *loader) read(buf []byte, name string, limit int) ([]byte, error) {
	f, err := l.root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return buf, l.fault(name, err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return buf, &InputError{l.load.Dir + "/" + name, err}
	case !info.Mode().IsRegular():
		return buf, l.fault(name, ErrNotRegular)
	case info.Size() > int64(limit):
		bad := tooLong(info.Size(), limit)
		bad.Column, bad.Message = l.load.Name, schema.Quote([]byte(name))+": "+bad.Message
		return buf, bad
	}
	buf, err = readAll(buf, int(f.Fd()), info.Size())
	if err == nil && int64(len(buf)) != info.Size() {
		err = ErrChanged
	}
	if err != nil {
		return buf, &InputError{l.load.Dir + "/" + name, err}
	}
	return buf, nil
}

// fault tells a row that names no usable file from an input that cannot be read.
func (l *loader) fault(name string, err error) error {
	bad := &schema.RowError{At: -1, Column: l.load.Name}
	switch {
	case errors.Is(err, ErrNotRegular), errors.Is(err, unix.ENXIO): // which opening a socket gives
		bad.Code, bad.Message = "NOT_REGULAR", schema.Quote([]byte(name))+" is "+ErrNotRegular.Error()
	case errors.Is(err, fs.ErrNotExist):
		bad.Code, bad.Message = "NOT_FOUND", schema.Quote([]byte(name))+" is not in "+l.load.Dir
	case errors.Is(err, fs.ErrPermission), errors.Is(err, unix.EIO), errors.Is(err, unix.EMFILE), errors.Is(err, unix.ENFILE):
		return &InputError{l.load.Dir + "/" + name, cause(err)}
	case errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.ENAMETOOLONG), errors.Is(err, unix.ELOOP), errors.Is(err, fs.ErrInvalid):
		bad.Code, bad.Message = "NOT_FOUND", schema.Quote([]byte(name))+" is no file of "+l.load.Dir
	default:
		bad.Code, bad.Message = "PATH_ESCAPE", schema.Quote([]byte(name))+" does not stay inside of "+l.load.Dir
	}
	return bad
}

func tooLong(size int64, limit int) *schema.RowError {
	return &schema.RowError{Code: "LIMIT_RECORD", At: -1, Message: fmt.Sprintf("%d bytes are more than limits.record, %d", size, limit), Hint: recordHint(size)}
}
