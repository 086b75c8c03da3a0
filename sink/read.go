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

// openRegular opens a file for reading, and returns its size. A link or a pipe is
// errNotRegular: links are not followed, and pipes are not waited for.
func openRegular(fsys store.Local, name string) (f store.LocalFile, size int64, err error) {
	info, err := fsys.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		return nil, 0, wrapError("opening", name, err)
	}
	f, err = fsys.OpenFile(name)
	return f, info.Size(), wrapError("opening", name, err)
}

// checkDirectory returns an error if name is not a directory. A link to a directory is an
// error, too.
func (d *Disk) checkDirectory(name string) error {
	info, err := d.fs.Lstat(name)
	if err == nil && !info.IsDir() {
		err = errNotDir
	}
	return wrapError("opening", name, err)
}

var errNotRegular = errors.New("it is not a regular file")

// readHead returns the first bytes of a file, at most so many, and its size. It returns nil if the file does not exist
// or is not a regular file.
func readHead(fsys store.Local, name string, most int64) (head []byte, size int64, err error) {
	f, size, err := openRegular(fsys, name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotRegular) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	head, err = io.ReadAll(io.LimitReader(f, most))
	return head, size, wrapError("reading", name, cmp.Or(err, f.Close()))
}

// readSmall returns the bytes of a file. It returns nil if the file does not exist, is not a
// regular file, or has more than most bytes.
func readSmall(fsys store.Local, name string, most int64) ([]byte, error) {
	data, size, err := readHead(fsys, name, most)
	if size > most {
		return nil, err
	}
	return data, err
}

// compareFile reads a file, copies its bytes to w, and compares them with the sum.
func (d *Disk) compareFile(ctx context.Context, name string, expected *Sum, digest Digest, w io.Writer) error {
	f, err := d.openExpected(name, expected)
	if err != nil {
		return err
	}
	err = d.compareOpenFile(ctx, f, expected, digest, w)
	return cmp.Or(err, wrapError("closing", name, f.Close()))
}

// openExpected opens a file, which must have the size in its sum.
func (d *Disk) openExpected(name string, expected *Sum) (store.LocalFile, error) {
	f, size, err := openRegular(d.fs, name)
	if err == nil && size != expected.Bytes {
		f.Close() // no byte was read
		err = wrapError("reading back", name, ErrDiffers)
	}
	return f, err
}

// compareOpenFile reads a file from its start, copies its bytes to w, and compares them with
// the sum.
func (d *Disk) compareOpenFile(
	ctx context.Context, f store.LocalFile, expected *Sum, digest Digest, w io.Writer,
) error {
	buf, err := d.readers.acquire(ctx)
	if err != nil {
		return err
	}
	defer d.readers.release(buf)
	if d.cold {
		_ = f.DropCache() // only a hint
	}
	crc, sum := crc32c.Sum(0), digest.New()
	n, err := io.CopyBuffer(io.MultiWriter(w, &crc, sum), contextReader{ctx, f}, buf)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil && (n != expected.Bytes || uint32(crc) != expected.CRC32C ||
		hex.EncodeToString(sum.Sum(nil)) != expected.Digest):
		err = ErrDiffers
	}
	return wrapError("reading back", f.Name(), err)
}

// A contextReader reads until its context ends.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (w contextReader) Read(p []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, context.Cause(w.ctx)
	}
	return w.r.Read(p)
}
