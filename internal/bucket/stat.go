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

// An Object is the metadata of an object. Its ETag and size identify its content: if both are
// unchanged, the bytes are. ETags can only be compared: just some of them are digests. If the
// store has no ETag, the time replaces it. The time distinguishes an object from a later one, but
// does not prove that the bytes are equal (see [IsETag]).
type Object struct {
	Key     string
	Size    int64
	ModTime time.Time // by the store's clock; zero for an object that was just written
	ETag    string    // without quotes; or the time
}

func toObject(o minio.ObjectInfo) Object {
	etag := strings.Trim(o.ETag, `"`)
	if etag == "" {
		etag = dated + o.LastModified.UTC().Format(time.RFC3339) // in seconds, the precision of headers
	}
	return Object{Key: o.Key, Size: o.Size, ModTime: o.LastModified, ETag: etag}
}

// dated is the prefix of a time that replaces an ETag. A file that was put below a gateway by
// hand has no ETag, for example.
const dated = "modified "

// IsETag reports whether a string is an ETag of the store. It is false for "" and for the time of
// an object without an ETag. Such an object may get other bytes of the same length and time.
func IsETag(etag string) bool { return etag != "" && !strings.HasPrefix(etag, dated) }

// tagName returns an ETag or a time as messages name it.
func tagName(etag string) string {
	if IsETag(etag) {
		return "ETag " + etag
	}
	return etag
}

// Stat returns the metadata of an object. If it does not exist, the error is [ErrNotExist].
func (c *Client) Stat(ctx context.Context, u URL) (Object, error) {
	o, _, err := c.stat(ctx, u)
	return o, err
}

// stat is Stat that also returns the object's CRC-32C in the form of the S3 protocol, if the
// store has it.
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

// explain finds the code of a refused Stat. The answer to a HEAD request has no body and so no
// code, so it sends a GET request. It asks only once per bucket whether that exists.
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
	refusal := new(Error)
	if !errors.As(err, &refusal) || refusal.Code == "" {
		return e
	}
	if refusal.Code == "NoSuchKey" {
		c.known.Store(u.Scheme+u.Bucket, true)
	}
	return refusal
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

// Remove removes an object. If it does not exist, that is not an error.
func (c *Client) Remove(ctx context.Context, u URL) error {
	err := c.do(ctx, "removing", u, func(ctx context.Context, s *store, _ *attempt) error {
		return s.RemoveObject(ctx, u.Bucket, u.Key, minio.RemoveObjectOptions{})
	})
	if e := new(Error); errors.As(err, &e) && e.Code == "NoSuchKey" {
		return nil
	}
	return err
}
