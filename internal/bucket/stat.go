package bucket

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
)

// An Object is what a store says of one. Its ETag and size are its identity:
// when both are as they were, so are the bytes. ETags are compared, not read:
// only some are digests.
type Object struct {
	Key     string
	Size    int64
	ModTime time.Time // by the store's clock; zero of one that was just written
	ETag    string    // without quotes
}

func toObject(o minio.ObjectInfo) Object {
	return Object{Key: o.Key, Size: o.Size, ModTime: o.LastModified, ETag: strings.Trim(o.ETag, `"`)}
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
	if e := new(Error); errors.As(err, &e) && e.Status == http.StatusNotFound {
		err = c.noBucket(ctx, u, e)
	}
	return o, sum, err
}

// noBucket tells a bucket that is not there from an object that is not: the
// answer to what Stat asks has no room for it.
func (c *Client) noBucket(ctx context.Context, u URL, e *Error) error {
	if _, isKnown := c.known.Load(u.Scheme + u.Bucket); isKnown {
		return e
	}
	isThere := true
	err := c.do(ctx, e.What, u, func(ctx context.Context, s *store, _ *attempt) (err error) {
		isThere, err = s.BucketExists(ctx, u.Bucket)
		return err
	})
	if err == nil && !isThere {
		c.known.Delete(u.Scheme + u.Bucket)
		e.Code, e.Message = "NoSuchBucket", fmt.Sprintf("there is no bucket %s", u.Bucket)
	}
	return e // whoever may not ask for the bucket knows less
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
