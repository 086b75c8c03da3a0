package files

import "golang.org/x/sys/unix"

// asksForFiles says that the system can be asked for files.
const asksForFiles = true

// askForFile asks for the pages of a stretch of an open file.
func askForFile(fd int, off, n int64) {
	_ = unix.Fadvise(fd, off, n, unix.FADV_WILLNEED) // without it they are read all the same, only later
}
