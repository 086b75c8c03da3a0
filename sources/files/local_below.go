package files

import (
	"strings"

	"golang.org/x/sys/unix"
)

// mostPath is how long a path can be that the system takes in one piece.
const mostPath = 1023 // darwin's; linux takes four times as much

// openBelow opens what stands at rel below the open folder dir for reading. It
// never waits for a pipe or a device, and rel may be of any length.
func openBelow(dir int, rel string, flags int) (int, error) {
	const reading = unix.O_RDONLY | unix.O_NONBLOCK | unix.O_CLOEXEC
	at := dir
	for {
		piece, rest := rel, ""
		if len(rel) > mostPath {
			cut := strings.LastIndexByte(rel[:mostPath], '/')
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
