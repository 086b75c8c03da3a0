package files

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync"

	"tfr-build/internal/bucket"
)

// Buckets are where URLs lead. What is read of an object is of the ETag that it was
// listed with.
type buckets struct {
	ctx     context.Context // of the run
	end     context.CancelFunc
	options bucket.Options
	once    sync.Once // before the first URL
	client  *bucket.Client
	fault   error // of the options, or the environment
	ahead   *ahead
}

func newBuckets(ctx context.Context, opt bucket.Options) *buckets {
	b := &buckets{options: opt}
	b.ctx, b.end = context.WithCancel(ctx)
	b.ahead = newAhead(b.whole)
	return b
}

// at is the client, and the place that a path names.
func (b *buckets) at(path string) (*bucket.Client, bucket.URL, error) {
	u, _, err := bucket.Parse(path)
	if err != nil {
		return nil, u, err
	}
	b.once.Do(func() { b.client, b.fault = bucket.New(b.options) })
	return b.client, u, b.fault
}

// below is the client and the place that the keys of all objects below a folder begin
// with.
func (b *buckets) below(dir string) (*bucket.Client, bucket.URL, error) {
	c, u, err := b.at(dir)
	if u.Key != "" && !strings.HasSuffix(u.Key, "/") {
		u.Key += "/"
	}
	return c, u, err
}

// objectOf is the file that an object is, under a name.
func objectOf(name string, o *bucket.Object) File {
	return File{Name: name, Size: o.Size, ETag: o.ETag, Regular: true}
}

// openListed is an object as it was listed.
func (b *buckets) openListed(path string, listed *File) (*bucket.File, error) {
	c, u, err := b.at(path)
	if err != nil {
		return nil, err
	}
	return c.Open(u, bucket.Object{Key: u.Key, Size: listed.Size, ETag: listed.ETag}), nil
}

// whole appends a listed object to buf.
func (b *buckets) whole(buf []byte, path string, listed *File) ([]byte, error) {
	f, err := b.openListed(path, listed)
	if err != nil {
		return buf, err
	}
	buf, err = f.Append(b.ctx, buf)
	return buf, said(err)
}

// said is err, of a store, as this package says it: of an object that changed, and
// without the URL, which stands before it.
func said(err error) error {
	own := new(bucket.Error)
	switch {
	case errors.Is(err, bucket.ErrChanged):
		return ErrChanged
	case errors.As(err, &own):
		return &storeError{own}
	}
	return err
}

// A storeError is what a store said of an object that is named already.
type storeError struct{ of *bucket.Error }

func (e *storeError) Error() string {
	text := e.of.Error()
	if _, after, found := strings.Cut(text, e.of.URL.String()+": "); found {
		return after
	}
	return text
}

func (e *storeError) Unwrap() error { return e.of }

// close ends what is in flight; the context of the run may go on.
func (b *buckets) close() {
	b.end()
	b.ahead.close()
	b.once.Do(func() {}) // or nobody needed it
	if b.client != nil {
		b.client.Close()
	}
}

func (*buckets) fetches() bool { return true }

func (b *buckets) teller(dir string, _ bool) Teller { return &bucketTeller{b.ahead, dir} }

func (b *buckets) stat(name, path string) (File, error) {
	c, u, err := b.at(path)
	if err != nil {
		return File{}, err
	}
	o, err := c.Stat(b.ctx, u)
	if err != nil {
		return File{}, said(err)
	}
	return objectOf(name, &o), nil
}

// isDir tells an object from what keys begin with.
func (b *buckets) isDir(path string) (bool, error) {
	c, u, err := b.below(path)
	if err != nil {
		return false, err
	}
	entries, err := c.ReadDir(b.ctx, u)
	if err != nil || len(entries) > 0 || u.Key == "" {
		return err == nil, said(err)
	}
	_, err = b.stat("", path)
	return false, err
}

func (b *buckets) subfolders(dir string) (list []string, err error) {
	c, u, err := b.below(dir)
	if err != nil {
		return nil, err
	}
	entries, err := c.ReadDir(b.ctx, u)
	for _, e := range entries {
		if e.IsDir {
			list = append(list, Join(dir, e.Name))
		}
	}
	return list, said(err)
}

func (b *buckets) find(_ context.Context, path string) Found {
	f := Found{Path: path, ID: FileID{url: path}}
	f.File, f.Err = b.stat("", path)
	return f
}

func (b *buckets) read(path string, limit int64) ([]byte, error) { return b.now(nil, path, limit) }

// oneRequest is how many bytes an object that nobody listed may have to be read by one request.
const oneRequest = 8 << 20

// now appends an object, as it is now, of at most limit bytes to buf. A larger one is a
// *LargeError.
func (b *buckets) now(buf []byte, path string, limit int64) ([]byte, error) {
	c, u, err := b.at(path)
	if err != nil {
		return buf, err
	}
	data, o, err := c.Get(b.ctx, u, min(limit, oneRequest))
	switch {
	case errors.Is(err, bucket.ErrTooLarge) && o.Size > limit:
		return buf, &LargeError{o.Size}
	case errors.Is(err, bucket.ErrTooLarge):
		buf, err = c.Open(u, o).Append(b.ctx, buf)
		return buf, said(err)
	case err != nil:
		return buf, said(err)
	case buf == nil:
		return data, nil
	}
	return append(buf, data...), nil
}

func (b *buckets) each(ctx context.Context, dir string, skip func(path string) bool, visit func(path string, f File) error) error {
	c, u, err := b.below(dir)
	if err != nil {
		return &fs.PathError{Op: "list", Path: dir, Err: err}
	}
	var stopped error
	err = c.List(ctx, u, func(o bucket.Object) error {
		name := o.Key[len(u.Key):]
		path := Join(dir, name)
		if !skip(path) {
			stopped = visit(path, objectOf("/"+name, &o))
		}
		return stopped
	})
	if err != nil && stopped == nil && ctx.Err() == nil {
		err = &fs.PathError{Op: "list", Path: dir, Err: said(err)}
	}
	return err
}

func (*buckets) folders(list []string, root string, _ int) ([]string, error) {
	return append(list, root), nil
}
