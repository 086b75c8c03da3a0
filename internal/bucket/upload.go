package bucket

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"golang.org/x/sync/errgroup"
)

// How many parts of an object are sent at once: from a file, which costs no
// memory, and from a stream, which costs one part more than these.
const (
	partsOfFile   = 4
	partsOfStream = 2
)

// mostParts is how many parts an object has at most, in S3 and in GCS.
const mostParts = 10_000

// PutFile writes an object from a file, several parts at once.
func (c *Client) PutFile(ctx context.Context, u URL, file io.ReaderAt, size int64, terms Terms) (Object, error) {
	if err := c.admit(ctx, u, &terms); err != nil {
		return Object{}, err
	}
	partSize := c.opts.PartSize
	for size > partSize*mostParts {
		partSize *= 2
	}
	if size <= partSize {
		return c.put(ctx, u, &piece{from: file, size: size}, &terms)
	}
	up, err := c.begin(ctx, u, partsOfFile, terms)
	if err != nil {
		return Object{}, err
	}
	for off := int64(0); off < size && up.ctx.Err() == nil; off += partSize {
		up.add(&piece{from: file, off: off, size: min(partSize, size-off)}, nil)
	}
	return up.finish(nil)
}

// PutStream writes an object of all that r has. It appears when r has ended; an
// error of r is returned, and nothing is written.
func (c *Client) PutStream(ctx context.Context, u URL, r io.Reader) (Object, error) {
	free := make(chan []byte, partsOfStream+1)
	buf := make([]byte, c.opts.PartSize)
	n, err := readPart(r, buf)
	if err == io.EOF {
		return c.Put(ctx, u, buf[:n])
	}
	if err != nil {
		return Object{}, fmt.Errorf("writing %s: %w", u, err)
	}
	up, err := c.begin(ctx, u, partsOfStream, Terms{})
	if err != nil {
		return Object{}, err
	}
	for range cap(free) - 1 {
		free <- nil // made when it is needed
	}
	for n > 0 && up.ctx.Err() == nil {
		sent := buf
		up.add(&piece{from: bytes.NewReader(buf[:n]), size: int64(n)}, func() { free <- sent })
		if err == io.EOF {
			break
		}
		if buf = <-free; buf == nil {
			buf = make([]byte, c.opts.PartSize)
		}
		if n, err = readPart(r, buf); err != nil && err != io.EOF {
			return up.finish(err)
		}
	}
	return up.finish(nil)
}

// readPart fills a buffer. At the end of r it is io.EOF, however many bytes came.
func readPart(r io.Reader, buf []byte) (int, error) {
	n, err := io.ReadFull(r, buf)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	return n, err
}

// An uploading is an object on its way in parts.
type uploading struct {
	c       *Client
	u       URL
	id      string
	terms   Terms
	caller  context.Context
	ctx     context.Context // ends with the first part that fails
	group   *errgroup.Group
	size    int64
	pieces  []*piece
	mu      sync.Mutex
	etags   map[int]string // of parts that were sent, by their numbers
	checked int
}

func (c *Client) begin(ctx context.Context, u URL, atOnce int, terms Terms) (*uploading, error) {
	up := &uploading{c: c, u: u, terms: terms, caller: ctx, etags: map[int]string{}}
	err := c.do(ctx, "writing", u, func(ctx context.Context, s *store, _ *attempt) (err error) {
		o := minio.PutObjectOptions{PartSize: uint64(c.opts.PartSize)}
		if !s.md5 {
			o.UserMetadata = map[string]string{"x-amz-checksum-algorithm": "CRC32C"}
		}
		up.id, err = s.NewMultipartUpload(ctx, u.Bucket, u.Key, o)
		return err
	})
	up.group, up.ctx = errgroup.WithContext(ctx)
	up.group.SetLimit(atOnce)
	return up, err
}

// add sends a piece as the next part, when there is a place for it. The piece is
// done with when free is called, if there is one.
func (up *uploading) add(p *piece, free func()) {
	up.pieces = append(up.pieces, p)
	up.size += p.size
	number := len(up.pieces)
	up.group.Go(func() error {
		if free != nil {
			defer free()
		}
		if number > mostParts {
			return fmt.Errorf("writing %s: more than %d parts of %d bytes", up.u, mostParts, up.c.opts.PartSize)
		}
		return up.send(p, number)
	})
}

