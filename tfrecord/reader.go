package tfrecord

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"tfr-build/internal/plural"
)

const readSize = 64 << 10 // initial size of a Reader's buffer

// Options are the options of a Reader. The zero Options are for an uncompressed TFRecord file
// without a name.
type Options struct {
	File        string // file name for errors
	Framing     Framing
	Compression Compression
	MaxRecord   int64 // size of the longest payload, in bytes; 0 means no limit

	// Accepts detects damage in an OFRecord file, which has no checksums. It reports whether a
	// payload of size bytes can begin with payload. If payload has size bytes, it reports whether
	// the payload is valid. If Accepts is nil, any payload is valid, and Resync finds no records.
	// Copy does not call it for payloads that it copies in chunks.
	Accepts func(payload []byte, size int64) bool
}

func (o *Options) name() string {
	if o.File == "" {
		return "a stream"
	}
	return o.File
}

// describeLength describes a length above the limit.
func (o *Options) describeLength(length uint64) string {
	if o.MaxRecord > 0 {
		return fmt.Sprintf("its length %d is above the limit of %d bytes", length, o.MaxRecord)
	}
	return fmt.Sprintf("its length %d is beyond any file", length)
}

// maxSearched returns the size of the longest payload that Resync searches for.
func (o *Options) maxSearched() uint64 {
	if o.MaxRecord > 0 {
		return uint64(o.MaxRecord)
	}
	return maxFound
}

// describeHeader describes an invalid header.
func (o *Options) describeHeader(header []byte, isFirst bool) string {
	switch {
	case [headerSize]byte(header) == [headerSize]byte{}:
		return "zeros instead of a header"
	case !isFirst:
		return "the length's checksum is wrong"
	case o.Compression == None && Detect(header) == Gzip:
		return "the length's checksum is wrong: this looks like gzip"
	}
	return "the length's checksum is wrong: this may be no TFRecord file"
}

// plausible returns the length in the header of an OFRecord, and reports whether Resync searches
// for such a record.
func (o *Options) plausible(header []byte) (length int, ok bool) {
	n := binary.LittleEndian.Uint64(header)
	return int(n), 0 < n && n <= min(o.maxSearched(), MaxInMemory)
}

// A CorruptError describes a position where a file is not a sequence of records.
type CorruptError struct {
	File   string // from Options
	Record int64  // number of the invalid record, from 0
	Offset int64  // offset of that record in the decompressed stream
	Reason string // what was found
	Err    error  // error of the decompressor, or nil

	// Skippable means that only the payload is damaged. The next call of Next returns the next
	// record.
	Skippable bool

	// TooLong means that the record is longer than a limit; it need not be damaged.
	TooLong bool
}

