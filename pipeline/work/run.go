package work

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"sync/atomic"

	"tfr-build/internal/vfs"
)

// A DamagedError says that the run of a scan task is not as it was written, or gone: it
// is to be made again.
type DamagedError struct {
	Scan int // the task
	Path string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("the run of scan task %d, %s, is not as it was written", e.Scan, e.Path)
}

// A Run is the run of a scan task in the making. It is a file that has no name until
// Finish gives it one.
type Run struct {
	folder *Folder
	scan   int
	name   string
	f      vfs.File
	size   atomic.Int64
}

// CreateRun begins the run of a scan task. Another process that makes the same run
// makes another file: which bytes are where differs, so a note tells of one of them.
func (f *Folder) CreateRun(scan int) (*Run, error) {
	temp := f.temp()
	file, err := f.fs.Create(temp)
	if err != nil {
		return nil, writeError(temp, err)
	}
	return &Run{folder: f, scan: scan, name: path.Join(runsName, fmt.Sprintf("%d-%s", scan, f.attempt)), f: file}, nil
}

// WriteAt writes as io.WriterAt does.
func (r *Run) WriteAt(p []byte, off int64) (int, error) {
	n, err := r.f.WriteAt(p, off)
	for end := off + int64(n); ; {
		if size := r.size.Load(); end <= size || r.size.CompareAndSwap(size, end) {
			return n, writeError(r.f.Name(), err)
		}
	}
}

// ReadAt reads as io.ReaderAt does.
func (r *Run) ReadAt(p []byte, off int64) (int, error) { return r.f.ReadAt(p, off) }

// Differs is the error of a run that is not as it was written.
func (r *Run) Differs() error { return &DamagedError{r.scan, r.f.Name()} }

// Size is how many bytes the run has.
func (r *Run) Size() int64 { return r.size.Load() }

// Finish gives the run its name, and tells it.
func (r *Run) Finish() (name string, err error) {
	f := r.folder
	if f.sync {
		err = r.f.Sync()
	}
	temp := r.f.Name()
	if err = writeError(temp, cmp.Or(err, r.f.Close())); err == nil {
		err = writeError(f.at(r.name), f.fs.Rename(temp, f.at(r.name)))
	}
	if err != nil {
		_ = f.fs.Remove(temp) // the error that matters is in hand
		return "", err
	}
	return r.name, f.syncDirs(f.at(runsName))
}

// Discard removes a run that was not finished.
func (r *Run) Discard() {
	_ = r.f.Close() // an error is in hand
	_ = r.folder.fs.Remove(r.f.Name())
}

// A FinishedRun is the run of a scan task, to be read. It is opened for each reading:
// there may be more runs than files that a process may have open.
type FinishedRun struct {
	folder *Folder
	scan   int
	name   string
}

// Run is the finished run of a scan task.
func (f *Folder) Run(scan int, name string) *FinishedRun { return &FinishedRun{f, scan, name} }

// ReadAt reads as io.ReaderAt does.
func (r *FinishedRun) ReadAt(p []byte, off int64) (n int, err error) {
	file, err := r.folder.fs.Open(r.folder.at(r.name))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, r.Differs()
	}
	if err == nil {
		n, err = file.ReadAt(p, off)
		if closed := file.Close(); err == nil {
			err = closed
		}
	}
	if err != nil && err != io.EOF {
		err = fmt.Errorf("reading %s: %w", r.folder.at(r.name), vfs.Cause(err))
	}
	return n, err
}

// WriteAt refuses to change what is finished.
func (r *FinishedRun) WriteAt([]byte, int64) (int, error) { return 0, fs.ErrPermission }

// Differs is the error of a run that is not as it was written.
func (r *FinishedRun) Differs() error { return &DamagedError{r.scan, r.folder.at(r.name)} }
