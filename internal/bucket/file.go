package bucket

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/minio/minio-go/v7"
)

// A File is an object that is open for reading. It may be used by several goroutines.
type File struct {
	c *Client
	u URL
	o Object
}

// Open returns the object u for reading, in the version that o describes. It makes no request.
func (c *Client) Open(u URL, o Object) *File { return &File{c, u, o} }

// ReadRange fills dst with the object's bytes from off on. A range beyond the end is an error. A
// retry requests only the bytes that earlier attempts did not read.
func (f *File) ReadRange(ctx context.Context, dst []byte, off int64) error {
	if off < 0 || off+int64(len(dst)) > f.o.Size {
		return fmt.Errorf("reading %s: bytes %d to %d of %d", f.u, off, off+int64(len(dst)), f.o.Size)
	}
	if len(dst) == 0 {
		return nil
	}
	t := f.c.tries("reading", f.u)
	return t.do(ctx, func(ctx context.Context, s *store, _ *attempt) error {
		n, err := f.getRange(ctx, s, dst, off)
		dst, off = dst[n:], off+int64(n)
		if n > 0 {
			t.progress()
		}
		return err
	})
}

// getRange makes one request for the bytes of dst. It returns how many were read.
func (f *File) getRange(ctx context.Context, s *store, dst []byte, off int64) (int, error) {
	o := minio.GetObjectOptions{}
	last := off + int64(len(dst)) - 1
	if IsETag(f.o.ETag) { // a time only checkAnswer compares: stores round times differently
		if err := o.SetMatchETag(f.o.ETag); err != nil {
			return 0, also{err, errFinal}
		}
	}
	isPart := int64(len(dst)) < f.o.Size
	if isPart {
		if err := o.SetRange(off, last); err != nil {
			return 0, also{err, errFinal}
		}
	}
	body, info, header, err := s.GetObject(ctx, f.u.Bucket, f.u.Key, o)
	if err != nil {
		return 0, f.changedError(err)
	}
	defer body.Close()
	if err := f.checkAnswer(toObject(info), header, isPart, off, last); err != nil {
		return 0, err
	}
	n, err := io.ReadFull(body, dst)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err == io.ErrUnexpectedEOF {
		err = fmt.Errorf("the answer ended after %d of %d bytes", n, len(dst))
	}
	return n, err
}

// changedError returns ErrChanged for the answers of a store to a request for an object that was
// listed and has been replaced or removed.
func (f *File) changedError(err error) error {
	switch resp := minio.ToErrorResponse(err); resp.StatusCode {
	case http.StatusPreconditionFailed, http.StatusNotFound, http.StatusRequestedRangeNotSatisfiable:
		e := new(Error)
		e.fromStore(resp)
		if resp.Code != "NoSuchBucket" {
			e.Err = also{ErrChanged, e.Err}
			e.hint = ErrChanged.Error()
		}
		return e
	}
	return err
}

// checkAnswer compares the answer with the request. Not all stores and proxies support conditions
// and ranges.
func (f *File) checkAnswer(got Object, header http.Header, isPart bool, off, last int64) error {
	if got.ETag != f.o.ETag {
		return fmt.Errorf("%w: found %s, expected %s", ErrChanged, tagName(got.ETag), tagName(f.o.ETag))
	}
	if !isPart {
		if got.Size != f.o.Size {
			return fmt.Errorf("%w: it had %d bytes and has %d", ErrChanged, f.o.Size, got.Size)
		}
		return nil
	}
	want := fmt.Sprintf("bytes %d-%d/%d", off, last, f.o.Size)
	if answered := header.Get("Content-Range"); answered != want {
		return fmt.Errorf("%w: expected %s, found %q", errFinal, want, answered)
	}
	return nil
}
