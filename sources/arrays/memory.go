package arrays

import (
	"io"

	"golang.org/x/sys/unix"

	"tfr-build/sources/input"
)

// maxInMemory is the maximum total size in bytes of the arrays of a source that have to be in
// memory.
const maxInMemory = 1 << 30

// needsMemory reports whether the array has to be in memory. In Fortran order the rows are spread
// over the complete array, so a compressed one cannot be read row by row.
func (a *array) needsMemory() bool { return a.packed && a.fortran }

// checkMemory returns an error if the arrays that have to be in memory are too large together.
func (in *arraysInput) checkMemory() error {
	counted := map[stored]bool{}
	left := int64(maxInMemory)
	for i := range in.arrays {
		a := &in.arrays[i]
		if of := a.stored(); a.needsMemory() && !counted[of] {
			counted[of] = true
			if a.bytes > left {
				return wrapError(in.Path(a.file), a.member, input.Mismatch("ARRAY_SIZE",
					"is compressed and in Fortran order, and has %d bytes; expected at most %d in all such arrays of "+
						"a source, or C order, or no compression", a.bytes, maxInMemory))
			}
			left -= a.bytes
		}
	}
	return nil
}

// decompress reads a compressed array from the stream into memory.
func (r *arrayReader) decompress() (err error) {
	// The kernel allocates only the pages that are written.
	r.decompressed, err = unix.Mmap(-1, 0, int(r.bytes), unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
	if err != nil {
		return err
	}
	if _, err := io.ReadFull(r.stream, r.decompressed); err != nil {
		return err
	}
	return r.expectEnd()
}
