//go:build amd64 || arm64

package vfs

import (
	"io/fs"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// maxWriteTime is how long a write may occupy its processor. It is the time slice of the
// scheduler for any goroutine.
const maxWriteTime = 10 * time.Millisecond

// A writeMode decides how WriteAt writes a file: with a system call that the scheduler does not
// know of, or as os.File does.
//
// The scheduler treats a thread in a system call as waiting after some 20 µs, and wakes another
// one in its place. Copying half a megabyte into the page cache takes longer, but does not wait.
// So the other thread finds nothing to do, or continues the writer's goroutine in parallel with
// another worker, on one core of two. With direct system calls 10,000 JPEG files take an eighth
// less time.
//
// If a write may wait, the scheduler must know. That is so if the file is not on a local disk. It
// is also so from the first write that took long: the disk is too slow then.
type writeMode struct {
	local bool         // the file is on a local disk
	slow  atomic.Bool  // a write took longer than maxWriteTime
	open  sync.RWMutex // writers lock it for reading, which keeps the file descriptor open
}

// detect decides by the file system of f.
func (w *writeMode) detect(f *os.File) {
	w.local = isLocal(int(f.Fd()))
	runtime.KeepAlive(f)
}

// isLocal reports whether a file is in a file system that uses only the memory and the disks of
// this machine.
func isLocal(fd int) bool {
	var st unix.Statfs_t
	if err := retry(func() error { return unix.Fstatfs(fd, &st) }); err != nil {
		return false
	}
	switch st.Type {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC,
		unix.OVERLAYFS_SUPER_MAGIC, unix.TMPFS_MAGIC:
		return true
	}
	return false
}

// recordTime records how long a write took.
func (w *writeMode) recordTime(d time.Duration) {
	if d > maxWriteTime {
		w.slow.Store(true)
	}
}

// WriteAt writes all of data, as os.File does.
func (f *osFile) WriteAt(data []byte, off int64) (int, error) {
	if !f.local || f.slow.Load() || off < 0 {
		return f.File.WriteAt(data, off)
	}
	began := time.Now()
	n, number := f.pwrite(data, off)
	f.recordTime(time.Since(began))
	if number != 0 {
		return n, &fs.PathError{Op: "write", Path: f.Name(), Err: number}
	}
	if n < len(data) { // the file is closed, or a system call wrote nothing and returned no error
		m, err := f.File.WriteAt(data[n:], off+int64(n))
		return n + m, err
	}
	return n, nil
}

// Close closes the file once no goroutine writes it.
func (f *osFile) Close() error {
	f.open.Lock()
	defer f.open.Unlock()
	return f.File.Close()
}

// pwrite writes data without the scheduler. To a closed file it writes nothing.
func (f *osFile) pwrite(data []byte, off int64) (int, syscall.Errno) {
	f.open.RLock()
	defer f.open.RUnlock()
	if fd := f.Fd(); fd != ^uintptr(0) {
		return pwrite(fd, data, off)
	}
	return 0, 0
}

// pwrite repeats the system call of unix.Pwrite until all of data is written. The scheduler does
// not know of it.
func pwrite(fd uintptr, data []byte, off int64) (n int, _ syscall.Errno) {
	for n < len(data) {
		k, _, number := syscall.RawSyscall6(syscall.SYS_PWRITE64,
			fd, uintptr(unsafe.Pointer(&data[n])), uintptr(len(data)-n), uintptr(off)+uintptr(n), 0, 0)
		switch {
		case number == syscall.EINTR:
		case number != 0 || k == 0:
			return n, number
		default:
			n += int(k)
		}
	}
	return n, 0
}
