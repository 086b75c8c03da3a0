// Package objects has the stores of objects in buckets, which URLs of s3:// and gs:// lead to, and
// the syntax of these URLs.
package objects

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tfr-build/internal/bucket"
	"tfr-build/internal/store"
)

// A Store has the objects in the buckets that package bucket reaches. A bucket has no directories:
// one exists while an object is in it, and one that does not exist is empty.
type Store struct {
	ctx     context.Context
	client  func() (*bucket.Client, error)
	created atomic.Pointer[bucket.Client] // nil before the first operation
}

// Reach returns a storage with the files of s and the objects that the options lead to. It connects
// to nothing before the first URL. Close it; what it does ends with ctx.
func Reach(ctx context.Context, s *store.Storage, opt bucket.Options) *store.Storage {
	return s.Reaching(ctx, func(ctx context.Context) map[string]store.Reader {
		o := New(ctx, opt)
		return map[string]store.Reader{bucket.S3: o, bucket.GS: o}
	})
}

// New returns the store of the objects that the options lead to. It connects to nothing before the
// first operation. What it does ends with ctx.
func New(ctx context.Context, opt bucket.Options) *Store {
	s := &Store{ctx: ctx}
	s.client = sync.OnceValues(func() (*bucket.Client, error) {
		c, err := bucket.New(opt)
		s.created.Store(c)
		return c, err
	})
	return s
}

// Close closes idle connections.
func (s *Store) Close() error {
	if c := s.created.Load(); c != nil {
		c.Close()
	}
	return nil
}

// at returns the client, and the object that a name is of, for an operation.
func (s *Store) at(op, name string) (*bucket.Client, bucket.URL, error) {
	u, _, err := bucket.Parse(name)
	if err != nil {
		return nil, u, objectError(op, name, nameError{err})
	}
	c, err := s.client()
	return c, u, objectError(op, name, err)
}

// A nameError says what is wrong with a URL.
type nameError struct{ error }

func (e nameError) Unwrap() error        { return e.error }
func (e nameError) Is(target error) bool { return target == store.ErrName }

// CheckName returns the error of every operation on a URL.
func (s *Store) CheckName(name string) error {
	_, _, err := s.at("open", name)
	return err
}

// Open opens an object as it is now.
func (s *Store) Open(name string) (store.File, error) {
	c, u, err := s.at("open", name)
	if err != nil {
		return nil, err
	}
	o, err := c.Stat(s.ctx, u)
	if err != nil {
		return nil, objectError("open", name, err)
	}
	return &object{ctx: s.ctx, name: name, o: o, at: c.Open(u, o)}, nil
}

// OpenVersion opens an object as it was, and asks the store nothing.
func (s *Store) OpenVersion(ctx context.Context, name string, version store.Version) (store.File, error) {
	c, u, err := s.at("open", name)
	if err != nil {
		return nil, err
	}
	o := bucket.Object{Key: u.Key, Size: version.Size, ETag: version.ETag}
	return &object{ctx: ctx, name: name, o: o, at: c.Open(u, o)}, nil
}

// oneRequest is the largest object that Get reads by one request.
const oneRequest = 8 << 20

// Get returns an object of at most limit bytes, mostly by one request.
func (s *Store) Get(ctx context.Context, name string, limit int64) ([]byte, fs.FileInfo, error) {
	c, u, err := s.at("read", name)
	if err != nil {
		return nil, nil, err
	}
	data, o, err := c.Get(ctx, u, min(limit, oneRequest))
	info := infoOf(o)
	switch {
	case errors.Is(err, bucket.ErrTooLarge) && o.Size > limit:
		return nil, info, &store.LargeError{Size: o.Size}
	case errors.Is(err, bucket.ErrTooLarge):
		data = make([]byte, o.Size)
		err = c.Open(u, o).ReadRange(ctx, data, 0)
	}
	return data, info, objectError("read", name, err)
}

// Stat describes an object, or a directory.
func (s *Store) Stat(name string) (fs.FileInfo, error) {
	c, u, err := s.at("stat", name)
	if err != nil {
		return nil, err
	}
	none := error(fs.ErrNotExist)
	if u.Key != "" && !strings.HasSuffix(u.Key, "/") {
		o, err := c.Stat(s.ctx, u)
		if err == nil {
			return infoOf(o), nil
		}
		if none = err; !errors.Is(err, fs.ErrNotExist) || bucket.IsNoBucket(err) {
			return nil, objectError("stat", name, err)
		}
	}
	entries, err := c.ReadDir(s.ctx, u)
	if err == nil && len(entries) == 0 && u.Key != "" {
		err = none
	}
	if err != nil {
		return nil, objectError("stat", name, err)
	}
	return objectInfo{name: path.Base(u.Key), isDir: true}, nil
}

