package objects

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"tfr-build/internal/bucket"
	"tfr-build/internal/store"
)

// Put writes an object, a large one by several requests at once.
func (s *Store) Put(
	ctx context.Context, name string, from io.ReaderAt, size int64, cond store.Condition,
) (etag string, err error) {
	c, u, err := s.at("write", name)
	if err != nil {
		return "", err
	}
	return write(cond, name, func(terms bucket.Terms) (bucket.Object, error) {
		return c.Put(ctx, u, from, size, terms)
	})
}

// Copy has the store copy an object, a large one by several requests at once.
func (s *Store) Copy(
	ctx context.Context, to, from string, size int64, crc uint32, cond store.Condition,
) (etag string, err error) {
	c, u, err := s.at("write", to)
	if err != nil {
		return "", err
	}
	_, source, err := s.at("read", from)
	if err != nil {
		return "", err
	}
	return write(cond, to, func(terms bucket.Terms) (bucket.Object, error) {
		return c.Copy(ctx, u, source, size, crc, terms)
	})
}

// write writes an object under a condition, and returns its ETag.
func write(
	cond store.Condition, name string, do func(terms bucket.Terms) (bucket.Object, error),
) (etag string, err error) {
	terms := bucket.Terms{Over: cond.Over}
	var refused error
	if cond.Still != nil {
		terms.Still = func(ctx context.Context) error {
			refused = cond.Still(ctx)
			return refused
		}
	}
	o, err := do(terms)
	if refused != nil {
		return "", refused
	}
	if e, ok := errors.AsType[*bucket.Error](err); ok {
		name = e.URL.String() // of what is copied
	}
	return o.ETag, objectError("write", name, err)
}

// Delete removes objects, many at once.
func (s *Store) Delete(ctx context.Context, names ...string) error {
	list := make([]bucket.URL, len(names))
	for i, name := range names {
		_, u, err := s.at("remove", name)
		if err != nil {
			return err
		}
		list[i] = u
	}
	c, err := s.client()
	if err == nil {
		err = c.RemoveAll(ctx, list)
	}
	if e, ok := errors.AsType[*bucket.Error](err); ok {
		return objectError("remove", e.URL.String(), err)
	}
	return err
}

// Describe describes an object by one request.
func (s *Store) Describe(ctx context.Context, name string) (fs.FileInfo, error) {
	c, u, err := s.at("stat", name)
	if err != nil {
		return nil, err
	}
	o, err := c.Stat(ctx, u)
	if err != nil {
		return nil, objectError("stat", name, err)
	}
	return infoOf(o), nil
}

// Same compares an object by the checksum that the store has, or reads it.
func (s *Store) Same(ctx context.Context, name string, size int64, crc uint32) (etag string, isSame bool, err error) {
	c, u, err := s.at("read", name)
	if err != nil {
		return "", false, err
	}
	o, isSame, err := c.Same(ctx, u, size, crc)
	return o.ETag, isSame, objectError("read", name, err)
}

// Uploads returns the unfinished uploads of objects whose names begin with prefix.
func (s *Store) Uploads(ctx context.Context, prefix string) ([]store.Upload, error) {
	c, u, err := s.at("list", prefix)
	if err != nil {
		return nil, err
	}
	found, err := c.Uploads(ctx, u)
	all := make([]store.Upload, len(found))
	for i, up := range found {
		all[i] = store.Upload{Name: up.URL.String(), ID: up.ID}
	}
	return all, objectError("list", prefix, err)
}

// Abort ends an upload and removes its parts.
func (s *Store) Abort(ctx context.Context, up store.Upload) error {
	c, u, err := s.at("abort", up.Name)
	if err == nil {
		err = objectError("abort", up.Name, c.Abort(ctx, bucket.Upload{URL: u, ID: up.ID}))
	}
	return err
}
