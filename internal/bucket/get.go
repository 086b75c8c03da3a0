package bucket

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/minio/minio-go/v7"
)

// ErrTooLarge says that an object is larger than the caller's limit.
var ErrTooLarge = errors.New("the object is larger than it may be")

// Get returns a small object as it is now, by one request. If it has more than limit bytes, the
// error is [ErrTooLarge].
func (c *Client) Get(ctx context.Context, u URL, limit int64) (content []byte, o Object, err error) {
	err = c.do(ctx, "reading", u, func(ctx context.Context, s *store, _ *attempt) error {
		body, info, _, err := s.GetObject(ctx, u.Bucket, u.Key, minio.GetObjectOptions{})
		if err != nil {
			return err
		}
		defer body.Close()
		if o = toObject(info); o.Size > limit {
			return fmt.Errorf("%w: %d bytes, expected at most %d", also{ErrTooLarge, errFinal}, o.Size, limit)
		}
		buf := bytes.NewBuffer(make([]byte, 0, max(o.Size, 0)+bytes.MinRead))
		n, err := io.Copy(buf, io.LimitReader(body, limit+1))
		if err == nil && n != o.Size {
			err = fmt.Errorf("the answer had %d of %d bytes: %w", n, o.Size, io.ErrUnexpectedEOF)
		}
		content = buf.Bytes()
		return err
	})
	o.Key = u.Key
	if err != nil {
		return nil, o, err
	}
	return content, o, nil
}
