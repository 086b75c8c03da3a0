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

// patience is how long a write may hold its processor: the scheduler takes it from
// any goroutine after that.
const patience = 10 * time.Millisecond

// writing is how WriteAt writes a file.
//
// The scheduler takes a thread that is in the system for some 20 µs to be waiting,
// and wakes another in its place. Copying half a megabyte into the page cache takes
// longer and waits for nothing: the other finds nothing to do, or finds the writer's
// goroutine and goes on with it beside another worker, on one core of two. With
// writes of which the scheduler is not told 10,000 JPEG files take an eighth less time.
//
// It is told where a write may wait: where the file is not on a disk of this machine,
// and, from the first that took long, where the disk does not keep up.
type writing struct {
	held bool         // the scheduler is not told
	late atomic.Bool  // a write took longer than patience
	open sync.RWMutex // held for reading by who writes: the descriptor stays that of the file
}

// begin has f written without the scheduler where it is on a disk of this machine.
func (w *writing) begin(f *os.File) {
	w.held = onDisk(int(f.Fd()))
	runtime.KeepAlive(f)
}

// onDisk reports whether a file lies in a file system that only the memory and the
// disks of this machine are behind.
func onDisk(fd int) bool {
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

// took says how long a write took.
func (w *writing) took(d time.Duration) {
	if d > patience {
		w.late.Store(true)
	}
}

// WriteAt writes all of data, like that of os.File.
func (f *osFile) WriteAt(data []byte, off int64) (int, error) {
	if !f.held || f.late.Load() || off < 0 {
		return f.File.WriteAt(data, off)
	}
	began := time.Now()
	n, number := f.pwrite(data, off)
	f.took(time.Since(began))
	if number != 0 {
		return n, &fs.PathError{Op: "write", Path: f.Name(), Err: number}
	}
	if n < len(data) { // of a file that is closed, or a system that took no more without an error
		m, err := f.File.WriteAt(data[n:], off+int64(n))
		return n + m, err
	}
	return n, nil
}

// Close closes the file when nobody writes it.
func (f *osFile) Close() error {
	f.open.Lock()
	defer f.open.Unlock()
	return f.File.Close()
}

// pwrite writes data without the scheduler, and nothing of a file that is closed.
func (f *osFile) pwrite(data []byte, off int64) (int, syscall.Errno) {
	f.open.RLock()
	defer f.open.RUnlock()
	if fd := f.Fd(); fd != ^uintptr(0) {
		return pwrite(fd, data, off)
	}
	return 0, 0
}

// pwrite is unix.Pwrite until all of data is written, but that the scheduler is not
// told of it.
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
