package sink

import (
	"cmp"
	"context"
	"encoding/hex"
	"hash"
	"hash/crc32"
	"io"
	"path/filepath"

	"tfr-build/internal/vfs"
)

// A Run is a spill run, a file of raw rows: written from its start to its end by
// one goroutine, then read by any, then removed. It is never published.
type Run struct {
	files  *files
	f      vfs.File
	size   int64
	crc    uint32
	digest hash.Hash
}

func newRun(fl *files, f vfs.File, temporary bool) *Run {
	fl.opened(f, temporary)
	return &Run{files: fl, f: f, digest: XXH128.New()}
}

// Write appends to the run.
func (r *Run) Write(b []byte) (int, error) {
	n, err := r.f.Write(b)
	err = faultAt("writing", r.f.Name(), r.size, err)
	r.size += int64(n)
	r.crc = crc32.Update(r.crc, castagnoli, b[:n])
	r.digest.Write(b[:n])
	return n, err
}

func (r *Run) sum() Sum {
	return Sum{filepath.Base(r.f.Name()), r.size, r.crc, hex.EncodeToString(r.digest.Sum(nil))}
}

// ReadAt reads from the run as io.ReaderAt does, but that an error of the file
// system is an *OutputError.
func (r *Run) ReadAt(b []byte, off int64) (int, error) {
	n, err := r.f.ReadAt(b, off)
	if err == io.EOF {
		return n, io.EOF
	}
	return n, faultAt("reading", r.f.Name(), off, err)
}

// ReadWhole reads the run into b, which is as long as it, and compares it with
// what was written.
func (r *Run) ReadWhole(b []byte) error {
	if _, err := r.ReadAt(b, 0); err != nil && err != io.EOF {
		return err
	}
	if crc32.Checksum(b, castagnoli) != r.crc {
		return fault("reading back", r.f.Name(), ErrDiffers)
	}
	return nil
}

// Check compares the run with what was written.
func (r *Run) Check() error {
	buf, err := r.files.disk.readers.take(context.Background()) // who holds one waits for nobody
	if err != nil {
		return err
	}
	defer r.files.disk.readers.give(buf)
	sum := crc32.New(castagnoli)
	n, err := io.CopyBuffer(sum, io.NewSectionReader(r, 0, r.size), buf)
	if err == nil && (n != r.size || sum.Sum32() != r.crc) {
		err = fault("reading back", r.f.Name(), ErrDiffers)
	}
	return err
}

// Size returns how many bytes were written.
func (r *Run) Size() int64 { return r.size }

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
