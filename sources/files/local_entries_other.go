//go:build !linux

package files

import (
	"io"
	"os"

	"golang.org/x/sys/unix"

	"tfr-build/internal/store"
)

// maxEntries is the number of entries of a directory that are in memory at once.
const maxEntries = 1024

// eachEntry calls visit with the name of each entry of the open directory fd and its type, as in
// unix.Stat_t.Mode. File.ReadDir would look for the types below the path of the directory, which fd does not have.
func eachEntry(fd int, visit func(name string, mode uint32)) error {
	own, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return err
	}
	dir := os.NewFile(uintptr(own), "")
	defer dir.Close()
	for {
		names, err := dir.Readdirnames(maxEntries)
		for _, name := range names {
			mode, err := entryMode(fd, name)
			if err != nil {
				return err
			}
			if mode != 0 {
				visit(name, mode)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return store.Cause(err)
		}
	}
}
