package bucket

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"tfr-build/internal/crc32c"

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
	var crc crc32c.Sum
	into, hash := io.Writer(&crc), md5.New()
	if s.md5 {
		into = io.MultiWriter(&crc, hash)
	}
	n, err := io.CopyBuffer(struct{ io.Writer }{into}, struct{ io.Reader }{p.reader()}, make([]byte, min(256<<10, max(1, p.size))))
	switch {
	case err != nil:
		return err
	case n != p.size:
		return fmt.Errorf("it ended after %d of %d bytes", p.off+n, p.off+p.size)
	}
	p.crc = uint32(crc)
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

// Terms say when an object may be written. The zero value says always.
type Terms struct {
	// Over makes it so only in place of the object of that ETag, or, where it is
	// [Nothing], where there is none; else the error is [ErrExists].
	//
	// GCS promises this only through another protocol: there an object is looked for
	// before one is written over nothing, and two that do so at the same time may both
	// succeed; what is over another one is written always. So is what is over an object
	// without an ETag.
	Over string
	// Still is asked before an attempt is repeated, as time has gone by. It may be nil.
	Still func(context.Context) error
}

// Nothing is what a new object is over.
const Nothing = "*"

// set has the store ask for what Over says.
func (w *Terms) set(o *minio.PutObjectOptions) {
	switch w.Over {
	case "":
	case Nothing:
		o.SetMatchETagExcept("*")
	default:
		if IsETag(w.Over) {
			o.SetMatchETag(w.Over)
		}
	}
}

// agrees asks before all attempts but the first.
func (w *Terms) agrees(ctx context.Context, t *tries) error {
	if w.Still == nil || t.total == 1 {
		return nil
	}
	if err := w.Still(ctx); err != nil {
		return &refusal{err}
	}
	return nil
}

// A refusal is an error of the caller's own, which ends the attempts.
type refusal struct{ error }

// settled is the error of an object that there are terms for: they do not hold, or the
// caller's own.
func (w *Terms) settled(err error) error {
	if own, ok := errors.AsType[*refusal](err); ok {
		return own.error
	}
	e, ok := errors.AsType[*Error](err)
	if !ok || w.Over == "" {
		return err
	}
	switch {
	case e.Err == errPrecondition && w.Over == Nothing:
		e.Err, e.hint = ErrExists, "there is an object already"
	case e.Err == errPrecondition, e.Code == "NoSuchKey":
		e.Err, e.hint = ErrExists, "there is another object, or none"
	}
	return err
}

// Put writes an object of the given content, in place of one that is there.
func (c *Client) Put(ctx context.Context, u URL, content []byte) (Object, error) {
	return c.put(ctx, u, &piece{from: bytes.NewReader(content), size: int64(len(content))}, &Terms{})
}

// PutNew writes an object only where none is yet, else it is [ErrExists]: of
// many who try, one succeeds. Give contents that tell the writers apart: an
// answer that was lost is told from another writer's success by the content.
func (c *Client) PutNew(ctx context.Context, u URL, content []byte) (Object, error) {
	terms := &Terms{Over: Nothing}
	if err := c.admit(ctx, u, terms); err != nil {
		return Object{}, err
	}
	return c.put(ctx, u, &piece{from: bytes.NewReader(content), size: int64(len(content))}, terms)
}

// admit looks whether terms hold where a store does not.
func (c *Client) admit(ctx context.Context, u URL, terms *Terms) error {
	if u.Scheme != GS {
		return nil
	}
	if terms.Over != Nothing {
		terms.Over = ""
		return nil
	}
	_, err := c.Stat(ctx, u)
	switch {
	case err == nil:
		return &Error{What: "writing", URL: u, Err: ErrExists}
	case errors.Is(err, ErrNotExist):
		return nil
	}
	return err
}

// put writes an object with one request.
func (c *Client) put(ctx context.Context, u URL, p *piece, terms *Terms) (Object, error) {
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
		if err := terms.agrees(ctx, t); err != nil {
			return err
		}
		terms.set(&options)
		info, err := s.PutObject(ctx, u.Bucket, u.Key, p.reader(), p.size, p.md5, "", options)
		if err != nil {
			return err
		}
		o.ETag = info.ETag
		isChecked, err = p.isChecked(s, info.ChecksumCRC32C)
		return err
	})
	o, err = t.settle(ctx, o, []*piece{p}, isChecked, err)
	return o, terms.settled(err)
}

// settle says whether an object was written: after an answer that may have been
// wrong, and where the store did not check the bytes, by what is there now.
func (t *tries) settle(ctx context.Context, o Object, pieces []*piece, isChecked bool, err error) (Object, error) {
	if err == nil && isChecked && o.ETag != "" || err != nil && (!t.unsure || ctx.Err() != nil) {
		return o, err
	}
	there, isSame, looked := t.c.has(ctx, t.u, o.Size, pieces)
	switch {
	case looked == nil && isSame && (err != nil || there.ETag == o.ETag || o.ETag == ""):
		return there, nil
	case err != nil:
		return o, err
	case looked != nil:
		return o, fmt.Errorf("writing %s, it was read back: %w", t.u, looked)
	}
	return o, &Error{What: "writing", URL: t.u, Err: fmt.Errorf("what was read back is not what was written: %w", ErrChanged)}
}

// Same reports whether an object has so many bytes of that CRC-32C, by the checksum that
// the store has of it, or by reading it.
func (c *Client) Same(ctx context.Context, u URL, size int64, crc uint32) (Object, bool, error) {
	return c.has(ctx, u, size, []*piece{{size: size, crc: crc}})
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
		var crc crc32c.Sum
		if _, err := io.CopyN(&crc, r, p.size); err != nil {
			return o, false, err
		}
		if uint32(crc) != p.crc {
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
	whole := piece{crc: crc32c.Checksum(all)}
	return fmt.Sprintf("%s-%d", whole.sum(), len(pieces))
}
