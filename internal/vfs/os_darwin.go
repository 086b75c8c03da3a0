package vfs

import (
	"errors"

	"golang.org/x/sys/unix"
)

func exchange(a, b string) error { return unix.RenamexNp(a, b, unix.RENAME_SWAP) }

func allocate(fd int, size int64) error {
	return unix.FcntlFstore(uintptr(fd), unix.F_PREALLOCATE, &unix.Fstore_t{
		Flags: unix.F_ALLOCATEALL, Posmode: unix.F_PEOFPOSMODE, Length: size,
	})
}

// dropCache is not supported: F_NOCACHE applies to later reads and keeps the pages in memory.
func dropCache(int) error { return errors.ErrUnsupported }

func free(name string) (int64, error) {
	var st unix.Statfs_t
	if err := retry(func() error { return unix.Statfs(name, &st) }); err != nil {
		return 0, err
	}
	return int64(st.Bavail) * int64(st.Bsize), nil
}

// IsMount compares devices: a directory is on another device than its parent only if a file
// system is mounted there.
func (osFS) IsMount(name string) (bool, error) { return otherDevice(name) }
