package store

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"

	"tfr-build/internal/crc32c"
)

// The following interfaces are capabilities of stores of objects. Only a [Putter] is needed to write
// to a store; [Storage] does without the others.

// A Putter is a store that writes a complete file in one step, or nothing. The write may depend on
// the file it replaces. Its files have ETags: what describes one has a method ETag() string.
type Putter interface {
	// Put writes a file of so many bytes, if the condition holds, and returns its ETag. If the
	// condition does not hold, the error is fs.ErrExist.
	Put(ctx context.Context, name string, from io.ReaderAt, size int64, cond Condition) (etag string, err error)
	// Delete removes files, many at once. If one does not exist, that is not an error.
	Delete(ctx context.Context, names ...string) error
}

// A Condition says what a write may replace. The zero value allows everything.
type Condition struct {
	// Over is the ETag of the file to replace, or [Nothing] if no file may exist.
	Over string
	// Still is called before a store repeats an attempt, since time has passed. Its error ends
	// the attempts and is returned as it is. It may be nil.
	Still func(ctx context.Context) error
}

// Nothing is the value of [Condition.Over] for a file that must not exist.
const Nothing = "*"

// A Describer describes a file without looking for a directory of its name.
type Describer interface {
	// Describe describes a file. A directory is fs.ErrNotExist.
	Describe(ctx context.Context, name string) (fs.FileInfo, error)
}

// A Comparer has checksums of its files.
type Comparer interface {
	// Same reports whether a file has so many bytes with this CRC-32C. It returns the ETag of
	// the file, whether the bytes are the same or not.
	Same(ctx context.Context, name string, size int64, crc uint32) (etag string, isSame bool, err error)
}

// A Copier copies its files itself.
type Copier interface {
	// Copy makes to a file with the bytes of from, if the condition holds, and returns its ETag. They
	// must be so many bytes with this CRC-32C: otherwise the error is [ErrChanged]. If the store
	// cannot copy, it is errors.ErrUnsupported.
	Copy(ctx context.Context, to, from string, size int64, crc uint32, cond Condition) (etag string, err error)
}

// An Aborter is a store in which a killed process may leave uploads that are not finished.
type Aborter interface {
	// Uploads returns the unfinished uploads of files whose names begin with prefix.
	Uploads(ctx context.Context, prefix string) ([]Upload, error)
	// Abort ends an upload. If it does not exist, that is not an error.
	Abort(ctx context.Context, up Upload) error
}

// An Upload was begun, and neither finished nor aborted.
type Upload struct{ Name, ID string }

// A NameChecker is a store that cannot have files of all names.
type NameChecker interface {
	// CheckName returns an error if every operation on a name fails. An invalid name is
	// [ErrName].
	CheckName(name string) error
}

// Errors of stores of objects, for errors.Is.
var (
	// ErrName says that no file can have the name.
	ErrName = errors.New("the name is not valid")
	// ErrNoBucket says that the bucket does not exist. Such an error is fs.ErrNotExist, too.
	ErrNoBucket = errors.New("the bucket does not exist")
	// ErrAborted says that another process has ended an upload.
	ErrAborted = errors.New("the upload was aborted")
)

// IsMissing reports whether an error says that a file does not exist, although its bucket does.
func IsMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrNoBucket)
}

// IsExact reports whether the version that info describes has an ETag that no other bytes have. A
// store may have files with only a time, which replaces the ETag.
func IsExact(info fs.FileInfo) bool {
	o, ok := info.(interface{ IsExact() bool })
	return ok && o.IsExact()
}

// CanPut reports whether the store of a name is a [Putter].
func (s *Storage) CanPut(name string) bool { return has[Putter](s, name) }

// CheckName returns an error if every operation on a name fails. An invalid name is [ErrName].
func (s *Storage) CheckName(name string) error {
	if c, ok := s.Of(name).(NameChecker); ok {
		return c.CheckName(name)
	}
	return nil
}

// Put writes a file to a [Putter]. If the condition does not hold, the error is fs.ErrExist.
func (s *Storage) Put(
	ctx context.Context, name string, from io.ReaderAt, size int64, cond Condition,
) (etag string, err error) {
	p, err := s.putter(name)
	if err != nil {
		return "", err
	}
	return p.Put(ctx, name, from, size, cond)
}

// Copy has a [Copier] copy one of its files. Of other stores the error is errors.ErrUnsupported.
func (s *Storage) Copy(
	ctx context.Context, to, from string, size int64, crc uint32, cond Condition,
) (etag string, err error) {
	c, ok := s.Of(to).(Copier)
	if !ok || schemeOf(from) != schemeOf(to) {
		return "", &fs.PathError{Op: "copy", Path: from, Err: errors.ErrUnsupported}
	}
	return c.Copy(ctx, to, from, size, crc, cond)
}

// Delete removes files of one [Putter]. If one does not exist, that is not an error.
func (s *Storage) Delete(ctx context.Context, names ...string) error {
	if len(names) == 0 {
		return nil
	}
	p, err := s.putter(names[0])
	if err != nil {
		return err
	}
	return p.Delete(ctx, names...)
}

// putter returns the store of a name that is to be written.
func (s *Storage) putter(name string) (Putter, error) {
	if p, ok := s.Of(name).(Putter); ok {
		return p, nil
	}
	return nil, cmp.Or(s.CheckName(name), error(&fs.PathError{Op: "write", Path: name, Err: errors.ErrUnsupported}))
}

// Describe describes a file. A directory is fs.ErrNotExist.
func (s *Storage) Describe(ctx context.Context, name string) (fs.FileInfo, error) {
	if d, ok := s.Of(name).(Describer); ok {
		return d.Describe(ctx, name)
	}
	info, err := s.Stat(name)
	if err == nil && info.IsDir() {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return info, err
}

// Same reports whether a file has so many bytes with this CRC-32C, and returns its ETag in any case.
func (s *Storage) Same(ctx context.Context, name string, size int64, crc uint32) (etag string, isSame bool, err error) {
	if c, ok := s.Of(name).(Comparer); ok {
		return c.Same(ctx, name, size, crc)
	}
	return same(s, name, size, crc)
}

// same is [Comparer.Same] of a store without checksums: it reads the file.
func same(r Reader, name string, size int64, crc uint32) (etag string, isSame bool, err error) {
	f, err := r.Open(name)
	if err != nil {
		return "", false, err
	}
	info, err := f.Stat()
	if err == nil {
		etag = VersionOf(info).ETag
		if info.Size() == size {
			var sum crc32c.Sum
			_, err = io.Copy(&sum, f)
			isSame = err == nil && uint32(sum) == crc
		}
	}
	return etag, isSame, cmp.Or(err, f.Close())
}

// Uploads returns the unfinished uploads of files whose names begin with prefix.
func (s *Storage) Uploads(ctx context.Context, prefix string) ([]Upload, error) {
	if a, ok := s.Of(prefix).(Aborter); ok {
		return a.Uploads(ctx, prefix)
	}
	return nil, nil
}

// Abort ends an upload that [Storage.Uploads] returned.
func (s *Storage) Abort(ctx context.Context, up Upload) error {
	if a, ok := s.Of(up.Name).(Aborter); ok {
		return a.Abort(ctx, up)
	}
	return nil
}
