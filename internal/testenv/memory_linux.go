package testenv

import "golang.org/x/sys/unix"

// shared is the directory of the system for files in memory.
const shared = "/dev/shm"

// hasRoom reports whether programs can run in shared, and whether it has room for the temporary
// files of tests.
func hasRoom() bool {
	var fs unix.Statfs_t
	if err := unix.Statfs(shared, &fs); err != nil || fs.Flags&unix.ST_NOEXEC != 0 {
		return false
	}
	return fs.Bavail*uint64(fs.Bsize) > uint64(Times(2, 8, 8))<<30
}
