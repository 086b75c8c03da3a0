package vfs

import (
	"cmp"
	"io/fs"

	"golang.org/x/sys/unix"
)

func exchange(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}

func allocate(fd int, size int64) error {
	return unix.Fallocate(fd, unix.FALLOC_FL_KEEP_SIZE, 0, size)
}

func dropCache(fd int) error { return unix.Fadvise(fd, 0, 0, unix.FADV_DONTNEED) }

func free(name string) (int64, error) {
	var st unix.Statfs_t
	if err := retry(func() error { return unix.Statfs(name, &st) }); err != nil {
		return 0, err
	}
	return int64(st.Bavail) * cmp.Or(st.Frsize, st.Bsize), nil
}

// IsMount asks the kernel, which also knows bind mounts. If the kernel is too old, it compares
// devices.
func (osFS) IsMount(name string) (bool, error) {
	var st unix.Statx_t
	err := retry(func() error {
		return unix.Statx(unix.AT_FDCWD, name, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_TYPE, &st)
	})
	switch {
	case err == nil && st.Attributes_mask&unix.STATX_ATTR_MOUNT_ROOT != 0:
		return st.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0, nil
	case err == nil || err == unix.ENOSYS:
		return otherDevice(name)
	default:
		return false, &fs.PathError{Op: "statx", Path: name, Err: err}
	}
}
