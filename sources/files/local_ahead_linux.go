package files

import "golang.org/x/sys/unix"

// hasFadvise says that the system reads files on request.
const hasFadvise = true

// requestRange asks the system to read a range of an open file into its page cache.
func requestRange(fd int, off, n int64) {
	_ = unix.Fadvise(fd, off, n, unix.FADV_WILLNEED) // if it fails, the range is only read later
}
