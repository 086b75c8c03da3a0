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

	"tfr-build/internal/store"
)

// Adopt makes a finished file of another dataset a file of this one, with its bytes unchanged: as a hard link, or as a
// copy that a bucket makes itself, which has the CRC-32C of the sum. Where neither is possible, it reads and writes the
// bytes, and compares them with the digest. sum has the new name, and from is the path or URL of the file. moved
// reports that the bytes were read and written.
func (s *Stage) Adopt(ctx context.Context, sum Sum, from string, digest Digest) (moved bool, err error) {
	if err := s.files.reserveName(sum.Name); err != nil {
		return false, err
	}
	etag, moved, err := s.location.target.adopt(ctx, s.files, &sum, from, digest)
	if err == nil {
		s.files.markComplete(sum.Name, etag != "")
	}
	return moved, err
}

func (f directory) adopt(
	ctx context.Context, fl *files, sum *Sum, from string, digest Digest,
) (etag string, moved bool, err error) {
	dir, err := fl.makeParents(fl.dir, sum.Name)
	if err != nil {
		return "", false, err
	}
	to := filepath.Join(dir, path.Base(sum.Name))
	linked, err := f.disk.link(from, to, sum.Bytes)
	if err == nil && !linked {
		err = f.disk.copy(ctx, from, to, sum, digest)
	}
	return "", !linked, err
}

// adopt finds out first whether a stopped run has made the file.
func (p *prefix) adopt(
	ctx context.Context, fl *files, sum *Sum, from string, digest Digest,
) (etag string, moved bool, err error) {
	if seen := p.listed[sum.Name]; seen != nil {
		line := &FinishedShard{Sum: *sum}
		if differs, err := compareObject(ctx, p, line, seen); differs == nil || err != nil {
			return line.ETag, false, err
		}
	}
	etag, err = p.write(ctx, sum, func(url string, cond store.Condition) (string, error) {
		return p.storage.Copy(ctx, url, from, sum.Bytes, sum.CRC32C, cond)
	})
	if err == nil {
		p.recordUpload(sum, etag)
	}
	if !errors.Is(err, errors.ErrUnsupported) {
		return etag, false, err
	}
	dir, err := fl.makeParents(fl.dir, sum.Name)
	if err == nil {
		err = p.disk.copy(ctx, from, filepath.Join(dir, path.Base(sum.Name)), sum, digest)
	}
	if err == nil {
		etag, err = p.upload(ctx, sum)
	}
	return etag, true, err
}

// link gives a file of so many bytes another name. A name that a stopped run left is replaced. linked is false if the
// file system cannot link.
func (d *Disk) link(from, to string, bytes int64) (linked bool, err error) {
	info, err := d.fs.Lstat(from)
	switch {
	case err != nil:
		return false, wrapError("inspecting", from, err)
	case !info.Mode().IsRegular() || info.Size() != bytes:
		return false, wrapError("reading", from, fmt.Errorf("%w: found %d bytes, expected %d", ErrDiffers, info.Size(),
			bytes))
	}
	err = d.fs.Link(from, to)
	if errors.Is(err, fs.ErrExist) {
		if err := d.removeAll(to); err != nil {
			return false, err
		}
		err = d.fs.Link(from, to)
	}
	// link(2): another file system; one without hard links, or a file of another owner; 65,000 links on ext4.
	for _, cannot := range []error{syscall.EXDEV, syscall.EPERM, syscall.EMLINK, syscall.ENOTSUP, syscall.ENOSYS,
		errors.ErrUnsupported} {
		if errors.Is(err, cannot) {
			return false, nil
		}
	}
	return err == nil, wrapError("linking", from, err)
}

// copy copies a file, and compares it with its sum.
func (d *Disk) copy(ctx context.Context, from, to string, sum *Sum, digest Digest) error {
	f, err := d.storage.Open(from)
	if err != nil {
		return wrapError("opening", from, err)
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
