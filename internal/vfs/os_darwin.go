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

func startWrite(int, int64, int64) error { return errors.ErrUnsupported }

// dropCache has no call to make: F_NOCACHE concerns what is read from now on and
// keeps what is in memory already.
func dropCache(int) error { return errors.ErrUnsupported }

func free(name string) (int64, error) {
	var st unix.Statfs_t
	if err := retry(func() error { return unix.Statfs(name, &st) }); err != nil {
		return 0, err
	}
	return int64(st.Bavail) * int64(st.Bsize), nil
}

// IsMount compares devices: a folder has that of the folder above it unless
// something is mounted there.
func (osFS) IsMount(name string) (bool, error) { return otherDevice(name) }

// bootID returns a text that changes with each start of the machine, or none.
func bootID() string {
	id, err := unix.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return ""
	}
	return id
}
