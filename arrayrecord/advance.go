package arrayrecord

import (
	"errors"
	"fmt"
	"io"

	"tfr-build/tfrecord"
)

var (
	errNoFile   = errors.New("the header of a chunk is damaged: this may not be an ArrayRecord file")
	errHeader   = errors.New("the header of its chunk is damaged")
	errData     = errors.New("the data of its chunk is damaged")
	errNoFooter = errors.New("the chunk before the postscript is not a footer")
	errNoEnd    = errors.New("the file ends without a footer and a postscript: it is cut off, or no ArrayRecord " +
		"file")
	errAfterEnd        = errors.New("a chunk follows the postscript")
	errSignature       = errors.New("a signature is where a chunk of records should be")
	errTruncatedHeader = errors.New("the file ends within the header of its chunk")
	errNoneBefore      = errors.New("the first chunk is not a signature: this may not be an ArrayRecord file")
)

// advance moves to the next chunk. If it is a chunk of records, r.chunk.group has them.
func (r *Reader) advance() error {
	if !r.isRead {
		if err := r.takeChunk(); err != nil {
			return err
		}
	}
	c := r.chunk
	if c.blockError != "" { // report this error before the records, which are valid
		err := r.skippable(c.begin, errors.New(c.blockError))
		r.isRead, c.blockError = true, ""
		return err
	}
	r.isRead = false
	switch {
	case c.begin == 0 && c.Type != signatureType:
		return r.corrupt(c.begin, errNoneBefore)
	case r.last > 0 && c.Type != paddingType:
		r.last = 0
		return r.skippable(c.begin, errAfterEnd)
	case c.Type == signatureType && c.begin != 0 && !r.damaged:
		return r.skippable(c.begin, errSignature)
	case c.Type != recordsType && c.Type != transposedType && c.dataError != "":
		return r.skippable(c.begin, fmt.Errorf("a chunk of type %v: %s", c.Type, c.dataError))
	case c.Type != recordsType && c.Type != transposedType:
		return nil
	}
	return r.openRecords()
}

// takeChunk makes the next chunk the current one.
func (r *Reader) takeChunk() error {
	if r.hasNext {
		r.hasNext = false
		r.chunk, r.ahead = r.ahead, r.chunk
		if corrupt, ok := r.nextErr.(*tfrecord.CorruptError); ok {
			corrupt.Record = r.next // the number was unknown when the chunk was read
		}
		return r.nextErr
	}
	return r.readChunk(r.chunk)
}

// openRecords decodes the current chunk, which has records, the footer, or the postscript.
func (r *Reader) openRecords() error {
	c := r.chunk
	err := r.openChunk(c)
	if _, ok := err.(*RefusedError); ok {
		return err
	}
	if footer, ok := parsePostscript(c); ok && (footer == r.footer || r.damaged) {
		c.group, r.last = group{}, c.begin+blockSize
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
			return r.skipRecords(err)
		}
	}
	if c.data[0] == zstdData {
		r.compression = Zstd
	}
	r.entries = append(r.entries, chunkEntry{c.begin, int64(c.DecodedSize), int64(c.Records)})
	return nil
}

// openChunk decodes the records of a chunk.
func (r *Reader) openChunk(c *chunk) error {
	if c.dataError != "" {
		return errors.New(c.dataError)
	}
	err := r.open(c)
	if refusal, ok := err.(*RefusedError); ok {
		refusal.File, refusal.Record, refusal.Offset = r.file, r.next, c.begin
	}
	return err
}

// skipRecords skips the records of the current chunk, which cannot be read.
func (r *Reader) skipRecords(err error) error {
	c := r.chunk
	if c.Records != 1 {
		err = fmt.Errorf("%w: none of its %d records can be read", err, c.Records)
	}
	damage := r.skippable(c.begin, err)
	r.next += int64(c.Records)
	return damage
}

// lookAhead reads the next chunk, and reports whether the current chunk, at offset begin, is the
// footer. The postscript has the offset of the footer. If the postscript is damaged, lookAhead
// returns likely.
func (r *Reader) lookAhead(begin int64, likely bool) bool {
	for {
		r.hasNext, r.nextErr = true, r.readChunk(r.ahead)
		if r.nextErr != nil {
			return likely
		}
		if r.ahead.Type != paddingType || r.ahead.dataError != "" || r.ahead.blockError != "" {
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

// readChunk reads the chunk that begins here. It records errors of the data in c. At the end of a
// complete file it returns io.EOF.
func (r *Reader) readChunk(c *chunk) error {
	h, err := r.peekHead()
	switch {
	case err == io.EOF && r.last > 0 && r.last == r.at:
		return io.EOF
	case err == io.EOF && r.last > 0:
		return r.corrupt(r.at, fmt.Errorf("the file ends %d bytes after its postscript begins; expected %d",
			r.at-r.last+blockSize, blockSize))
	case err == io.EOF:
		return r.corrupt(r.at, errNoEnd)
	case err != nil:
		return r.readError(err)
	}
	at := r.at
	switch {
	case h.size == 0:
		return r.corrupt(at, errTruncatedHeader)
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
		return r.corrupt(at, fmt.Errorf("its chunk, of type %v, has %d bytes and %d records of %d bytes; chunks up "+
			"to %d bytes are read",
			h.Type, h.DataSize, h.Records, h.DecodedSize, maxChunk))
	}
	return r.readBody(c)
}

// readBody reads the data of a chunk, and the padding after it.
func (r *Reader) readBody(c *chunk) error {
	err := error(nil)
	for size := int(c.DataSize); err == nil && len(c.data) < size; {
		// The buffer grows as bytes are read, since the size may be a false claim of the file.
		n := min(size-len(c.data), max(readSize, len(c.data), cap(c.data)-len(c.data)))
		from := len(c.data)
		c.data = append(c.data, make([]byte, n)...)
		err = r.read(c.data[from:], c)
	}
	if err == nil {
		err = r.skipPadding(c)
	}
	switch {
	case err == errTruncated:
		return r.corrupt(c.begin, fmt.Errorf("the file ends within its chunk, which has %d bytes of data", c.DataSize))
	case err != nil:
		return r.readError(err)
	case hash(c.data) != c.DataHash:
		c.dataError = errData.Error()
	}
	return nil
}
