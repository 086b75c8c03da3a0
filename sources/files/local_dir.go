package files

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// A localDir is an open directory. Opening files relative to it resolves shorter paths.
type localDir struct {
	dir   *os.File
	flags int
}

func (local) openDir(dir string, links bool) (Directory, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	return &localDir{f, linkFlag(links)}, nil
}

// linkFlag returns the flag of opening a file that may be a link, or may not.
func linkFlag(links bool) int {
	if links {
		return 0
	}
	return unix.O_NOFOLLOW
}

func (l *localDir) Close() error { return l.dir.Close() }

// Read never waits for a pipe or a device.
func (l *localDir) Read(buf []byte, listed *File) ([]byte, error) {
	fd, err := openBelow(int(l.dir.Fd()), listed.Name, l.flags)
	if err != nil {
		return buf, err
	}
	defer unix.Close(fd)
	if buf, err = readAll(buf, fd, listed.Size); err == nil {
		err = listed.check(fd)
	}
	if err == nil && int64(len(buf)) != listed.Size {
		err = ErrChanged
	}
	return buf, err
}

// ReadFirst implements [FirstReader].
func (l *localDir) ReadFirst(buf []byte, listed *File, n int64) ([]byte, error) {
	fd, err := openBelow(int(l.dir.Fd()), listed.Name, l.flags)
	if err != nil {
		return buf, err
	}
	defer unix.Close(fd)
	if err := listed.check(fd); err != nil {
		return buf, err
	}
	return readAll(buf, fd, min(n, listed.Size))
}

// readAll reads size bytes, or up to the end of the file. It overwrites buf.
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
