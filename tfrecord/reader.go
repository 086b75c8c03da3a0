package tfrecord

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

const readSize = 64 << 10 // what a Reader's buffer has at first

// Options say how a Reader reads. The zero Options are an uncompressed TFRecord
// file without a name.
type Options struct {
	File        string // named in errors
	Framing     Framing
	Compression Compression
	MaxRecord   int64 // a longer payload is an error; 0 means no limit

	// Whole tells damage in an OFRecord file, which has no checksums. It reports
	// whether a payload of size bytes can begin with payload; that has all size
	// bytes where it is to say whether they are whole. nil: any payload is whole,
	// but Resync finds none. What Copy passes on in pieces is not asked about.
	Whole func(payload []byte, size int64) bool
}

func (o *Options) name() string {
	if o.File == "" {
		return "a stream"
	}
	return o.File
}

// aboveLimit says which limit a length is above.
func (o *Options) aboveLimit(length uint64) string {
	if o.MaxRecord > 0 {
		return fmt.Sprintf("its length %d is above the limit of %d bytes", length, o.MaxRecord)
	}
	return fmt.Sprintf("its length %d is beyond any file", length)
}

// largest is the longest payload that Resync searches for.
func (o *Options) largest() uint64 {
	if o.MaxRecord > 0 {
		return uint64(o.MaxRecord)
	}
	return largestFound
}

// describe says what is found where a header should be, that of the first record
// or of another.
func (o *Options) describe(header []byte, isFirst bool) string {
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

// plausible returns the length that the header of an OFRecord has, and reports
// whether Resync searches for such a record.
func (o *Options) plausible(header []byte) (length int, ok bool) {
	n := binary.LittleEndian.Uint64(header)
	return int(n), 0 < n && n <= min(o.largest(), MaxHeld)
}

// A CorruptError says where a file is no sequence of records.
type CorruptError struct {
	File   string // of Options
	Record int64  // number of the record that cannot be read, from 0
	Offset int64  // where that record begins, in the decompressed stream
	Reason string // what was found
	Err    error  // what the decompressor said, or nil

	// Skippable says that only the payload is damaged: the next call of Next
	// returns the record after it.
	Skippable bool
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

// Unwrap returns what the decompressor said.
func (e *CorruptError) Unwrap() error { return e.Err }

// A Reader reads the records of a stream.
type Reader struct {
	opt   Options
	limit uint64 // the longest payload that there can be
	stream
	passed int64 // bytes of the next record that are consumed already

	next   int64 // number of the next record
	at     int64 // where it begins in the decompressed stream: passed bytes before buf[begin]
	record int64 // number of the record that was read last, or whose length was,
	offset int64 // where it begins
	ended  int64 // and ends
	err    error // what Next returns from now on
	sums   int64 // bytes that were looked at in vain
}

// NewReader returns a Reader of the records in r. It reads ahead.
func NewReader(r io.Reader, opt Options) *Reader {
	limit := uint64(math.MaxInt - headerSize - footerSize)
	if opt.MaxRecord > 0 {
		limit = min(limit, uint64(opt.MaxRecord))
	}
	return &Reader{opt: opt, limit: limit, stream: stream{compression: opt.Compression, source: source{r: r}}, record: -1}
}

// Record returns the number of the record that Next, Copy or Length read last,
// from 0, and -1 before the first.
func (r *Reader) Record() int64 { return r.record }

// Offset returns where the record begins that Next, Copy or Length read last, in
// the decompressed stream.
func (r *Reader) Offset() int64 { return r.offset }

// End returns where the record ends that Next or Copy read last, in the
// decompressed stream, and 0 before the first.
func (r *Reader) End() int64 { return r.ended }

// SkipTo passes what is before an offset of the file, no lower than where the
// Reader is: the next record begins there. The file is not compressed, and can be
// sought in.
func (r *Reader) SkipTo(offset int64) error {
	n := offset - r.at
	held := min(n, int64(r.end-r.begin))
	r.begin += int(held)
	r.at = offset
	if n == held {
		return nil
	}
	_, err := r.source.r.(io.Seeker).Seek(n-held, io.SeekCurrent)
	return err
}

// Next returns the payload of the next record, which is valid until the next
// call. At the end of the stream it returns io.EOF, but only when the stream
// ends where a record does; a stream that is no sequence of records gives a
// *CorruptError. After an error Next returns it again, except after a
// CorruptError that is Skippable.
func (r *Reader) Next() ([]byte, error) {
	if r.err != nil {
		return nil, r.err
	}
	length, err := r.header()
	if err != nil {
		r.err = err
		return nil, err
	}
	return r.payload(length)
}

// payload reads the rest of the record whose header was read.
func (r *Reader) payload(length int) ([]byte, error) {
	if r.opt.Framing == OFRecord {
		return r.ofrecordPayload(length)
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
	r.consume(headerSize + length + footerSize)
	if corrupt != nil {
		return nil, corrupt
	}
	return payload, nil
}

// header reads the next record's header and returns the length of its payload.
func (r *Reader) header() (int, error) {
	if r.opt.Framing == OFRecord {
		return r.ofrecordHeader()
	}
	if err := r.fill(headerSize, "its header"); err != nil {
		return 0, err
	}
	header := r.buf[r.begin:][:headerSize]
	length := binary.LittleEndian.Uint64(header)
	switch {
	case !IsRecord(header):
		return 0, r.corrupt(r.opt.describe(header, r.next == 0), nil)
	case length > r.limit:
		return 0, r.corrupt(r.opt.aboveLimit(length), nil)
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

func (r *Reader) corrupt(reason string, err error) *CorruptError {
	return &CorruptError{File: r.opt.File, Record: r.next, Offset: r.at, Reason: reason, Err: err}
}

// fill reads until buf[begin:end] has n bytes. The end of the stream is
// io.EOF between records only; part names what it cut off.
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
			return r.corrupt(fmt.Sprintf("the file ends within %s, after %d bytes of the record", part, r.passed+int64(have)), nil)
		}
	}
	return nil
}
