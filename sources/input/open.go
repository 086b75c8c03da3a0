package input

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"

	"tfr-build/schema"
)

// Open opens a file for reading. It never waits for a pipe or a device.
func Open(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK, 0)
}

// ReadFile reads a listed file below the folder dir into buf, which grows as
// needed, and checks that it is still the file that was listed. It never waits
// for a pipe or a device.
func ReadFile(buf []byte, dir int, listed *File, flags int) ([]byte, error) {
	fd, err := OpenBelow(dir, listed.Name, flags)
	if err != nil {
		return buf, err
	}
	defer unix.Close(fd)
	if buf, err = ReadAll(buf, fd, listed.Size); err != nil {
		return buf, err
	}
	if listed.Size == 0 && hasMore(fd) {
		return buf, ErrNotRegular
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return buf, err
	}
	if !listed.Is(&st) || int64(len(buf)) != listed.Size {
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

// ReadAll reads size bytes, or up to the end of the file.
func ReadAll(buf []byte, fd int, size int64) ([]byte, error) {
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

// NotRegular is the fault of a row whose file is a pipe, a device or a socket.
func NotRegular() *schema.RowError {
	return &schema.RowError{Code: "NOT_REGULAR", At: -1, Message: ErrNotRegular.Error()}
}
