package dataset

import (
	"bufio"
	"encoding/binary"
	"io"

	"tfr-build/message"
	"tfr-build/tfrecord"
)

// detectSize is how much of a file is looked at to find out what it is.
const detectSize = 64 << 10

// newDetectReader returns a reader from which detect can tell what r is.
func newDetectReader(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, detectSize) }

// detect tells from its beginning what a file is. A TFRecord file begins with a
// length and the checksum of that; an OFRecord file, which has no checksums, with
// the length of an OFRecord. A file that is neither of them nor compressed is a
// TFRecord file, if a damaged one.
func detect(in *bufio.Reader) (tfrecord.Framing, tfrecord.Compression, error) {
	head, err := in.Peek(tfrecord.HeadSize)
	if err != nil && err != io.EOF {
		return 0, 0, err
	}
	if tfrecord.IsRecord(head) {
		return tfrecord.TFRecord, tfrecord.None, nil
	}
	long, err := in.Peek(detectSize)
	if err != nil && err != io.EOF {
		return 0, 0, err
	}
	if isOFRecord(long) { // whose length may look like the magic number of zlib
		return tfrecord.OFRecord, tfrecord.None, nil
	}
	return tfrecord.TFRecord, tfrecord.Detect(head), nil
}

// isOFRecord reports whether a file that begins with head is an OFRecord file.
func isOFRecord(head []byte) bool {
	if len(head) < 8 {
		return false
	}
	length := binary.LittleEndian.Uint64(head)
	return length < 1<<31 && message.BeginsOFRecord(head[8:], int64(length))
}
