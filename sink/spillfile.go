package sink

import (
	"cmp"
	"io"
	"path/filepath"
	"sync"

	"tfr-build/internal/store"
)

// A SpillFile contains raw rows. Several goroutines may write and read it at
// any offset. It is removed at the end and never published. The caller needs digests of its own
// to detect damage.
type SpillFile struct {
	files *files
	f     store.LocalFile

	mu   sync.Mutex
	size int64
}

func newSpillFile(fl *files, f store.LocalFile, temporary bool) *SpillFile {
	fl.trackOpen(f, temporary)
	return &SpillFile{files: fl, f: f}
}

// WriteAt writes like io.WriterAt. Errors are *OutputError.
func (r *SpillFile) WriteAt(b []byte, off int64) (int, error) {
	n, err := r.f.WriteAt(b, off)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.size = max(r.size, off+int64(n))
	return n, wrapErrorAt("writing", r.f.Name(), off, err)
}

func (r *SpillFile) sum() Sum { return Sum{Name: filepath.Base(r.f.Name()), Bytes: r.Size()} }

// ReadAt reads like io.ReaderAt. Errors are io.EOF or *OutputError.
func (r *SpillFile) ReadAt(b []byte, off int64) (int, error) {
	n, err := r.f.ReadAt(b, off)
	if err == io.EOF {
		return n, io.EOF
	}
	return n, wrapErrorAt("reading", r.f.Name(), off, err)
}

// Differs returns the error for a spill file whose bytes have changed.
func (r *SpillFile) Differs() error { return wrapError("reading back", r.f.Name(), ErrDiffers) }

// Size returns the size of the spill file in bytes.
func (r *SpillFile) Size() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.size
}

// Remove removes the spill file and frees its space.
func (r *SpillFile) Remove() error {
	err := r.close()
	return cmp.Or(err, wrapError("removing", r.f.Name(), r.files.disk.fs.Remove(r.f.Name())))
}

func (r *SpillFile) close() error {
	r.files.forgetOpen(r.f)
	r.files.forgetTemp(r.f.Name())
	return wrapError("closing", r.f.Name(), r.f.Close())
}
