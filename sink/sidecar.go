package sink

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"syscall"

	"tfr-build/internal/store"
)

// A Sidecar is a file that is next to the dataset instead of in it, and is replaced with
// it.
type Sidecar struct {
	Path string
	What string // type of the file for messages, such as "a file of rejects"
	// IsOwn reports from the first 64 KiB of a file whether the file has this type, so that it
	// may be replaced.
	IsOwn func(head []byte) bool
}

// A notOwnedError is an [ErrNotOwned] with a description of the expected file.
type notOwnedError string

func (what notOwnedError) Error() string { return "is not " + string(what) + " by tfr-build" }

func (notOwnedError) Is(target error) bool { return target == ErrNotOwned }

// sidecarHeadSize is the number of bytes that Sidecar.IsOwn gets.
const sidecarHeadSize = 64 << 10

// Check reports whether a file exists at Path. An empty file and a file of the same type may be
// replaced. For anything else, the error is [ErrNotOwned].
func (b *Sidecar) Check(storage *store.Storage) (exists bool, err error) {
	info, err := storage.Lstat(b.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, wrapError("inspecting", b.Path, err)
	case !info.Mode().IsRegular():
		return true, &pathError{b.Path, notOwnedError(b.What)}
	}
	f, err := storage.Open(b.Path)
	if err != nil {
		return true, wrapError("opening", b.Path, err)
	}
	head, err := io.ReadAll(io.LimitReader(f, sidecarHeadSize))
	if err = cmp.Or(err, f.Close()); err != nil {
		return true, wrapError("reading", b.Path, err)
	}
	if len(head) > 0 && !b.IsOwn(head) {
		return true, &pathError{b.Path, notOwnedError(b.What)}
	}
	return true, nil
}

// RemoveSidecar removes the sidecar file of an earlier run, durably. It leaves other files
// alone, and ignores a name that is too long for the file system.
func (s *Stage) RemoveSidecar(b *Sidecar) error {
	if _, err := b.removeTemp(s.location); err != nil {
		return err
	}
	return b.remove(s.disk)
}

func (b *Sidecar) remove(d *Disk) error {
	exists, err := b.Check(d.storage)
	if errors.Is(err, ErrNotOwned) || errors.Is(err, syscall.ENAMETOOLONG) || err == nil && !exists {
		return nil
	}
	if err != nil {
		return err
	}
	if err := wrapError("removing", b.Path, d.storage.Remove(b.Path)); err != nil {
		return err
	}
	return d.SyncDirs(store.Dir(b.Path))
}

// ReplaceSidecar replaces the sidecar file by the bytes that write writes, in one step and
// durably, after reading them back.
func (s *Stage) ReplaceSidecar(ctx context.Context, b *Sidecar, write func(w io.Writer) error) error {
	if _, err := b.Check(s.disk.storage); err != nil {
		return err
	}
	dir := store.Dir(b.Path)
	if err := s.disk.MkdirAll(dir); err != nil {
		return err
	}
	temp, err := b.removeTemp(s.location)
	if err != nil {
		return err
	}
	err = s.disk.replaceFile(ctx, temp, b.Path, func(w io.Writer) error {
		buffered := bufio.NewWriterSize(w, chunkSize)
		if err := write(buffered); err != nil {
			return err
		}
		return buffered.Flush()
	})
	if err != nil {
		return err
	}
	return s.disk.SyncDirs(dir, filepath.Dir(temp))
}

// tempSidecar is the name of a file in rejects/ that no shard can have.
const tempSidecar = ".all.tmp"

// tempPath returns the path of the file until it is complete. The path is in the staging
// directory if that is next to the sidecar file. Otherwise it is next to the sidecar file,
// which may be on another file system. Then its name includes a digest of the output's path: a
// file with this name was left by a stopped run for this output.
func (b *Sidecar) tempPath(loc *location) (string, error) {
	dir, base := store.Dir(b.Path), store.Base(b.Path)
	if dir == store.Dir(loc.output) {
		return filepath.Join(loc.inStaging(rejectsName), tempSidecar), nil
	}
	digest, err := loc.pathDigest()
	return filepath.Join(dir, wrapName(".", base, "-"+digest+".tmp")), err
}

// removeTemp removes the temporary file that a stopped run left, and returns its path.
func (b *Sidecar) removeTemp(loc *location) (temp string, err error) {
	if temp, err = b.tempPath(loc); err != nil {
		return temp, err
	}
	if err = loc.disk.fs.Remove(temp); errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNotDir) {
		err = nil
	}
	return temp, wrapError("removing", temp, err)
}
