package bucket

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"golang.org/x/sync/errgroup"
)

// An Object is what a store says of one. Its ETag and size are its identity: when
// both are as they were, so are the bytes. ETags are compared, not read: only some
// are digests. The time stands for an ETag that the store does not have: it tells an
// object from its successor, but does not vouch for bytes ([IsETag]).
type Object struct {
	Key     string
	Size    int64
	ModTime time.Time // by the store's clock; zero of one that was just written
	ETag    string    // without quotes, or the time
}

func toObject(o minio.ObjectInfo) Object {
	etag := strings.Trim(o.ETag, `"`)
	if etag == "" {
		etag = dated + o.LastModified.UTC().Format(time.RFC3339) // to the second, as headers have it
	}
	return Object{Key: o.Key, Size: o.Size, ModTime: o.LastModified, ETag: etag}
}

// dated is how an ETag begins that is the time of an object without one, such as a file
// that was put below a gateway by hand.
const dated = "modified "

// IsETag reports whether a store knows an object by this ETag; it is false for "" and for
// the time of an object without one. What has no ETag may have other bytes of the same
// length and time.
func IsETag(etag string) bool { return etag != "" && !strings.HasPrefix(etag, dated) }

// tagName is an ETag, or the time, as a message names it.
func tagName(etag string) string {
	if IsETag(etag) {
		return "ETag " + etag
	}
	return etag
}

// Stat returns what the store says of an object. One that is not there is
// [ErrNotExist].
func (c *Client) Stat(ctx context.Context, u URL) (Object, error) {
	o, _, err := c.stat(ctx, u)
	return o, err
}

// stat is Stat, with the object's CRC-32C as the store writes it, where it has
// one.
func (c *Client) stat(ctx context.Context, u URL) (o Object, sum string, err error) {
	err = c.do(ctx, "looking at", u, func(ctx context.Context, s *store, _ *attempt) error {
		info, err := s.StatObject(ctx, u.Bucket, u.Key, minio.StatObjectOptions{Checksum: !s.md5})
		o, sum = toObject(info), info.ChecksumCRC32C
		return err
	})
	o.Key = u.Key
	if e := new(Error); errors.As(err, &e) {
		err = c.explain(ctx, u, e)
	}
	return o, sum, err
}

// explain asks again for what Stat was refused: answers to a look have no body,
// and so no code. Whether there is no object or no bucket is asked once.
func (c *Client) explain(ctx context.Context, u URL, e *Error) error {
	_, isKnown := c.known.Load(u.Scheme + u.Bucket)
	switch e.Status {
	case http.StatusBadRequest, http.StatusForbidden:
	case http.StatusNotFound:
		if isKnown {
			return e
		}
	default:
		return e
	}
	err := c.do(ctx, e.What, u, func(ctx context.Context, s *store, _ *attempt) error {
		body, _, _, err := s.GetObject(ctx, u.Bucket, u.Key, minio.GetObjectOptions{})
		if err == nil {
			err = body.Close()
		}
		return err
	})
	said := new(Error)
	if !errors.As(err, &said) || said.Code == "" {
		return e
	}
	if said.Code == "NoSuchKey" {
		c.known.Store(u.Scheme+u.Bucket, true)
	}
	return said
}

// RemoveAll removes objects, many at the same time.
func (c *Client) RemoveAll(ctx context.Context, list []URL) error {
	const atOnce = 32
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, u := range list {
		group.Go(func() error { return c.Remove(ctx, u) })
	}
	return group.Wait()
}

// Remove removes an object. One that is not there is no error.
func (c *Client) Remove(ctx context.Context, u URL) error {
	err := c.do(ctx, "removing", u, func(ctx context.Context, s *store, _ *attempt) error {
		return s.RemoveObject(ctx, u.Bucket, u.Key, minio.RemoveObjectOptions{})
	})
	if e := new(Error); errors.As(err, &e) && e.Code == "NoSuchKey" {
		return nil
	}
	return err
}
