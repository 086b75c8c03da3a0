package bucket

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"tfr-build/internal/crc32c"

	"github.com/minio/minio-go/v7"
)

// ErrCannotCopy says that a store does not copy objects itself.
var ErrCannotCopy = errors.New("the store does not copy objects")

// copySize is the number of bytes that a store copies with one request. Stores copy at most 5 GiB, and answer when they
// are done: more would take longer than a request may take without progress.
const copySize = 1 << 30

// Copy writes an object with the bytes of another one, which the store copies itself. They must be size bytes with this
// CRC-32C: otherwise the error is [ErrChanged]. Terms are as in [Client.Put]. If the store cannot copy, the error is
// [ErrCannotCopy].
//
// A copy is an upload whose parts are ranges of the other object: not all stores know conditions of the request that
// copies an object at once, and would replace what exists. If the store computes the CRC-32C of what it copies, it is
// compared before the object exists. Otherwise the object is read back.
func (c *Client) Copy(ctx context.Context, u, from URL, size int64, crc uint32, terms Terms) (Object, error) {
	s := c.stores[u.Scheme]
	if s == nil || u.Scheme != from.Scheme || s.cannotCopy.Load() {
		return Object{}, &Error{What: "copying", URL: from, Err: ErrCannotCopy}
	}
	if size == 0 { // no part is empty
		return c.Put(ctx, u, bytes.NewReader(nil), 0, terms)
	}
	whole := &payload{size: size, crc: crc}
	if !s.copiesBare.Load() {
		o, err := c.copy(ctx, u, from, whole, terms, true)
		if !errors.Is(err, errBare) {
			return o, err
		}
		s.copiesBare.Store(true)
	}
	return c.copy(ctx, u, from, whole, terms, false)
}

// errBare says that a store has no CRC-32C of a part that it copied, or took over one of all parts.
var errBare = errors.New("the store does not compute the CRC-32C of what it copies")

// copy is Copy with or without the CRC-32C of parts.
func (c *Client) copy(ctx context.Context, u, from URL, whole *payload, terms Terms, sums bool) (Object, error) {
	up, err := c.startUpload(ctx, u, terms, sums)
	if err != nil {
		return Object{}, err
	}
	up.from, up.whole = from, whole
	for off := int64(0); off < whole.size && up.ctx.Err() == nil; off += c.copySize {
		up.addCopy(&payload{off: off, size: min(c.copySize, whole.size-off)})
	}
	return up.finish()
}

// addCopy has the store copy a range of an object as the next part, once fewer parts are in flight.
func (up *multipart) addCopy(p *payload) {
	number, from := up.append(p), up.from
	up.group.Go(func() error {
		return up.c.do(up.ctx, "copying", from, func(ctx context.Context, s *store, a *attempt) error {
			ctx = context.WithoutCancel(ctx) // as for a part that is sent
			part, err := s.CopyObjectPart(ctx, from.Bucket, from.Key, up.u.Bucket, up.u.Key, up.id, number, p.off,
				p.size, nil)
			if err == nil && part.ETag == "" { // an answer that begins as one of success may end as an error
				err = io.EOF
			}
			if err != nil {
				return s.copyError(err, a)
			}
			if up.sums && !p.setChecksum(part.ChecksumCRC32C) {
				return also{errBare, errFinal}
			}
			up.recordPart(number, strings.Trim(part.ETag, `"`), up.sums)
			return nil
		})
	})
}

// setChecksum takes the CRC-32C of a part from an answer. It reports whether there is one.
func (p *payload) setChecksum(text string) bool {
	sum, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(sum) != 4 {
		return false
	}
	p.crc = binary.BigEndian.Uint32(sum)
	return true
}

// copyError returns the error of a request to copy: ErrChanged if the other object is gone, and ErrCannotCopy if the
// store does not copy.
func (s *store) copyError(err error, a *attempt) error {
	if err == io.EOF && a.err == nil { // the store has ignored what to copy
		return also{ErrCannotCopy, errFinal}
	}
	e, resp := new(Error), minio.ToErrorResponse(err)
	e.fromStore(resp)
	switch {
	case resp.StatusCode == http.StatusNotImplemented || resp.StatusCode == http.StatusMethodNotAllowed:
		s.cannotCopy.Store(true)
		e.Err = ErrCannotCopy
	case resp.Code == "NoSuchKey":
		e.Err = also{ErrChanged, e.Err}
	default:
		return err
	}
	return e
}

// checkCopy compares the CRC-32C of the copied parts with the CRC-32C of the object.
func (up *multipart) checkCopy() error {
	crc := uint32(0)
	for _, p := range up.parts {
		crc = crc32c.Combine(crc, p.crc, p.size)
	}
	switch {
	case crc == up.whole.crc:
		return nil
	case len(up.parts) > 1:
		return up.failure(errBare)
	}
	err := fmt.Errorf("the copied bytes have the CRC-32C %08x, expected %08x", crc, up.whole.crc)
	return &Error{What: "copying", URL: up.from, Err: also{err, ErrChanged}}
}
