package remote

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"
	"sync"
	"time"

	"tfr-build/internal/bucket"
	"tfr-build/internal/vfs"
)

// An FS is a file system, and buckets. In a bucket there is nothing but files and
// what their names say of folders. What is written through an FS is a whole file, by
// Rename, and what is removed is one.
type FS struct {
	vfs.FS
	ctx    context.Context // of what is asked of buckets
	client func() (*bucket.Client, error)
}

// New is the file system below, and the buckets of the stores that opt tells. It
// connects to nothing before the first URL. What it does ends with ctx.
func New(ctx context.Context, below vfs.FS, opt bucket.Options) *FS {
	return &FS{FS: below, ctx: ctx, client: sync.OnceValues(func() (*bucket.Client, error) { return bucket.New(opt) })}
}

// Client is what asks the stores.
func (f *FS) Client() (*bucket.Client, error) { return f.client() }

// Close ends the idle connections.
func (f *FS) Close() {
	if c, err := f.client(); err == nil {
		c.Close()
	}
}

// Context is that of all that is asked of buckets.
func (f *FS) Context() context.Context { return f.ctx }

// at is the client, and the object that a name is of.
func (f *FS) at(name string) (*bucket.Client, bucket.URL, error) {
	u, _, err := bucket.Parse(name)
	if err != nil {
		return nil, u, err
	}
	c, err := f.client()
	return c, u, err
}

// Open opens an object for reading, as it is now.
func (f *FS) Open(name string) (vfs.File, error) {
	if !vfs.IsURL(name) {
		return f.FS.Open(name)
	}
	c, u, err := f.at(name)
	if err != nil {
		return nil, failed("open", name, err)
	}
	o, err := c.Stat(f.ctx, u)
	if err != nil {
		return nil, failed("open", name, err)
	}
	return f.OpenAs(c, u, o), nil
}

// OpenAs opens an object for reading as it was, and asks the store nothing.
func (f *FS) OpenAs(c *bucket.Client, u bucket.URL, o bucket.Object) vfs.File {
	return &file{ctx: f.ctx, name: u.String(), o: o, at: c.Open(u, o)}
}

// Stat describes an object, or a folder, which is there while an object is in it.
func (f *FS) Stat(name string) (fs.FileInfo, error) {
	if !vfs.IsURL(name) {
		return f.FS.Stat(name)
	}
	return f.look(name)
}

// Lstat is Stat: a bucket has no links.
func (f *FS) Lstat(name string) (fs.FileInfo, error) {
	if !vfs.IsURL(name) {
		return f.FS.Lstat(name)
	}
	return f.look(name)
}

func (f *FS) look(name string) (fs.FileInfo, error) {
	c, u, err := f.at(name)
	if err != nil {
		return nil, failed("stat", name, err)
	}
	if u.Key != "" && !strings.HasSuffix(u.Key, "/") {
		o, err := c.Stat(f.ctx, u)
		if err == nil {
			return entry{name: path.Base(o.Key), o: o}, nil
		}
		if !errors.Is(err, fs.ErrNotExist) || bucket.IsNoBucket(err) {
			return nil, failed("stat", name, err)
		}
	}
	entries, err := c.ReadDir(f.ctx, u)
	if err == nil && len(entries) == 0 && u.Key != "" {
		err = fs.ErrNotExist
	}
	return entry{name: path.Base(u.Key), isDir: true}, failed("stat", name, err)
}

// ReadDir lists a folder, sorted by name. One that is not there is empty.
func (f *FS) ReadDir(name string) ([]fs.DirEntry, error) {
	if !vfs.IsURL(name) {
		return f.FS.ReadDir(name)
	}
	c, u, err := f.at(name)
	if err != nil {
		return nil, failed("readdir", name, err)
	}
	found, err := c.ReadDir(f.ctx, u)
	list := make([]fs.DirEntry, len(found))
	for i := range found {
		list[i] = entry{name: found[i].Name, isDir: found[i].IsDir, o: found[i].Object}
	}
	return list, failed("readdir", name, err)
}

// Resolve follows no link, as a bucket has none.
func (f *FS) Resolve(name string) (string, error) {
	if vfs.IsURL(name) {
		return name, nil
	}
	return f.FS.Resolve(name)
}

// Rename gives a file another name; one that is to be an object is uploaded, and
// then removed.
func (f *FS) Rename(from, to string) error {
	if !vfs.IsURL(to) {
		return f.FS.Rename(from, to)
	}
	c, u, err := f.at(to)
	if err != nil {
		return failed("rename", to, err)
	}
	in, err := f.FS.Open(from)
	if err != nil {
		return err
	}
	info, err := in.Stat()
	if err == nil {
		_, err = c.PutFile(f.ctx, u, in, info.Size(), bucket.Terms{})
	}
	if err = cmp.Or(err, in.Close()); err != nil {
		return failed("rename", to, err)
	}
	return f.FS.Remove(from)
}

// Remove removes a file, an object, or what the file system below removes.
func (f *FS) Remove(name string) error {
	if !vfs.IsURL(name) {
		return f.FS.Remove(name)
	}
	c, u, err := f.at(name)
	if err == nil {
		err = c.Remove(f.ctx, u)
	}
	return failed("remove", name, err)
}

// failed is the error of a name.
func failed(op, name string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: name, Err: Said(err)}
}

// Said is the error of a store without what it was of, which stands before it.
func Said(err error) error {
	if e, ok := errors.AsType[*bucket.Error](err); ok {
		return said{e}
	}
	return err
}

type said struct{ of *bucket.Error }

func (e said) Error() string {
	return strings.TrimPrefix(e.of.Error(), e.of.What+" "+e.of.URL.String()+": ")
}

func (e said) Unwrap() error { return e.of }

// An entry describes an object or a folder.
type entry struct {
	name  string
	isDir bool
	o     bucket.Object
}

func (e entry) Name() string               { return e.name }
func (e entry) IsDir() bool                { return e.isDir }
func (e entry) Size() int64                { return e.o.Size }
func (e entry) ModTime() time.Time         { return e.o.ModTime }
func (e entry) Sys() any                   { return nil }
func (e entry) Type() fs.FileMode          { return e.Mode().Type() }
func (e entry) Info() (fs.FileInfo, error) { return e, nil }

func (e entry) Mode() fs.FileMode {
	if e.isDir {
		return fs.ModeDir
	}
	return 0
}
