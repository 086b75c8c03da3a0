package bucket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/minio/minio-go/v7"
	"golang.org/x/sync/errgroup"
)

// partsAtOnce is the number of parts of an object that are sent at once.
const partsAtOnce = 4

// maxParts is the largest number of parts of an object, in S3 and in GCS.
const maxParts = 10_000

// Put writes an object of size bytes, a large one in several parts at once. If the terms do not
// hold, the error is [ErrExists]. If an answer is lost, Put compares the content to find out
// whether it was written: of several writers over [Nothing], each must have other content.
func (c *Client) Put(ctx context.Context, u URL, from io.ReaderAt, size int64, terms Terms) (Object, error) {
	if err := c.checkTerms(ctx, u, &terms); err != nil {
		return Object{}, err
	}
	partSize := c.opts.PartSize
	for size > partSize*maxParts {
		partSize *= 2
	}
	if size <= partSize {
		return c.put(ctx, u, &payload{from: from, size: size}, &terms)
	}
	up, err := c.startUpload(ctx, u, terms, u.Scheme != GS)
	if err != nil {
		return Object{}, err
	}
	for off := int64(0); off < size && up.ctx.Err() == nil; off += partSize {
		up.add(&payload{from: from, off: off, size: min(partSize, size-off)})
	}
	return up.finish()
}

// A multipart is an upload in parts that is in progress.
type multipart struct {
	c       *Client
	u       URL
	id      string
	terms   Terms
	caller  context.Context
	ctx     context.Context // canceled by the first part that fails
	group   *errgroup.Group
	size    int64
	parts   []*payload
	sums    bool     // the store has the CRC-32C of each part
	from    URL      // the object to copy
	whole   *payload // of it; nil if the bytes are sent
	mu      sync.Mutex
	etags   map[int]string // by number of the part, of the parts that were sent
	checked int            // number of parts that the store has checked
}

func (c *Client) startUpload(ctx context.Context, u URL, terms Terms, sums bool) (*multipart, error) {
	up := &multipart{c: c, u: u, terms: terms, caller: ctx, sums: sums, etags: map[int]string{}}
	err := c.do(ctx, "writing", u, func(ctx context.Context, s *store, _ *attempt) (err error) {
		o := minio.PutObjectOptions{PartSize: uint64(c.opts.PartSize)}
		if sums {
			o.UserMetadata = map[string]string{"x-amz-checksum-algorithm": "CRC32C"}
		}
		up.id, err = s.NewMultipartUpload(ctx, u.Bucket, u.Key, o)
		return err
	})
	up.group, up.ctx = errgroup.WithContext(ctx)
	up.group.SetLimit(partsAtOnce)
	return up, err
}

// add sends a payload as the next part, once fewer parts are in flight.
func (up *multipart) add(p *payload) {
	number := up.append(p)
	up.group.Go(func() error { return up.sendPart(p, number) })
}

// append makes a payload the next part, and returns its number.
func (up *multipart) append(p *payload) (number int) {
	up.parts = append(up.parts, p)
	up.size += p.size
	return len(up.parts)
}

func (up *multipart) sendPart(p *payload, number int) error {
	s := up.c.stores[up.u.Scheme]
	if err := p.digest(s); err != nil {
		return up.failure(err)
	}
	return up.c.do(up.ctx, "writing", up.u, func(ctx context.Context, s *store, _ *attempt) error {
		ctx = context.WithoutCancel(ctx) // the store would keep a part that arrives after the upload was aborted
		o := minio.PutObjectPartOptions{Md5Base64: p.md5}
		if !s.md5 {
			o.CustomHeader = http.Header{"X-Amz-Checksum-Crc32c": {p.checksum()}}
		}
		part, err := s.PutObjectPart(ctx, up.u.Bucket, up.u.Key, up.id, number, p.reader(), p.size, o)
		if err != nil {
			return err
		}
		isChecked, err := p.isChecked(s, part.ChecksumCRC32C)
		if err == nil {
			up.recordPart(number, part.ETag, isChecked)
		}
		return err
	})
}

