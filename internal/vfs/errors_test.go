package vfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"
)

func TestCauseOfErrors(t *testing.T) {
	for _, err := range []error{
		syscall.EIO,
		&fs.PathError{Op: "sync", Path: "a", Err: syscall.EIO},
		&os.LinkError{Op: "rename", Old: "a", New: "b", Err: syscall.EIO},
		fmt.Errorf("more: %w", &fs.PathError{Op: "sync", Path: "a", Err: syscall.EIO}),
	} {
		if got := Cause(err); got != syscall.EIO {
			t.Errorf("the cause of %v is %v", err, got)
		}
	}
}

func TestUnsupported(t *testing.T) {
	for err, want := range map[error]bool{
		syscall.EINVAL: true, syscall.ENOTSUP: true, syscall.ENOSYS: true, errors.ErrUnsupported: true,
		&fs.PathError{Op: "sync", Path: "d", Err: syscall.EINVAL}: true,
		syscall.EIO: false, syscall.EXDEV: false, syscall.ENOSPC: false,
	} {
		if got := errors.Is(unsupported(err), errors.ErrUnsupported); got != want {
			t.Errorf("%v: %v", err, got)
		}
	}
}

func TestInterruptedCallsAreRepeated(t *testing.T) {
	n := 0
	err := retry(func() error {
		if n++; n < 3 {
			return syscall.EINTR
		}
		return syscall.EIO
	})
	if n != 3 || err != syscall.EIO {
		t.Errorf("%d calls, %v", n, err)
	}
}
