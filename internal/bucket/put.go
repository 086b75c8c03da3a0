package bucket

import (
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"tfr-build/internal/crc32c"

	"github.com/minio/minio-go/v7"
)

// A payload is the bytes of one request: an object, or a part of one.
type payload struct {
	from      io.ReaderAt
	off, size int64
	crc       uint32
	md5       string // in base 64, if the store expects it
}

func (p *payload) reader() *io.SectionReader { return io.NewSectionReader(p.from, p.off, p.size) }

// checksum returns the CRC-32C in the form of the S3 protocol.
func (p *payload) checksum() string { return base64.StdEncoding.EncodeToString(p.appendCRC(nil)) }

func (p *payload) appendCRC(b []byte) []byte { return binary.BigEndian.AppendUint32(b, p.crc) }

// digest computes the checksums of the payload. A payload that is too short is an error.
func (p *payload) digest(s *store) error {
	var crc crc32c.Sum
	into, hash := io.Writer(&crc), md5.New()
	if s.md5 {
		into = io.MultiWriter(&crc, hash)
	}
	buf := make([]byte, min(256<<10, max(1, p.size)))
	n, err := io.CopyBuffer(struct{ io.Writer }{into}, struct{ io.Reader }{p.reader()}, buf)
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

// isChecked reports whether the store compared the bytes. answered is the checksum in its answer,
// if any. A store that gets an MD5 compares it and does not say so.
func (p *payload) isChecked(s *store, answered string) (bool, error) {
	if answered != "" && answered != p.checksum() {
		return false, fmt.Errorf("the store has bytes of the CRC-32C %s, not %s", answered, p.checksum())
	}
	return answered != "" || s.md5, nil
}

// Terms are conditions of writing an object. The zero value has none.
type Terms struct {
	// Over is the ETag of the object to replace, or [Nothing] if no object may exist. In all
	// other cases the error is [ErrExists]. An empty Over replaces any object.
	//
	// The S3 protocol of GCS does not support this. There the client looks for an object before
	// it writes over [Nothing], and two clients that do so at the same time may both succeed. GCS
	// replaces an object of any ETag. Every store replaces an object without an ETag.
	Over string
	// Still is called before an attempt is repeated, since time has passed. Its error ends the
	// attempts. It may be nil.
	Still func(context.Context) error
}

// Nothing is the value of [Terms.Over] for an object that must not exist.
const Nothing = "*"

// setOn adds the condition of Over to a request.
func (w *Terms) setOn(o *minio.PutObjectOptions) {
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

// askStill calls Still before all attempts except the first.
func (w *Terms) askStill(ctx context.Context, t *tries) error {
	if w.Still == nil || t.total == 1 {
		return nil
	}
	if err := w.Still(ctx); err != nil {
		return &refusal{err}
	}
	return nil
}

// A refusal is an error of the caller, which ends the attempts.
type refusal struct{ error }

// translate returns the error of a write with terms: ErrExists if they do not hold, or the error
// of Still.
func (w *Terms) translate(err error) error {
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

// checkTerms checks terms for a store that does not check them itself.
func (c *Client) checkTerms(ctx context.Context, u URL, terms *Terms) error {
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
func (c *Client) put(ctx context.Context, u URL, p *payload, terms *Terms) (Object, error) {
	if c.stores[u.Scheme] == nil {
		return Object{}, fmt.Errorf("writing %s: it is in no store", u)
	}
	if err := p.digest(c.stores[u.Scheme]); err != nil {
		return Object{}, &Error{What: "writing", URL: u, Err: err}
	}
	o, isChecked := Object{Key: u.Key, Size: p.size}, false
	t := c.tries("writing", u)
	err := t.do(ctx, func(ctx context.Context, s *store, _ *attempt) error {
		options := minio.PutObjectOptions{
			PartSize:             uint64(c.opts.PartSize),
			DisableContentSha256: p.size == 0, // else minio-go sends an empty chunk that the length does not include
		}
		if !s.md5 {
			options.UserMetadata = map[string]string{"x-amz-checksum-crc32c": p.checksum()}
		}
		if err := terms.askStill(ctx, t); err != nil {
			return err
		}
		terms.setOn(&options)
		info, err := s.PutObject(ctx, u.Bucket, u.Key, p.reader(), p.size, p.md5, "", options)
		if err != nil {
			return err
		}
		o.ETag = info.ETag
		isChecked, err = p.isChecked(s, info.ChecksumCRC32C)
		return err
	})
	o, err = t.confirm(ctx, o, []*payload{p}, isChecked, err)
	return o, terms.translate(err)
}

// confirm finds out whether an object was written, by reading it back if necessary. That is the
// case after an answer that may have been wrong, and if the store did not check the bytes.
func (t *tries) confirm(ctx context.Context, o Object, parts []*payload, isChecked bool, err error) (Object, error) {
	if err == nil && isChecked && o.ETag != "" || err != nil && (!t.unsure || ctx.Err() != nil) {
		return o, err
	}
	stored, isSame, readErr := t.c.hasContent(ctx, t.u, o.Size, parts)
	switch {
	case readErr == nil && isSame && (err != nil || stored.ETag == o.ETag || o.ETag == ""):
		return stored, nil
	case err != nil:
		return o, err
	case readErr != nil:
		return o, fmt.Errorf("writing %s, it was read back: %w", t.u, readErr)
	}
	err = fmt.Errorf("what was read back is not what was written: %w", ErrChanged)
	return o, &Error{What: "writing", URL: t.u, Err: err}
}

// Same reports whether an object has size bytes with that CRC-32C. It compares the checksum that
// the store has of the object, or reads the object.
func (c *Client) Same(ctx context.Context, u URL, size int64, crc uint32) (Object, bool, error) {
	return c.hasContent(ctx, u, size, []*payload{{size: size, crc: crc}})
}

// hasContent reports whether an object has the bytes of the parts. It compares the checksum of
// the store, or reads the object.
func (c *Client) hasContent(
	ctx context.Context, u URL, size int64, parts []*payload,
) (o Object, isSame bool, err error) {
	o, sum, err := c.stat(ctx, u)
	switch {
	case err != nil:
		return o, false, err
	case o.Size != size:
		return o, false, nil
	case sum != "" && slices.Contains(objectChecksums(parts), sum):
		return o, true, nil
	}
	r := c.Open(u, o).Reader(ctx, 0, o.Size)
	defer r.Close()
	for _, p := range parts {
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

// objectChecksums returns the checksums that a store can have of an object with these parts: the
// checksum of the parts' checksums, with their number, and of one part also its checksum.
func objectChecksums(parts []*payload) (sums []string) {
	if len(parts) == 1 {
		sums = []string{parts[0].checksum()}
	}
	var all []byte
	for _, p := range parts {
		all = p.appendCRC(all)
	}
	combined := payload{crc: crc32c.Checksum(all)}
	return append(sums, fmt.Sprintf("%s-%d", combined.checksum(), len(parts)))
}
