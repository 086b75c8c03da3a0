package sink

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"syscall"
)

// Adopt makes a finished file of another dataset a file of this one, with its bytes unchanged: as a hard link, or
// as a copy where the file system cannot link. Only a copy is compared with the digest. sum has the new name, and from is
// the path of the file. linked is false for a copy.
func (s *Stage) Adopt(ctx context.Context, sum Sum, from string, digest Digest) (linked bool, err error) {
	if err := s.files.reserveName(sum.Name); err != nil {
		return false, err
	}
	dir, err := s.files.makeParents(s.files.dir, sum.Name)
	if err != nil {
		return false, err
	}
	to := filepath.Join(dir, path.Base(sum.Name))
	if linked, err = s.disk.link(from, to, sum.Bytes); err == nil && !linked {
		err = s.disk.copy(ctx, from, to, sum, digest)
	}
	if err == nil {
		s.files.markComplete(sum.Name, false)
	}
	return linked, err
}

// link gives a file of so many bytes another name. A name that a stopped run left is replaced. linked is false if the
// file system cannot link.
func (d *disk) link(from, to string, bytes int64) (linked bool, err error) {
	info, err := d.fs.Lstat(from)
	switch {
	case err != nil:
		return false, wrapError("inspecting", from, err)
	case !info.Mode().IsRegular() || info.Size() != bytes:
		return false, wrapError("reading", from, fmt.Errorf("%w: found %d bytes, expected %d", ErrDiffers, info.Size(), bytes))
	}
	err = d.fs.Link(from, to)
	if errors.Is(err, fs.ErrExist) {
		if err := d.removeAll(to); err != nil {
			return false, err
		}
		err = d.fs.Link(from, to)
	}
	for _, cannot := range []error{syscall.EXDEV, syscall.EPERM, syscall.EMLINK, syscall.ENOTSUP, syscall.ENOSYS,
		errors.ErrUnsupported} {
		if errors.Is(err, cannot) {
			return false, nil
		}
	}
	return err == nil, wrapError("linking to", to, err)
}

// copy copies a file, and compares it with its sum.
func (d *disk) copy(ctx context.Context, from, to string, sum Sum, digest Digest) error {
	f, err := d.openExpected(from, &sum)
	if err != nil {
		return err
	}
	defer f.Close() // no byte was written
	return d.replaceFile(ctx, d.newTempPath(filepath.Dir(to), path.Base(sum.Name)), to, func(w io.Writer) error {
		h := digest.New()
		n, err := io.Copy(io.MultiWriter(w, h), contextReader{ctx, f})
		if err == nil && (n != sum.Bytes || hex.EncodeToString(h.Sum(nil)) != sum.Digest) {
			err = ErrDiffers
		}
		return wrapError("reading", from, err)
	})
}
