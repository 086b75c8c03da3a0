package files

import (
	"errors"
	"io/fs"
	"path"
	"strings"
)

// A bucketFolder reads whole objects, which are fetched before where somebody said
// that they will be read.
type bucketFolder struct {
	b   *buckets
	dir string
}

func (b *buckets) folder(dir string, _ bool) (Folder, error) { return &bucketFolder{b, dir}, nil }

func (f *bucketFolder) Close() error { return nil }

func (f *bucketFolder) Read(buf []byte, listed *File) ([]byte, error) {
	return f.b.ahead.read(buf, Join(f.dir, listed.Name), listed)
}

// A bucketRoot reads objects below a prefix, by names as paths have them.
type bucketRoot struct {
	b   *buckets
	dir string
}

func (b *buckets) root(dir string, _ []string) Root {
	return &bucketRoot{b, strings.TrimSuffix(dir, "/")}
}

func (r *bucketRoot) Close() error { return nil }

func (r *bucketRoot) Read(buf []byte, name string, limit int) ([]byte, error) {
	name = strings.TrimPrefix(name, r.dir+"/")
	clean := path.Clean(name)
	switch {
	case name == "", IsURL(name), path.IsAbs(name), clean == "..", strings.HasPrefix(clean, "../"):
		return buf, ErrOutside
	case strings.HasSuffix(name, "/"), strings.ContainsRune(name, 0):
		return buf, ErrNoFile
	}
	listed, err := r.b.stat(clean, Join(r.dir, clean))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return buf, fs.ErrNotExist
	case err != nil:
		return buf, err
	case listed.Size > int64(limit):
		return buf, &LargeError{listed.Size}
	}
	return r.b.whole(buf, Join(r.dir, clean), &listed)
}
