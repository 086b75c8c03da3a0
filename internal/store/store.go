package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"

	"tfr-build/internal/vfs"
)

// A Reader is a store of files that can be read. Names are paths, or URLs of one scheme. Errors
// are *fs.PathError; a file that does not exist is fs.ErrNotExist. A Reader may be used by
// several goroutines.
type Reader interface {
	// Open opens a regular file as it is now. It never waits for a pipe or a device.
	Open(name string) (File, error)
	// Stat describes a file or directory; it follows links.
	Stat(name string) (fs.FileInfo, error)
	// ReadDir lists a directory, sorted by name.
	ReadDir(name string) ([]fs.DirEntry, error)
}

// A File is a file that is open for reading. Read may be called by one goroutine at a time, ReadAt
// by several. If the file is replaced while it is open, a store may return [ErrChanged]. File is an
// alias, because dataset.StoreFile is the same type: other modules have stores, too.
type File = interface {
	io.Reader
	io.ReaderAt
	io.Closer
	// Name returns the name the file was opened by.
	Name() string
	// Stat describes the file as it was opened.
	Stat() (fs.FileInfo, error)
}

// The following interfaces are capabilities: a [Reader] or a [File] may have them, and [Storage] and
// the functions of this package ask for them.

// A Lister lists many directories at once.
type Lister interface {
	// List calls visit with each file whose name begins with prefix, in byte order of the
	// names. The first error of visit ends it and is returned as it is.
	List(ctx context.Context, prefix string, visit func(name string, info fs.FileInfo) error) error
}

// A Getter reads a small file in one step.
type Getter interface {
	// Get returns a file of at most limit bytes, as it is now. A larger one is a *LargeError.
	Get(ctx context.Context, name string, limit int64) ([]byte, fs.FileInfo, error)
}

// A VersionOpener opens a file that was listed without looking at it again.
type VersionOpener interface {
	// OpenVersion opens a file if it is that version, or returns a file that is ErrChanged
	// when it is read. What it reads ends with ctx.
	OpenVersion(ctx context.Context, name string, version Version) (File, error)
}

// A Renamer is a store with directories that are renamed in one step: what is complete elsewhere
// appears under its name at once.
type Renamer interface {
	Rename(old, new string) error
}

// A Linker is a store with symbolic links.
type Linker interface {
	Symlink(target, name string) error
	Readlink(name string) (string, error)
}

// A Ranger is a File that reads several parts of a range ahead.
type Ranger interface {
	// Range reads n bytes from off on.
	Range(off, n int64) io.ReadCloser
}

// A Cooler is a File that can be read from the device instead of from memory.
type Cooler interface {
	// Sync makes the bytes of the file durable; DropCache then frees the memory they are in.
	Sync() error
	DropCache() error
}

// ErrChanged is the error of reading a file that changed after it was listed.
var ErrChanged = errors.New("the file is not the one that was listed")

// ErrNotRegular is the error of reading a directory, a pipe, a device, or a socket.
var ErrNotRegular = vfs.ErrNotRegular

// A LargeError says that a file is larger than the limit.
type LargeError struct{ Size int64 }

func (e *LargeError) Error() string { return "the file is larger than the limit" }

// A Version tells a file from other files that had its name.
type Version struct {
	Size    int64
	ModTime int64  // nanoseconds since 1970; 0 if there is an ETag
	ETag    string // of an object; else empty
}

// VersionOf returns the version that info describes.
func VersionOf(info fs.FileInfo) Version {
	if o, ok := info.(interface{ ETag() string }); ok {
		return Version{Size: info.Size(), ETag: o.ETag()}
	}
	return Version{Size: info.Size(), ModTime: info.ModTime().UnixNano()}
}

// Cause returns what err is about, without the operation and the name.
func Cause(err error) error { return vfs.Cause(err) }

// ReadFile returns the content of a file.
func ReadFile(r Reader, name string) ([]byte, error) {
	f, err := r.Open(name)
	if err != nil {
		return nil, err
	}
	data := bytes.NewBuffer(make([]byte, 0, usualSize)) // most files fit, and a read may be a request
	_, err = data.ReadFrom(f)
	return data.Bytes(), cmp.Or(err, f.Close())
}

// usualSize is more than the size of most files that ReadFile reads.
const usualSize = 32 << 10

// Range reads n bytes of a file from off on, with several requests in flight if each takes long.
func Range(f File, off, n int64) io.ReadCloser {
	if r, ok := f.(Ranger); ok {
		return r.Range(off, n)
	}
	return io.NopCloser(io.NewSectionReader(f, off, n))
}

// list is [Lister.List] of a store that lists one directory at a time.
func list(ctx context.Context, r Reader, prefix string, visit func(name string, info fs.FileInfo) error) error {
	dir := prefix[:strings.LastIndexByte(prefix, '/')+1]
	of := strings.TrimSuffix(dir, "/")
	switch dir {
	case "":
		of = "."
	case "/":
		of = "/"
	}
	entries, err := r.ReadDir(of)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(listedAs(a), listedAs(b)) })
	for _, e := range entries {
		name := dir + e.Name()
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case e.IsDir() && strings.HasPrefix(name+"/", prefix):
			err = list(ctx, r, name+"/", visit)
		case !e.IsDir() && strings.HasPrefix(name, prefix):
			var info fs.FileInfo
			if info, err = e.Info(); err == nil {
				err = visit(name, info)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// listedAs returns how the files of an entry begin, by which a listing is sorted.
func listedAs(e fs.DirEntry) string {
	if e.IsDir() {
		return e.Name() + "/"
	}
	return e.Name()
}

// get is [Getter.Get] of a store that opens each file.
func get(r Reader, name string, limit int64) ([]byte, fs.FileInfo, error) {
	f, err := r.Open(name)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	var data []byte
	switch {
	case err != nil:
	case info.Size() > limit:
		err = &LargeError{info.Size()}
	default:
		data, err = io.ReadAll(f)
	}
	return data, info, cmp.Or(err, f.Close())
}

// openVersion is [VersionOpener.OpenVersion] of a store that looks at each file it opens.
func openVersion(r Reader, name string, version Version) (File, error) {
	f, err := r.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && VersionOf(info) != version {
		err = &fs.PathError{Op: "open", Path: name, Err: ErrChanged}
	}
	if err != nil {
		_ = f.Close() // the error that matters is in hand
		return nil, err
	}
	return f, nil
}
