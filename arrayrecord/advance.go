package arrayrecord

import (
	"errors"
	"fmt"
	"io"

	"tfr-build/tfrecord"
)

var (
	errNoFile     = errors.New("the header of a chunk is damaged: this may be no ArrayRecord file")
	errHeader     = errors.New("the header of its chunk is damaged")
	errData       = errors.New("the data of its chunk is damaged")
	errNoFooter   = errors.New("the chunk before the postscript is no footer")
	errNoEnd      = errors.New("the file ends without a footer and a postscript: it is cut off, or no ArrayRecord file")
	errAfterEnd   = errors.New("a chunk follows the postscript")
	errSignature  = errors.New("a signature is where a chunk of records should be")
	errCutHeader  = errors.New("the file ends within the header of its chunk")
	errNoneBefore = errors.New("the first chunk is no signature: this may be no ArrayRecord file")
)

// advance goes to the next chunk. One of records becomes r.chunk.group.
func (r *Reader) advance() error {
	if !r.isRead {
		if err := r.take(); err != nil {
			return err
		}
	}
	c := r.chunk
	if c.flaw != "" { // which is told before the records, which are right
		err := r.skippable(c.begin, errors.New(c.flaw))
		r.isRead, c.flaw = true, ""
		return err
	}
	r.isRead = false
	switch {
	case c.begin == 0 && c.Type != Signature:
		return r.corrupt(c.begin, errNoneBefore)
	case r.last > 0 && c.Type != Padding:
		r.last = 0
		return r.skippable(c.begin, errAfterEnd)
	case c.Type == Signature && c.begin != 0 && !r.damaged:
		return r.skippable(c.begin, errSignature)
	case c.Type != Records && c.Type != Transposed && c.bad != "":
		return r.skippable(c.begin, fmt.Errorf("a chunk of type %v: %s", c.Type, c.bad))
	case c.Type != Records && c.Type != Transposed:
		return nil
	}
	return r.records()
}

// take makes the next chunk the one at hand.
func (r *Reader) take() error {
	if r.hasNext {
		r.hasNext = false
		r.chunk, r.ahead = r.ahead, r.chunk
		if corrupt, ok := r.nextErr.(*tfrecord.CorruptError); ok {
			corrupt.Record = r.next // which was not known when it was read
		}
		return r.nextErr
	}
	return r.readChunk(r.chunk)
}

// records looks at the chunk at hand, one of records or of what the file ends with.
func (r *Reader) records() error {
	c := r.chunk
	err := r.openChunk(c)
	if _, ok := err.(*RefusedError); ok {
		return err
	}
	if footer, ok := parsePostscript(c); ok && (footer == r.footer || r.damaged) {
		c.group, r.last = group{}, c.begin+BlockSize
		return nil
	}
	m, entries, isFooter := parseFooter(c.group)
	if isFooter || err != nil {
		switch {
		case r.lookAhead(c.begin, isFooter):
			c.group, r.footer = group{}, c.begin
			if err == nil && !r.damaged {
				err = checkFooter(m, entries, r.entries)
			}
			if err != nil {
				return r.skippable(c.begin, fmt.Errorf("the footer: %w", err))
			}
			return nil
		case err != nil:
			return r.lost(err)
		}
	}
	if c.data[0] == zstdData {
		r.compression = Zstd
	}
	r.entries = append(r.entries, Entry{c.begin, int64(c.DecodedSize), int64(c.Records)})
	return nil
}

// openChunk finds the records of a chunk.
func (r *Reader) openChunk(c *chunk) error {
	if c.bad != "" {
		return errors.New(c.bad)
	}
	err := r.open(c)
	if refused, ok := err.(*RefusedError); ok {
		refused.File, refused.Record, refused.Offset = r.file, r.next, c.begin
	}
	return err
}

// lost passes the records of the chunk at hand, which cannot be read.
func (r *Reader) lost(err error) error {
	c := r.chunk
	if c.Records != 1 {
		err = fmt.Errorf("%w: none of its %d records can be read", err, c.Records)
	}
	damage := r.skippable(c.begin, err)
	r.next += int64(c.Records)
	return damage
}

// lookAhead reads the next chunk. It reports whether the one at hand, which begins at
// an offset, is the footer: the postscript says so. Where that is damaged likely counts.
func (r *Reader) lookAhead(begin int64, likely bool) bool {
	for {
		r.hasNext, r.nextErr = true, r.readChunk(r.ahead)
		if r.nextErr != nil {
			return likely
		}
		if r.ahead.Type != Padding || r.ahead.bad != "" || r.ahead.flaw != "" {
			break
		}
	}
	if r.openChunk(r.ahead) != nil {
		return likely
	}
	footer, ok := parsePostscript(r.ahead)
	r.ahead.group = group{}
	return ok && (footer == begin || r.damaged)
}

// readChunk reads the chunk that begins here. What is wrong with its data is noted in
// it. At the end of a file that is whole it returns io.EOF.
func (r *Reader) readChunk(c *chunk) error {
	h, err := r.head()
	switch {
	case err == io.EOF && r.last > 0 && r.last == r.at:
		return io.EOF
	case err == io.EOF && r.last > 0:
		return r.corrupt(r.at, fmt.Errorf("the file ends %d bytes after its postscript begins; expected %d", r.at-r.last+BlockSize, BlockSize))
	case err == io.EOF:
		return r.corrupt(r.at, errNoEnd)
	case err != nil:
		return r.readError(err)
	}
	at := r.at
	switch {
	case h.size == 0:
		return r.corrupt(at, errCutHeader)
	case !h.ok && at == 0:
		return r.corrupt(at, errNoFile)
	case !h.ok:
		return r.corrupt(at, errHeader)
	}
	c.start(at, &h)
	if err := r.skip(h.size); err != nil {
		return r.readError(err)
	}
	if !h.plausible() {
		return r.corrupt(at, fmt.Errorf("its chunk, of type %v, has %d bytes and %d records of %d bytes; chunks up to %d bytes are read",
			h.Type, h.DataSize, h.Records, h.DecodedSize, maxChunk))
	}
	return r.body(c)
}

// body reads the data of a chunk, and what follows it.
func (r *Reader) body(c *chunk) error {
	err := error(nil)
	for size := int(c.DataSize); err == nil && len(c.data) < size; {
		// The buffer grows by what was read, for of the size there is only the file's word.
		n := min(size-len(c.data), max(readSize, len(c.data), cap(c.data)-len(c.data)))
		from := len(c.data)
		c.data = append(c.data, make([]byte, n)...)
		err = r.read(c.data[from:], c)
	}
	if err == nil {
		err = r.zeros(c)
	}
	switch {
	case err == errCut:
		return r.corrupt(c.begin, fmt.Errorf("the file ends within its chunk, which has %d bytes of data", c.DataSize))
	case err != nil:
		return r.readError(err)
	case Hash(c.data) != c.DataHash:
		c.bad = errData.Error()
	}
	return nil
}
