package work

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"

	"tfr-build/internal/store"
	"tfr-build/pipeline/spill"
	"tfr-build/sink"
)

// A DamagedError says that the spill file of a task is damaged or missing: the task must make it
// again.
type DamagedError struct {
	Phase Phase
	Task  int // number of the task
	Path  string
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("the run of %s task %d, %s, is not as it was written", e.Phase, e.Task, e.Path)
}

// Unwrap returns [sink.ErrDiffers].
func (e *DamagedError) Unwrap() error { return sink.ErrDiffers }

// A spillFile is the spill file that a task is writing. It has no name until Finish.
type spillFile struct {
	directory *Directory
	phase     Phase
	task      int
	name      string
	f         store.LocalFile
	size      atomic.Int64
}

// CreateSpillFile creates the spill file of a task. If two processes run the task, their files have
// the same rows at other offsets; the note refers to one of them.
func (f *Directory) CreateSpillFile(ph Phase, task int) (spill.NewFile, error) {
	file, err := f.writer.create(f.temp())
	if err != nil {
		return nil, err
	}
	name := path.Join(runsName, fmt.Sprintf("%s-%s", ph.task(task), f.attempt))
	return &spillFile{directory: f, phase: ph, task: task, name: name, f: file}, nil
}

// WriteAt implements io.WriterAt. Several goroutines may call it.
func (r *spillFile) WriteAt(p []byte, off int64) (int, error) {
	n, err := r.f.WriteAt(p, off)
	for end := off + int64(n); ; {
		if size := r.size.Load(); end <= size || r.size.CompareAndSwap(size, end) {
			return n, sink.WrapErrorAt("writing", r.f.Name(), off, err)
		}
	}
}

// ReadAt implements io.ReaderAt.
func (r *spillFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.f.ReadAt(p, off)
	return n, readError(r.f.Name(), off, err)
}

func readError(path string, off int64, err error) error {
	if err == nil || err == io.EOF {
		return err
	}
	return sink.WrapErrorAt("reading", path, off, err)
}

// Differs returns the error of a spill file that does not have the written content.
func (r *spillFile) Differs() error { return &DamagedError{r.phase, r.task, r.f.Name()} }

// Size returns the size of the spill file in bytes.
func (r *spillFile) Size() int64 { return r.size.Load() }

// Finish gives the spill file its name, and returns it.
func (r *spillFile) Finish() (name string, err error) {
	r.directory.open.forget(r.name) // the file that has the name may be open, and damaged
	return r.name, r.directory.writer.finish(r.f, r.Size(), r.name)
}

// Discard removes a spill file that is not finished.
func (r *spillFile) Discard() { r.directory.writer.discard(r.f) }

// A finishedSpillFile is the spill file of a task that is done.
type finishedSpillFile struct {
	directory *Directory
	phase     Phase
	task      int
	name      string
}

// SpillFile returns the spill file of a task, by the name in its note.
func (f *Directory) SpillFile(ph Phase, task int, name string) spill.File {
	return &finishedSpillFile{f, ph, task, name}
}

// ReadAt implements io.ReaderAt. If the file is missing, was replaced, or is a directory, the error is a
// *[DamagedError].
func (r *finishedSpillFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.directory.open.readAt(r.name, p, off)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrChanged) || errors.Is(err, syscall.EISDIR) {
		return 0, r.Differs()
	}
	return n, readError(r.directory.at(r.name), off, err)
}

// RemoveSpillFiles removes the finished spill files of phases.
func (f *Directory) RemoveSpillFiles(phases ...Phase) error {
	names, err := f.List(runsName)
	if err != nil {
		return err
	}
	for _, name := range names {
		if phase, _, _ := strings.Cut(name, "-"); !slices.Contains(phases, Phase(phase)) {
			continue
		}
		name = path.Join(runsName, name)
		f.open.forget(name)
		if err := f.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// WriteAt returns an error: the file is finished.
func (r *finishedSpillFile) WriteAt([]byte, int64) (int, error) { return 0, fs.ErrPermission }

// Differs returns the error of a spill file that does not have the written content.
func (r *finishedSpillFile) Differs() error {
	return &DamagedError{r.phase, r.task, r.directory.at(r.name)}
}
