//go:build !linux

package files

import (
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// maxEntries is the number of entries of a directory that are in memory at once.
const maxEntries = 1024

// eachEntry calls visit with the name of each entry of the open directory fd and its type, as in
// unix.Stat_t.Mode. The type of a file that is not a directory or a link is S_IFREG.
func eachEntry(fd int, visit func(name string, mode uint32)) error {
	own, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return err
	}
	dir := os.NewFile(uintptr(own), "")
	defer dir.Close()
	for {
		entries, err := dir.ReadDir(maxEntries)
		for _, e := range entries {
			mode := uint32(unix.S_IFREG)
			switch {
			case e.Type()&fs.ModeSymlink != 0:
				mode = unix.S_IFLNK
			case e.IsDir():
				mode = unix.S_IFDIR
			}
			visit(e.Name(), mode)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return cause(err)
		}
	}
}