func (e *CorruptError) Error() string {
	text := fmt.Sprintf("record %d at byte %d: %s", e.Record, e.Offset, e.Reason)
	if e.File != "" {
		text = e.File + ": " + text
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the error of the decompressor.
func (e *CorruptError) Unwrap() error { return e.Err }

// A Reader reads the records of a stream.
type Reader struct {
	opt   Options
	limit uint64 // size of the longest payload
	stream
	passed int64 // bytes of the next record that were discarded from the buffer

	next   int64 // number of the next record
	at     int64 // its offset in the decompressed stream, which is passed bytes before buf[begin]
	record int64 // number of the record that Next, Copy, or Length read last
	offset int64 // its offset
	ended  int64 // offset of its end
	err    error // what Next returns from now on
	wasted int64 // bytes that were checked without finding a record
}

// NewReader returns a Reader of the records in r. It reads ahead.
func NewReader(r io.Reader, opt Options) *Reader {
	limit := uint64(math.MaxInt - headerSize - footerSize) // the size of a record fits an int
	if opt.MaxRecord > 0 {
		limit = min(limit, uint64(opt.MaxRecord))
	}
	return &Reader{opt: opt, limit: limit, stream: stream{compression: opt.Compression, source: source{r: r}},
		record: -1}
}

// Record returns the number of the record that Next, Copy, or Length read last. Records are
// numbered from 0; before the first it returns -1.
func (r *Reader) Record() int64 { return r.record }

// Offset returns the offset of the record that Next, Copy, or Length read last, in the decompressed
// stream.
func (r *Reader) Offset() int64 { return r.offset }

// End returns the offset of the end of the record that Next or Copy read last, in the decompressed
// stream. Before the first record it returns 0.
func (r *Reader) End() int64 { return r.ended }

// SkipTo skips to an offset of the file, which is not before the current one. The next record
// begins there. The file must be uncompressed, and its reader must be an io.Seeker.
func (r *Reader) SkipTo(offset int64) error {
	n := offset - r.at
	buffered := min(n, int64(r.end-r.begin))
	r.begin += int(buffered)
	r.at = offset
	if n == buffered {
		return nil
	}
	_, err := r.source.r.(io.Seeker).Seek(n-buffered, io.SeekCurrent)
	return err
}

// Next returns the payload of the next record, which is valid until the next call. It returns
// io.EOF if the stream ends after a complete record. If the stream is not a sequence of records, it
// returns a *CorruptError. After an error, Next returns the same error again, except after a
// Skippable CorruptError.
func (r *Reader) Next() ([]byte, error) {
	if r.err != nil {
		return nil, r.err
	}
	length, err := r.readHeader()
	if err != nil {
		r.err = err
		return nil, err
	}
	return r.readPayload(length)
}

// readPayload reads the rest of a record after its header was read.
func (r *Reader) readPayload(length int) ([]byte, error) {
	if r.opt.Framing == OFRecord {
		return r.readOFRecordPayload(length)
	}
	if err := r.fill(headerSize+length+footerSize, "its payload"); err != nil {
		r.err = err
		return nil, err
	}
	payload := r.buf[r.begin+headerSize:][:length]
	written := binary.LittleEndian.Uint32(r.buf[r.begin+headerSize+length:])
	var corrupt *CorruptError
	if found := checksum(payload); found != written {
		corrupt = r.wrongChecksum(found, written)
	}
	// Also of a damaged payload: its length was valid, so the next record can be read.
	r.consume(headerSize + length + footerSize)
	if corrupt != nil {
		return nil, corrupt
	}
	return payload, nil
}

// readHeader reads the next record's header and returns the size of its payload.
func (r *Reader) readHeader() (int, error) {
	if r.opt.Framing == OFRecord {
		return r.readOFRecordHeader()
	}
	if err := r.fill(headerSize, "its header"); err != nil {
		return 0, err
	}
	header := r.buf[r.begin:][:headerSize]
	length := binary.LittleEndian.Uint64(header)
	switch {
	case !IsRecord(header):
		return 0, r.corrupt(r.opt.describeHeader(header, r.next == 0), nil)
	case length > r.limit:
		return 0, r.tooLong(length)
	}
	return int(length), nil
}

func (r *Reader) consume(n int) {
	r.record, r.offset = r.next, r.at
	r.next++
	r.at += r.passed + int64(n)
	r.passed = 0
	r.ended = r.at
	r.begin += n
}

func (r *Reader) tooLong(length uint64) *CorruptError {
	e := r.corrupt(r.opt.describeLength(length), nil)
	e.TooLong = true
	return e
}

func (r *Reader) corrupt(reason string, err error) *CorruptError {
	return &CorruptError{File: r.opt.File, Record: r.next, Offset: r.at, Reason: reason, Err: err}
}

// fill reads until buf[begin:end] has n bytes. The end of the stream is io.EOF between records.
// Within a record it is a CorruptError that names part, the part of the record that is truncated.
func (r *Reader) fill(n int, part string) error {
	for r.end-r.begin < n {
		have := r.end - r.begin
		switch {
		case r.inErr == nil:
			r.makeRoom(n)
			r.read()
		case r.inErr != io.EOF:
			return r.streamError(r.inErr)
		case have == 0 && r.passed == 0:
			return io.EOF
		default:
			return r.corrupt(fmt.Sprintf("the file ends within %s, after %s of the record", part,
				plural.Of(r.passed+int64(have), "byte")), nil)
		}
	}
	return nil
}