// ReadDir lists a directory. One that does not exist is empty.
func (s *Store) ReadDir(name string) ([]fs.DirEntry, error) {
	c, u, err := s.at("readdir", name)
	if err != nil {
		return nil, err
	}
	found, err := c.ReadDir(s.ctx, u)
	entries := make([]fs.DirEntry, len(found))
	for i := range found {
		entries[i] = objectInfo{name: found[i].Name, isDir: found[i].IsDir, o: found[i].Object}
	}
	return entries, objectError("readdir", name, err)
}

// List lists all objects whose names begin with prefix, many directories at once.
func (s *Store) List(ctx context.Context, prefix string, visit func(name string, info fs.FileInfo) error) error {
	c, u, err := s.at("list", prefix)
	if err != nil {
		return err
	}
	root := strings.TrimSuffix(prefix, u.Key)
	var refused error
	err = c.List(ctx, u, func(o bucket.Object) error {
		refused = visit(root+o.Key, infoOf(o))
		return refused
	})
	if refused != nil {
		return refused
	}
	return objectError("list", prefix, err)
}

// objectError returns the error of an operation on a name. If a request failed, the error has the
// operation of the request.
func objectError(op, name string, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*bucket.Error](err); ok {
		op = e.What
	}
	return &fs.PathError{Op: op, Path: name, Err: causeOf(err)}
}

// causeOf is [store.Cause] of errors that may be of package bucket, too.
func causeOf(err error) error {
	err = store.Cause(err)
	if e, ok := errors.AsType[*bucket.Error](err); ok {
		return cause{e}
	}
	return err
}

// A cause is the error of a store without its URL.
type cause struct{ of *bucket.Error }

func (e cause) Error() string {
	text := e.of.Error()
	if _, after, found := strings.Cut(text, e.of.URL.String()+": "); found {
		return after
	}
	return text
}

func (e cause) Unwrap() error { return e.of }

func (e cause) Is(target error) bool {
	return target == store.ErrChanged && errors.Is(e.of, bucket.ErrChanged) ||
		target == errors.ErrUnsupported && errors.Is(e.of, bucket.ErrCannotCopy) ||
		target == store.ErrNoBucket && bucket.IsNoBucket(e.of) ||
		target == store.ErrAborted && e.of.Code == "NoSuchUpload"
}

// An object is open for reading, as one version of it.
type object struct {
	ctx  context.Context
	name string
	o    bucket.Object
	at   *bucket.File

	mu     sync.Mutex
	stream io.ReadCloser // nil before the first Read
}

// Read reads on, with several ranges in flight.
func (f *object) Read(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.stream == nil {
		f.stream = f.Range(0, f.o.Size)
	}
	return f.stream.Read(p)
}

// ReadAt reads as io.ReaderAt does.
func (f *object) ReadAt(p []byte, off int64) (int, error) {
	n := int(max(0, min(int64(len(p)), f.o.Size-off)))
	if err := f.at.ReadRange(f.ctx, p[:n], off); n > 0 && err != nil {
		return 0, objectError("read", f.name, err)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Range reads n bytes from off on, with several requests in flight.
func (f *object) Range(off, n int64) io.ReadCloser {
	return &objectRange{f.name, f.at.Reader(f.ctx, off, n)}
}

// Close ends what is in flight.
func (f *object) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.stream == nil {
		return nil
	}
	return f.stream.Close()
}

func (f *object) Name() string { return f.name }

func (f *object) Stat() (fs.FileInfo, error) {
	return infoOf(f.o), nil
}

// An objectRange is a range of an object that is being read.
type objectRange struct {
	name string
	*bucket.Reader
}

func (r *objectRange) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err == io.EOF {
		return n, io.EOF
	}
	return n, objectError("read", r.name, err)
}

// An objectInfo describes an object or a directory.
type objectInfo struct {
	name  string
	isDir bool
	o     bucket.Object
}

func infoOf(o bucket.Object) objectInfo { return objectInfo{name: path.Base(o.Key), o: o} }

func (e objectInfo) Name() string               { return e.name }
func (e objectInfo) IsDir() bool                { return e.isDir }
func (e objectInfo) Size() int64                { return e.o.Size }
func (e objectInfo) ModTime() time.Time         { return e.o.ModTime }
func (e objectInfo) ETag() string               { return e.o.ETag }
func (e objectInfo) IsExact() bool              { return bucket.IsETag(e.o.ETag) }
func (e objectInfo) Sys() any                   { return nil }
func (e objectInfo) Type() fs.FileMode          { return e.Mode().Type() }
func (e objectInfo) Info() (fs.FileInfo, error) { return e, nil }

func (e objectInfo) Mode() fs.FileMode {
	if e.isDir {
		return fs.ModeDir
	}
	return 0
}
