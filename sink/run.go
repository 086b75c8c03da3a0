package sink

import (
	"cmp"
	"io"
	"path/filepath"
	"sync"

	"tfr-build/internal/store"
)

// A Run is a spill run, a file of raw rows: written and read at any place by several
// goroutines, then removed. It is never published. Who writes it knows by digests of its
// own whether it is as it was written.
type Run struct {
	files *files
	f     store.LocalFile

	mu   sync.Mutex
	size int64
}

func newRun(fl *files, f store.LocalFile, temporary bool) *Run {
	fl.opened(f, temporary)
	return &Run{files: fl, f: f}
}

// WriteAt writes to the run as io.WriterAt does, but that an error of the file system
// is an *OutputError.
func (r *Run) WriteAt(b []byte, off int64) (int, error) {
	n, err := r.f.WriteAt(b, off)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.size = max(r.size, off+int64(n))
	return n, faultAt("writing", r.f.Name(), off, err)
}

func (r *Run) sum() Sum { return Sum{Name: filepath.Base(r.f.Name()), Bytes: r.Size()} }

// ReadAt reads from the run as io.ReaderAt does, but that an error of the file
// system is an *OutputError.
func (r *Run) ReadAt(b []byte, off int64) (int, error) {
	n, err := r.f.ReadAt(b, off)
	if err == io.EOF {
		return n, io.EOF
	}
	return n, faultAt("reading", r.f.Name(), off, err)
}

// Differs is the error of a run that is not as it was written.
func (r *Run) Differs() error { return fault("reading back", r.f.Name(), ErrDiffers) }

// Size returns how many bytes the run has.
func (r *Run) Size() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.size
}

// Remove removes the run and gives its space back.
func (r *Run) Remove() error {
	err := r.close()
	return cmp.Or(err, fault("removing", r.f.Name(), r.files.disk.fs.Remove(r.f.Name())))
}

func (r *Run) close() error {
	r.files.closing(r.f)
	r.files.gone(r.f.Name())
	return fault("closing", r.f.Name(), r.f.Close())
}
