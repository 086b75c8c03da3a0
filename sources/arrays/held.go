package arrays

import (
	"fmt"
	"io"

	"golang.org/x/sys/unix"
)

// mostHeld is how many bytes all arrays of a source may have that have to be held in
// memory.
const mostHeld = 1 << 30

// isHeld reports whether the array has to be held in memory: rows in Fortran order are
// spread over all of it, so that it cannot be read once from its beginning.
func (a *array) isHeld() bool { return a.packed && a.fortran }

// holdable refuses arrays that would have to be held in memory and are too large
// together.
func (in *arraysInput) holdable() error {
	counted := map[stored]bool{}
	left := int64(mostHeld)
	for i := range in.arrays {
		a := &in.arrays[i]
		if of := a.stored(); a.isHeld() && !counted[of] {
			counted[of] = true
			if a.bytes > left {
				return faultOf(in.files[a.file].path, a.member, &misfit{"ARRAY_SIZE", fmt.Sprintf(
					"is compressed and in Fortran order, and has %d bytes; expected at most %d in all such arrays of a source, or C order, or no compression", a.bytes, mostHeld)})
			}
			left -= a.bytes
		}
	}
	return nil
}

// hold decompresses an array that is held, which stream goes on with.
func (l *lane) hold() (err error) {
	// Of this memory only what was written to is there.
	l.held, err = unix.Mmap(-1, 0, int(l.bytes), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
	if err != nil {
		return err
	}
	if _, err := io.ReadFull(l.stream, l.held); err != nil {
		return err
	}
	return l.end()
}
