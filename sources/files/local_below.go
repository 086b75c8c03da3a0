package files

import (
	"strings"

	"golang.org/x/sys/unix"
)

const maxPath = 1023 // longest path of a call on darwin; on linux 4095

// openBelow opens the file at rel, below the open directory dir, for reading. It never waits for
// a pipe or a device. rel may have any length: a long one is opened in several steps.
func openBelow(dir int, rel string, flags int) (int, error) {
	const reading = unix.O_RDONLY | unix.O_NONBLOCK | unix.O_CLOEXEC
	at := dir
	for {
		piece, rest := rel, ""
		if len(rel) > maxPath {
			cut := strings.LastIndexByte(rel[:maxPath], '/')
			piece, rest = rel[:max(cut, 0)], rel[cut+1:]
		}
		own := flags
		if rest != "" {
			own = unix.O_DIRECTORY
		}
		fd, err := unix.Openat(at, piece, reading|own, 0)
		if at != dir {
			unix.Close(at)
		}
		if err != nil || rest == "" {
			return fd, err
		}
		at, rel = fd, rest
	}
}
