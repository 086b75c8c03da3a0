package sink

import (
	"errors"
	"fmt"
	"syscall"

	"tfr-build/internal/store"
)

const errNotDir = syscall.ENOTDIR

// Reasons why an output cannot be used. The error that wraps them names the path.
var (
	// ErrInTheWay means that the output is a file, or a directory with files that are not a
	// dataset of tfr-build.
	ErrInTheWay = errors.New("holds something that is not a dataset of tfr-build")
	// ErrDataset means that a dataset already exists at the output and may not be replaced.
	ErrDataset = errors.New("holds a dataset already")
	// ErrUnknownFile means that the existing dataset contains a file that its manifest does not
	// list. Replacing the dataset would lose that file.
	ErrUnknownFile = errors.New("move it away, it would be lost")
	// ErrNotOwned means that something that tfr-build did not make has the name of a sidecar
	// file, a version, or the link to a version.
	ErrNotOwned = errors.New("is not a file by tfr-build")
	// ErrUnknownStage means that tfr-build did not make the staging directory, the directory in the
	// scratch directory, or the job object in a bucket.
	ErrUnknownStage = errors.New("was not made by tfr-build")
	// ErrMountPoint means that the output is the mount point of a file system.
	ErrMountPoint = errors.New("is a mount point, which cannot be renamed; name a directory below it")
	// ErrName means that a path cannot name an output, or that a name cannot be the name of a
	// file in a dataset.
	ErrName = errors.New("cannot be used as a name here")
)

// ErrDiffers means that the bytes that were read back are not the bytes that were written.
var ErrDiffers = errors.New("read back, the bytes differ from those written")

// A pathError is a path that cannot be used, and the reason.
type pathError struct {
	path string
	err  error
}

func (e *pathError) Error() string { return e.path + " " + e.err.Error() }
func (e *pathError) Unwrap() error { return e.err }

// An OutputError is a failed operation of the file system or the store on a file that the build
// reads back, writes, or removes.
type OutputError struct {
	Op     string // for example "writing" or "renaming"
	Path   string
	Offset int64 // start of the read or write in bytes; -1 without an offset
	Err    error // usually a syscall.Errno
}

// Error returns the operation, the path, the offset if there is one, and the reason.
func (e *OutputError) Error() string {
	at := ""
	if e.Offset >= 0 {
		at = fmt.Sprintf(" at byte %d", e.Offset)
	}
	text := e.Op + " " + e.Path + at + ": " + e.Err.Error()
	if errors.Is(e.Err, syscall.EXDEV) {
		text += " (the file system does not rename it to or from the staging directory next to it)"
	}
	return text
}

// Unwrap returns the reason.
func (e *OutputError) Unwrap() error { return e.Err }

// A LockedError means that another run works on the output.
type LockedError struct {
	Path string // of the lock file
	Host string // of the run that has the lock; empty if unknown
	PID  int
}

// Error names the process that has the lock, if it is known.
func (e *LockedError) Error() string {
	if e.PID == 0 {
		return e.Path + " is locked by another run"
	}
	return fmt.Sprintf("%s is locked by process %d on %s", e.Path, e.PID, e.Host)
}

// wrapError returns err as an *OutputError, or nil if err is nil.
func wrapError(op, path string, err error) error { return WrapErrorAt(op, path, -1, err) }

// WrapErrorAt is wrapError for a read or write at an offset.
func WrapErrorAt(op, path string, off int64, err error) error {
	if err == nil {
		return nil
	}
	return &OutputError{Op: op, Path: path, Offset: off, Err: store.Cause(err)}
}
