package tfrecord

import (
	"encoding/binary"
	"errors"
	"io"
)

const (
	// maxFound is the size of the longest payload that Resync searches for without a MaxRecord.
	maxFound = 1 << 40

	// Resync checks at most freeBytes bytes without finding a record, plus bytesEach for each byte
	// read so far. A malicious file would otherwise keep it busy for days.
	freeBytes = 1 << 31
	bytesEach = 8
)

var gzipHeader = [4]byte{0x1f, 0x8b, 8, 0} // a member without a name

// Resync resumes after a CorruptError that is not Skippable. It skips bytes until it finds a
// complete record, which Next then returns. It returns io.EOF if it finds none. In a gzip file it
// also skips damaged members. After damage in a zlib stream, nothing can be read.
//
// A record of a TFRecord file is complete if both checksums are valid. A record of an OFRecord file
// is complete if it has at most MaxInMemory bytes and Options.Accepts accepts it. A very short OFRecord
// may look valid by chance; it must also be the last of the file, or another record can begin after
// it.
//
// A record of more than MaxInMemory bytes is found by its header alone; only Copy checks that it is
// complete. If it turns out to be truncated, the bytes that Copy has read are not searched.
//
// The number of lost records is unknown: Record continues as if there were none. A record that
// Resync finds may be part of a payload that was a file of records itself.
func (r *Reader) Resync() error {
	if corrupt := new(CorruptError); !errors.As(r.err, &corrupt) {
		return r.err
	}
	r.err = r.search()
	return r.err
}

// search moves to the next complete record.
func (r *Reader) search() error {
	if r.passed == 0 && r.begin < r.end {
		r.discard(1) // no record begins here, even if the header looks valid
	}
	r.at, r.passed = r.at+r.passed, 0
	for {
		if r.wasted > freeBytes+bytesEach*r.at {
			return r.corrupt("too many bytes that look like headers of records but are not", nil)
		}
		switch ok, err := r.tryFill(r.opt.Framing.Overhead()); {
		case err != nil:
			return err
		case !ok:
			return io.EOF
		}
		n, complete, err := r.checkRecord()
		if err != nil || complete {
			return err
		}
		r.wasted += n
		// A header may begin at any byte, even within the bytes of a false header.
		r.begin++
		r.at++
	}
}

// checkRecord reports whether a complete record comes next, and returns the number of bytes that it
// checked.
func (r *Reader) checkRecord() (checked int64, complete bool, err error) {
	if r.opt.Framing == OFRecord {
		return r.checkOFRecord()
	}
	header := r.buf[r.begin:][:headerSize]
	length := binary.LittleEndian.Uint64(header)
	if length > r.opt.maxSearched() || !IsRecord(header) {
		return 0, false, nil
	}
	if length > MaxInMemory { // a length rarely has a valid checksum by chance
		return 0, true, nil
	}
	size := headerSize + int(length) + footerSize
	if ok, err := r.tryFill(size); !ok || err != nil {
		return int64(r.end - r.begin), false, err
	}
	record := r.buf[r.begin:][:size]
	written := binary.LittleEndian.Uint32(record[size-footerSize:])
	return int64(size), checksum(record[headerSize:size-footerSize]) == written, nil
}

// tryFill reads until the buffer has n bytes. It continues over damage in the stream, so the bytes
// may not be contiguous. It returns false at the end of the file.
func (r *Reader) tryFill(n int) (bool, error) {
	for r.end-r.begin < n {
		switch {
		case r.inErr == nil:
			r.makeRoom(n)
			r.read()
		case r.source.err != nil && r.source.err != io.EOF:
			return false, r.streamError(r.inErr) // the disk failed: searching does not help
		case r.inErr == io.EOF || r.gzip == nil:
			return false, nil
		case r.gzip.findMember():
			r.in, r.inErr = r.gzip, r.gzip.nextMember()
		default:
			r.inErr = io.EOF
		}
	}
	return true, nil
}

// findMember skips bytes until a member seems to begin.
func (z *gzipReader) findMember() bool {
	for {
		head, err := z.in.Peek(len(gzipHeader))
		if err != nil {
			return false
		}
		if [len(gzipHeader)]byte(head) == gzipHeader {
			return true
		}
		_, _ = z.in.Discard(1) // Peek has seen the byte
	}
}
