package bucket

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/minio/minio-go/v7"
)

// A piece is bytes that one request carries: an object, or a part of one.
type piece struct {
	from      io.ReaderAt
	off, size int64
	crc       uint32
	md5       string // in base 64, where the store wants it
}

func (p *piece) reader() *io.SectionReader { return io.NewSectionReader(p.from, p.off, p.size) }

// sum is the CRC-32C as stores write it.
func (p *piece) sum() string { return base64.StdEncoding.EncodeToString(p.appendCRC(nil)) }

func (p *piece) appendCRC(b []byte) []byte { return binary.BigEndian.AppendUint32(b, p.crc) }

// digest reads the piece for its checksums. One that is shorter is an error.
func (p *piece) digest(s *store) error {
	crc := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	into, hash := io.Writer(crc), md5.New()
	if s.md5 {
		into = io.MultiWriter(crc, hash)
	}
	n, err := io.CopyBuffer(struct{ io.Writer }{into}, struct{ io.Reader }{p.reader()}, make([]byte, min(256<<10, max(1, p.size))))
	switch {
	case err != nil:
		return err
	case n != p.size:
		return fmt.Errorf("it ended after %d of %d bytes", p.off+n, p.off+p.size)
	}
	p.crc = crc.Sum32()
	if s.md5 {
		p.md5 = base64.StdEncoding.EncodeToString(hash.Sum(nil))
	}
	return nil
}

// isChecked reports whether the store compared the bytes, by the checksum that
// it answered with. MD5 it compares without a word.
func (p *piece) isChecked(s *store, answered string) (bool, error) {
	if answered != "" && answered != p.sum() {
		return false, fmt.Errorf("the store has bytes of the CRC-32C %s, not %s", answered, p.sum())
	}
	return answered != "" || s.md5, nil
}

// Put writes an object of the given content, in place of one that is there.
func (c *Client) Put(ctx context.Context, u URL, content []byte) (Object, error) {
	return c.put(ctx, u, &piece{from: bytes.NewReader(content), size: int64(len(content))}, false)
}

// PutNew writes an object only where none is yet, else it is [ErrExists]: of
// many who try, one succeeds. Give contents that tell the writers apart: an
// answer that was lost is told from another writer's success by the content.
//
// GCS promises this only through another protocol; there PutNew looks before it
// writes, and two that do so at the same time may both succeed.
func (c *Client) PutNew(ctx context.Context, u URL, content []byte) (Object, error) {
	if u.Scheme == GS {
		switch _, err := c.Stat(ctx, u); {
		case err == nil:
			return Object{}, &Error{What: "writing", URL: u, Err: ErrExists}
		case !errors.Is(err, ErrNotExist):
			return Object{}, err
		}
	}
	o, err := c.put(ctx, u, &piece{from: bytes.NewReader(content), size: int64(len(content))}, true)
	if e := new(Error); errors.As(err, &e) && e.Err == errPrecondition {
		e.Err, e.hint = ErrExists, "there is an object already"
	}
	return o, err
}

// put writes an object with one request.
func (c *Client) put(ctx context.Context, u URL, p *piece, isNew bool) (Object, error) {
	if c.stores[u.Scheme] == nil {
		return Object{}, fmt.Errorf("writing %s: it is in no store", u)
	}
	if err := p.digest(c.stores[u.Scheme]); err != nil {
		return Object{}, fmt.Errorf("writing %s: %w", u, err)
	}
	o, isChecked := Object{Key: u.Key, Size: p.size}, false
	t := c.tries("writing", u)
	err := t.do(ctx, func(ctx context.Context, s *store, _ *attempt) error {
		options := minio.PutObjectOptions{
			PartSize:             uint64(c.opts.PartSize),
			DisableContentSha256: p.size == 0, // else minio-go sends a chunk of nothing, which is not in the length
		}
		if !s.md5 {
			options.UserMetadata = map[string]string{"x-amz-checksum-crc32c": p.sum()}
		}
		if isNew {
			options.SetMatchETagExcept("*")
		}
		info, err := s.PutObject(ctx, u.Bucket, u.Key, p.reader(), p.size, p.md5, "", options)
		if err != nil {
			return err
		}
		o.ETag = info.ETag
		isChecked, err = p.isChecked(s, info.ChecksumCRC32C)
		return err
	})
	return t.settle(ctx, o, []*piece{p}, isChecked, err)
}

// settle says whether an object was written: after an answer that may have been
// wrong, and where the store did not check the bytes, by what is there now.
func (t *tries) settle(ctx context.Context, o Object, pieces []*piece, isChecked bool, err error) (Object, error) {
	if err == nil && isChecked || err != nil && (!t.unsure || ctx.Err() != nil) {
		return o, err
	}
	there, isSame, looked := t.c.has(ctx, t.u, o.Size, pieces)
	switch {
	case looked == nil && isSame && (err != nil || there.ETag == o.ETag):
		return there, nil
	case err != nil:
		return o, err
	case looked != nil:
		return o, fmt.Errorf("writing %s, it was read back: %w", t.u, looked)
	}
	return o, &Error{What: "writing", URL: t.u, Err: fmt.Errorf("what was read back is not what was written: %w", ErrChanged)}
}

// has reports whether there is an object of these bytes, by its checksum, or by
// reading it.
func (c *Client) has(ctx context.Context, u URL, size int64, pieces []*piece) (o Object, isSame bool, err error) {
	o, sum, err := c.stat(ctx, u)
	switch {
	case err != nil:
		return o, false, err
	case o.Size != size:
		return o, false, nil
	case sum != "" && sum == sumOf(pieces):
		return o, true, nil
	}
	r := c.Open(u, o).Reader(ctx, 0, o.Size)
	defer r.Close()
	for _, p := range pieces {
		crc := crc32.New(crc32.MakeTable(crc32.Castagnoli))
		if _, err := io.CopyN(crc, r, p.size); err != nil {
			return o, false, err
		}
		if crc.Sum32() != p.crc {
			return o, false, nil
		}
	}
	return o, true, nil
}

// sumOf is the checksum that a store has of an object of these parts: that of
// its bytes, or that of its parts' checksums and their number.
func sumOf(pieces []*piece) string {
	if len(pieces) == 1 {
		return pieces[0].sum()
	}
	var all []byte
	for _, p := range pieces {
		all = p.appendCRC(all)
	}
	whole := piece{crc: crc32.Checksum(all, crc32.MakeTable(crc32.Castagnoli))}
	return fmt.Sprintf("%s-%d", whole.sum(), len(pieces))
}
