package sink

import (
	"errors"
	"fmt"
	"syscall"

	"tfr-build/internal/store"
)

const errNotDir = syscall.ENOTDIR

// Why an output cannot be used. The error around it names the path.
var (
	// ErrInTheWay says that the output is a file, or a folder with files that
	// are no dataset of tfr-build.
	ErrInTheWay = errors.New("holds something that is not a dataset of tfr-build")
	// ErrDataset says that there is a dataset where another one is to come,
	// and that nobody asked to overwrite it.
	ErrDataset = errors.New("holds a dataset already")
	// ErrStranger says that the dataset to be overwritten holds a file that is
	// not its own, and would be lost.
	ErrStranger = errors.New("move it away, it would be lost")
	// ErrNotOurs says that there is something else where a file beside the dataset
	// is to come.
	ErrNotOurs = errors.New("is not a file by tfr-build")
	// ErrForeign says that the staging folder beside the output, or in the
	// scratch folder, was not made by tfr-build.
	ErrForeign = errors.New("was not made by tfr-build")
	// ErrMountPoint says that a file system is mounted at the output.
	ErrMountPoint = errors.New("is a mount point, which cannot be renamed; name a folder below it")
	// ErrName says that a path cannot name an output, or that a file name
	// cannot be one of a dataset.
	ErrName = errors.New("cannot be used as a name here")
)

// ErrDiffers says that a file, read back, is not what was written to it.
var ErrDiffers = errors.New("read back, the bytes differ from those written")

// A placeError says which path cannot be used, and why.
type placeError struct {
	path string
	err  error
}

func (e *placeError) Error() string { return e.path + " " + e.err.Error() }
func (e *placeError) Unwrap() error { return e.err }

// An OutputError says that the file system refused an operation on the output
// or on a file on the way to it.
type OutputError struct {
	Op     string // what was done: "writing", "renaming"
	Path   string
	Offset int64 // the byte at which a read or write began, or -1
	Err    error // most often a syscall.Errno
}

// Error says what could not be done where, and why.
func (e *OutputError) Error() string {
	at := ""
	if e.Offset >= 0 {
		at = fmt.Sprintf(" at byte %d", e.Offset)
	}
	text := e.Op + " " + e.Path + at + ": " + e.Err.Error()
	if errors.Is(e.Err, syscall.EXDEV) {
		text += " (the file system does not rename it to or from the staging folder beside it)"
	}
	return text
}

// Unwrap returns the cause.
func (e *OutputError) Unwrap() error { return e.Err }

// A LockedError says that another run works on the output.
type LockedError struct {
	Path string // the lock
	Host string // of the holder, empty where it has not said yet
	PID  int
}

// Error names the holder.
func (e *LockedError) Error() string {
	if e.PID == 0 {
		return e.Path + " is held by another run"
	}
	return fmt.Sprintf("%s is held by process %d on %s", e.Path, e.PID, e.Host)
}

// fault makes an OutputError of err, and nothing of nil.
func fault(op, path string, err error) error { return faultAt(op, path, -1, err) }

func faultAt(op, path string, off int64, err error) error {
	if err == nil {
		return nil
	}
	return &OutputError{Op: op, Path: path, Offset: off, Err: store.Cause(err)}
}