func (up *multipart) recordPart(number int, etag string, isChecked bool) {
	up.mu.Lock()
	defer up.mu.Unlock()
	up.etags[number] = etag
	if isChecked {
		up.checked++
	}
}

// failure returns why the object was not written, as an *Error.
func (up *multipart) failure(why error) error { return &Error{What: "writing", URL: up.u, Err: why} }

// finish makes an object of the parts. If a part failed, or the caller's context ended, it removes
// them instead.
func (up *multipart) finish() (Object, error) {
	err := up.group.Wait()
	if err == nil && up.caller.Err() != nil {
		err = up.failure(context.Cause(up.caller))
	}
	if err == nil && up.whole != nil && up.sums {
		err = up.checkCopy()
	}
	if err != nil {
		return Object{}, up.abort(err)
	}
	o, err := up.complete()
	if err != nil {
		return Object{}, up.abort(err)
	}
	return o, nil
}

func (up *multipart) complete() (Object, error) {
	parts := make([]minio.CompletePart, len(up.parts))
	for i, p := range up.parts {
		parts[i] = minio.CompletePart{PartNumber: i + 1, ETag: up.etags[i+1]}
		if up.sums {
			parts[i].ChecksumCRC32C = p.checksum()
		}
	}
	o := Object{Key: up.u.Key, Size: up.size}
	t := up.c.tries("writing", up.u)
	err := t.do(up.caller, func(ctx context.Context, s *store, _ *attempt) error {
		if err := up.terms.askStill(ctx, t); err != nil {
			return err
		}
		var options minio.PutObjectOptions
		up.terms.setOn(&options)
		info, err := s.CompleteMultipartUpload(ctx, up.u.Bucket, up.u.Key, up.id, parts, options)
		o.ETag = info.ETag
		return err
	})
	written := up.parts
	if up.whole != nil {
		written = []*payload{up.whole}
	}
	o, err = t.confirm(up.caller, o, written, up.checked == len(parts), err)
	return o, up.terms.translate(err)
}

// abort removes the parts, even if the caller's context is canceled. It returns why.
func (up *multipart) abort(why error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(up.caller), up.c.opts.Stall)
	defer cancel()
	if err := up.c.Abort(ctx, Upload{URL: up.u, ID: up.id}); err != nil {
		return fmt.Errorf("%w; its parts are left behind: %w", why, err)
	}
	return why
}

// An Upload was begun, and neither finished nor aborted.
type Upload struct {
	URL URL
	ID  string
}

// Uploads returns the uploads whose keys begin with u.Key.
func (c *Client) Uploads(ctx context.Context, u URL) ([]Upload, error) {
	var all []Upload
	key, id := "", ""
	for {
		var page minio.ListMultipartUploadsResult
		err := c.do(ctx, "looking for uploads below", u, func(ctx context.Context, s *store, _ *attempt) (err error) {
			page, err = s.ListMultipartUploads(ctx, u.Bucket, u.Key, key, id, "", pageSize)
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, up := range page.Uploads {
			all = append(all, Upload{URL: u.withKey(up.Key), ID: up.UploadID})
		}
		if !page.IsTruncated || page.NextKeyMarker == "" {
			return all, nil
		}
		key, id = page.NextKeyMarker, page.NextUploadIDMarker
	}
}

// Abort ends an upload and removes its parts. If it does not exist, that is not an error.
func (c *Client) Abort(ctx context.Context, up Upload) error {
	err := c.do(ctx, "aborting the upload of", up.URL, func(ctx context.Context, s *store, _ *attempt) error {
		return s.AbortMultipartUpload(ctx, up.URL.Bucket, up.URL.Key, up.ID)
	})
	if errors.Is(err, ErrNotExist) {
		return nil
	}
	return err
}
