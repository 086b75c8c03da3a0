package sink

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"

	"tfr-build/internal/crc32c"
	"tfr-build/internal/store"
)

// openRegular opens a file to read it, and tells its size. A link is not
// followed, and a pipe not waited for: they are errNotRegular.
func openRegular(fsys store.Local, name string) (f store.LocalFile, size int64, err error) {
	info, err := fsys.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		return nil, 0, fault("opening", name, err)
	}
	f, err = fsys.OpenFile(name)
	return f, info.Size(), fault("opening", name, err)
}

// isFolder says what keeps a path from being a folder; a link is none.
func (d *disk) isFolder(name string) error {
	info, err := d.fs.Lstat(name)
	if err == nil && !info.IsDir() {
		err = errNotDir
	}
	return fault("opening", name, err)
}

var errNotRegular = errors.New("it is not a regular file")

// readSmall returns the bytes of a file, or nil where there is none, or another
// thing than a file of at most so many bytes.
func readSmall(fsys store.Local, name string, most int64) ([]byte, error) {
	f, size, err := openRegular(fsys, name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotRegular) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var data []byte
	if size <= most {
		data, err = io.ReadAll(io.LimitReader(f, most))
	}
	return data, fault("reading", name, cmp.Or(err, f.Close()))
}

// matches reads a file that has a sum, gives it to w, and compares it.
func (d *disk) matches(ctx context.Context, name string, expected *Sum, digest Digest, w io.Writer) error {
	f, err := d.openSum(name, expected)
	if err != nil {
		return err
	}
	err = d.compare(ctx, f, expected, digest, w)
	return cmp.Or(err, fault("closing", name, f.Close()))
}

// openSum opens a file that is to be as long as its sum says.
func (d *disk) openSum(name string, expected *Sum) (store.LocalFile, error) {
	f, size, err := openRegular(d.fs, name)
	if err == nil && size != expected.Bytes {
		f.Close() // it was not even read
		err = fault("reading back", name, ErrDiffers)
	}
	return f, err
}

// compare reads a file from its start, gives it to w, and compares it with its
// sum.
func (d *disk) compare(ctx context.Context, f store.LocalFile, expected *Sum, digest Digest, w io.Writer) error {
	buf, err := d.readers.take(ctx)
	if err != nil {
		return err
	}
	defer d.readers.give(buf)
	if d.cold {
		_ = f.DropCache() // a hint
	}
	crc, sum := crc32c.Sum(0), digest.New()
	n, err := io.CopyBuffer(io.MultiWriter(w, &crc, sum), whileRunning{ctx, f}, buf)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil && (n != expected.Bytes || uint32(crc) != expected.CRC32C || hex.EncodeToString(sum.Sum(nil)) != expected.Digest):
		err = ErrDiffers
	}
	return fault("reading back", f.Name(), err)
}

// whileRunning reads until its context ends.
type whileRunning struct {
	ctx context.Context
	r   io.Reader
}

func (w whileRunning) Read(p []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, context.Cause(w.ctx)
	}
	return w.r.Read(p)
}
