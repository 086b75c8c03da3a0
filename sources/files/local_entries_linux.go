package files

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// direntBytes is how much of a directory one call reads.
const direntBytes = 8 << 10

// eachEntry calls visit with the name of each entry of the open directory fd and its type, as in
// unix.Stat_t.Mode. The names share memory. The system returns entries of this form:
//
//	inode 8 │ offset 8 │ length of the entry 2 │ type 1 │ name │ 0 …
func eachEntry(fd int, visit func(name string, mode uint32)) error {
	const length, kind, start = 16, 18, 19
	var raw [direntBytes]byte
	for {
		n, err := unix.Getdents(fd, raw[:])
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return err
		case n == 0:
			return nil
		}
		buf := raw[:n]
		names := string(buf)
		for at, next := 0, 0; at < n; at = next {
			next = at + int(binary.NativeEndian.Uint16(buf[at+length:]))
			from := at + start
			name := names[from : from+bytes.IndexByte(buf[from:next], 0)]
			if name == "." || name == ".." {
				continue
			}
			mode := uint32(buf[at+kind]) << 12
			if mode == 0 { // some file systems do not store types in directories
				if mode, err = entryMode(fd, name); err != nil {
					return err
				}
			}
			if mode != 0 {
				visit(name, mode)
			}
		}
	}
}
