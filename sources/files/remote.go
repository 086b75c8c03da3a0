package files

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"tfr-build/internal/store"
)

// remote is the accessor of all stores except the local one. It reads the listed version of a
// file.
type remote struct {
	ctx     context.Context // of the run
	end     context.CancelFunc
	storage *store.Storage
	fetcher *fetcher
}

func newRemote(ctx context.Context, storage *store.Storage) *remote {
	r := &remote{storage: storage}
	r.ctx, r.end = context.WithCancel(ctx)
	r.fetcher = newFetcher(r.readListed)
	return r
}

// below returns the prefix of the names of all files below a directory.
func below(dir string) string {
	if strings.HasSuffix(dir, "/") {
		return dir
	}
	return dir + "/"
}

// fileFrom returns the File that info describes, under a name.
func fileFrom(name string, info fs.FileInfo) File {
	v := store.VersionOf(info)
	return File{Name: name, Size: v.Size, ModTime: v.ModTime, ETag: v.ETag, Regular: info.Mode().IsRegular()}
}

// openListed opens the listed version of a file.
func (r *remote) openListed(ctx context.Context, path string, listed *File) (store.File, error) {
	f, err := r.storage.OpenVersion(ctx, path, store.Version{Size: listed.Size, ModTime: listed.ModTime,
		ETag: listed.ETag})
	return f, remoteError(err)
}

// readListed appends a listed file to buf.
func (r *remote) readListed(buf []byte, path string, listed *File) ([]byte, error) {
	f, err := r.openListed(r.ctx, path, listed)
	if err != nil {
		return buf, err
	}
	defer f.Close()
	n := len(buf)
	buf = slices.Grow(buf, int(listed.Size))[:n+int(listed.Size)]
	if err := readRange(f, buf[n:], 0); err != nil {
		return buf[:n], err
	}
	return buf, nil
}

// readRange fills p with the bytes of a file from off on.
func readRange(f store.File, p []byte, off int64) error {
	if n, err := f.ReadAt(p, off); n < len(p) {
		return remoteError(err)
	}
	return nil
}

// remoteError returns an error of a store without the operation and the path.
func remoteError(err error) error {
	if errors.Is(err, store.ErrChanged) {
		return ErrChanged
	}
	return store.Cause(err)
}

// close cancels the requests in flight. It does not cancel the context of the run.
func (r *remote) close() {
	r.end()
	r.fetcher.close()
}

func (r *remote) stat(name, path string) (File, error) {
	info, err := r.storage.Stat(path)
	switch {
	case err != nil:
		return File{}, remoteError(err)
	case info.IsDir(): // not an object
		return File{}, fs.ErrNotExist
	}
	return fileFrom(name, info), nil
}

func (r *remote) find(path string) Found {
	f := Found{Path: path, ID: FileID{url: path}}
	f.File, f.Err = r.stat("", path)
	return f
}

func (r *remote) each(ctx context.Context, dir string, skip func(path string) bool,
	visit func(path string, f File) error) error {
	return r.storage.List(ctx, below(dir), func(path string, info fs.FileInfo) error {
		if skip(path) {
			return nil
		}
		return visit(path, fileFrom("/"+path[len(below(dir)):], info))
	})
}

func (*remote) appendDirs(list []string, root string, _ int) ([]string, error) {
	return append(list, root), nil
}