func (up *uploading) send(p *piece, number int) error {
	s := up.c.stores[up.u.Scheme]
	if err := p.digest(s); err != nil {
		return fmt.Errorf("writing %s: %w", up.u, err)
	}
	return up.c.do(up.ctx, "writing", up.u, func(ctx context.Context, s *store, _ *attempt) error {
		ctx = context.WithoutCancel(ctx) // a part that arrives after its upload was aborted is left behind
		o := minio.PutObjectPartOptions{Md5Base64: p.md5}
		if !s.md5 {
			o.CustomHeader = http.Header{"X-Amz-Checksum-Crc32c": {p.sum()}}
		}
		part, err := s.PutObjectPart(ctx, up.u.Bucket, up.u.Key, up.id, number, p.reader(), p.size, o)
		if err != nil {
			return err
		}
		isChecked, err := p.isChecked(s, part.ChecksumCRC32C)
		if err == nil {
			up.sent(number, part.ETag, isChecked)
		}
		return err
	})
}

func (up *uploading) sent(number int, etag string, isChecked bool) {
	up.mu.Lock()
	defer up.mu.Unlock()
	up.etags[number] = etag
	if isChecked {
		up.checked++
	}
}

// finish makes an object of the parts, or takes them away: where one failed, or
// the caller did.
func (up *uploading) finish(failed error) (Object, error) {
	err := up.group.Wait()
	if failed != nil {
		err = fmt.Errorf("writing %s: %w", up.u, failed)
	}
	if err == nil && up.caller.Err() != nil {
		err = &Error{What: "writing", URL: up.u, Err: context.Cause(up.caller)}
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

func (up *uploading) complete() (Object, error) {
	parts := make([]minio.CompletePart, len(up.pieces))
	for i, p := range up.pieces {
		parts[i] = minio.CompletePart{PartNumber: i + 1, ETag: up.etags[i+1]}
		if !up.c.stores[up.u.Scheme].md5 {
			parts[i].ChecksumCRC32C = p.sum()
		}
	}
	o := Object{Key: up.u.Key, Size: up.size}
	t := up.c.tries("writing", up.u)
	err := t.do(up.caller, func(ctx context.Context, s *store, _ *attempt) error {
		if err := up.terms.agrees(ctx, t); err != nil {
			return err
		}
		var options minio.PutObjectOptions
		up.terms.set(&options)
		info, err := s.CompleteMultipartUpload(ctx, up.u.Bucket, up.u.Key, up.id, parts, options)
		o.ETag = info.ETag
		return err
	})
	o, err = t.settle(up.caller, o, up.pieces, up.checked == len(parts), err)
	return o, up.terms.settled(err)
}

// abort takes the parts away, though the caller may have given up, and returns
// why it was to be done.
func (up *uploading) abort(why error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(up.caller), up.c.opts.Stall)
	defer cancel()
	if err := up.c.Abort(ctx, Upload{URL: up.u, ID: up.id}); err != nil {
		return fmt.Errorf("%w; its parts are left behind: %w", why, err)
	}
	return why
}

// An Upload is one that was begun and neither finished nor aborted.
type Upload struct {
	URL     URL
	ID      string
	Started time.Time // by the store's clock; zero where it does not say
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
			all = append(all, Upload{URL: u.with(up.Key), ID: up.UploadID, Started: up.Initiated})
		}
		if !page.IsTruncated || page.NextKeyMarker == "" {
			return all, nil
		}
		key, id = page.NextKeyMarker, page.NextUploadIDMarker
	}
}

// Abort ends an upload and takes its parts away. One that is not there is no
// error.
func (c *Client) Abort(ctx context.Context, up Upload) error {
	err := c.do(ctx, "aborting the upload of", up.URL, func(ctx context.Context, s *store, _ *attempt) error {
		return s.AbortMultipartUpload(ctx, up.URL.Bucket, up.URL.Key, up.ID)
	})
	if errors.Is(err, ErrNotExist) {
		return nil
	}
	return err
}
