package tfrecord

import (
	"encoding/binary"
	"errors"
	"io"
)

const (
	// largestFound is the longest payload that Resync searches for without a MaxRecord.
	largestFound = 1 << 40

	// What is looked at in vain of a file is no more than freeSums bytes, and sumsEach
	// for each one read so far: a file made for it would keep Resync busy for days.
	freeSums = 1 << 31
	sumsEach = 8
)

var gzipHead = [4]byte{0x1f, 0x8b, 8, 0} // of a member without a name

// Resync resumes after a CorruptError that is not Skippable. It skips bytes
// until it finds a whole record, which Next then returns; io.EOF says that there
// is none. In a gzip file it also skips a damaged member; nothing of a zlib stream
// can be read after damage.
//
// A record of a TFRecord file is whole when both checksums are right. One of an
// OFRecord file has at most MaxHeld bytes that Options.Whole takes; a very short
// one, which may look so by chance, is the last of the file, or another can begin
// after it.
//
// A record of more than MaxHeld bytes is found by its header alone: that it is
// whole only Copy tells. What Copy has read of a record that turns out to be cut
// off is not searched.
//
// Where records went missing nobody knows how many: Record counts on as if none
// had. What is found may have been part of a payload that was a file of records
// itself.
func (r *Reader) Resync() error {
	if corrupt := new(CorruptError); !errors.As(r.err, &corrupt) {
		return r.err
	}
	r.err = r.search()
	return r.err
}

// search moves to the next whole record.
func (r *Reader) search() error {
	if r.passed == 0 && r.begin < r.end {
		r.pass(1) // no record begins here, whatever the header says
	}
	r.at, r.passed = r.at+r.passed, 0
	for {
		if r.sums > freeSums+sumsEach*r.at {
			return r.corrupt("too many bytes that look like headers of records, and are none", nil)
		}
		switch there, err := r.have(r.opt.Framing.Overhead()); {
		case err != nil:
			return err
		case !there:
			return io.EOF
		}
		n, whole, err := r.wholeRecord()
		if err != nil || whole {
			return err
		}
		r.sums += n
		// A header may begin at any byte, also within what claimed to be one.
		r.begin++
		r.at++
	}
}

// wholeRecord reports whether a whole record comes next, and how many bytes
// it summed up to know.
func (r *Reader) wholeRecord() (sums int64, whole bool, err error) {
	if r.opt.Framing == OFRecord {
		return r.ofrecordWhole()
	}
	header := r.buf[r.begin:][:headerSize]
	length := binary.LittleEndian.Uint64(header)
	if length > r.opt.largest() || !IsRecord(header) {
		return 0, false, nil
	}
	if length > MaxHeld { // a length with its right checksum is hardly ever there by chance
		return 0, true, nil
	}
	size := headerSize + int(length) + footerSize
	if there, err := r.have(size); !there || err != nil {
		return int64(r.end - r.begin), false, err
	}
	record := r.buf[r.begin:][:size]
	written := binary.LittleEndian.Uint32(record[size-footerSize:])
	return int64(size), checksum(record[headerSize:size-footerSize]) == written, nil
}

// have reads until the buffer has n bytes, whatever is between them in a damaged
// stream. It reports false at the end of the file.
func (r *Reader) have(n int) (bool, error) {
	for r.end-r.begin < n {
		switch {
		case r.inErr == nil:
			r.makeRoom(n)
			r.read()
		case r.source.err != nil && r.source.err != io.EOF:
			return false, r.streamError(r.inErr) // the disk failed: no search will help
		case r.inErr == io.EOF || r.gzip == nil:
			return false, nil
		case r.gzip.find():
			r.in, r.inErr = r.gzip, r.gzip.next()
		default:
			r.inErr = io.EOF
		}
	}
	return true, nil
}

// find skips bytes until a member seems to begin.
func (z *gzipReader) find() bool {
	for {
		head, err := z.in.Peek(len(gzipHead))
		if err != nil {
			return false
		}
		if [len(gzipHead)]byte(head) == gzipHead {
			return true
		}
		_, _ = z.in.Discard(1) // which Peek has seen
	}
}
