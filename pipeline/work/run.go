package work

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"sync/atomic"

	"tfr-build/internal/bucket"
	"tfr-build/internal/store"
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
	f      store.LocalFile
	size   atomic.Int64
}

// CreateRun begins the run of a scan task. Another process that makes the same run
// makes another file: which bytes are where differs, so a note tells of one of them.
func (f *Folder) CreateRun(scan int) (*Run, error) {
	file, err := f.store.create(f.temp())
	if err != nil {
		return nil, err
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
	return r.name, r.folder.store.name(r.f, r.Size(), r.name)
}

// Discard removes a run that was not finished.
func (r *Run) Discard() { r.folder.store.discard(r.f) }

// A FinishedRun is the run of a scan task, to be read.
type FinishedRun struct {
	folder *Folder
	scan   int
	name   string
}

// Run is the finished run of a scan task.
func (f *Folder) Run(scan int, name string) *FinishedRun { return &FinishedRun{f, scan, name} }

// ReadAt reads as io.ReaderAt does.
func (r *FinishedRun) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.folder.store.readAt(r.name, p, off)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, bucket.ErrChanged):
		return 0, r.Differs()
	case err != nil && err != io.EOF:
		err = fmt.Errorf("reading %s: %w", r.folder.at(r.name), store.Cause(err))
	}
	return n, err
}

// WriteAt refuses to change what is finished.
func (r *FinishedRun) WriteAt([]byte, int64) (int, error) { return 0, fs.ErrPermission }

// Differs is the error of a run that is not as it was written.
func (r *FinishedRun) Differs() error { return &DamagedError{r.scan, r.folder.at(r.name)} }
