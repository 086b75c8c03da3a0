package tfrecord

import (
	"encoding/binary"
	"fmt"
)

// probeSize is the number of bytes of a payload that Resync checks before it reads the rest. A
// longer payload hardly ever looks valid by chance.
const probeSize = 16

// readOFRecordHeader is readHeader for an OFRecord file.
func (r *Reader) readOFRecordHeader() (int, error) {
	if err := r.fill(lengthSize, "its length"); err != nil {
		return 0, err
	}
	length := binary.LittleEndian.Uint64(r.buf[r.begin:])
	switch {
	case int64(length) <= 0:
		reason := fmt.Sprintf("its length is %d; expected at least 1", int64(length))
		if r.next == 0 {
			reason += ": this may be no OFRecord file"
		}
		return 0, r.corrupt(reason, nil)
	case length > r.limit:
		return 0, r.tooLong(length)
	}
	return int(length), nil
}

// readOFRecordPayload is readPayload for an OFRecord file. It does not skip an invalid payload: the
// length itself may be wrong.
func (r *Reader) readOFRecordPayload(length int) ([]byte, error) {
	size := lengthSize + length
	// Detect a wrong length before all of its bytes are read into memory.
	for n := readSize; n < size && r.opt.Accepts != nil; n *= 2 {
		if err := r.checkPayload(n-lengthSize, length); err != nil {
			return nil, err
		}
	}
	if err := r.checkPayload(length, length); err != nil {
		return nil, err
	}
	payload := r.buf[r.begin+lengthSize:][:length]
	r.consume(size)
	return payload, nil
}

// checkPayload reads n bytes of a payload, and checks whether a payload can begin with them. Bytes
// of an invalid payload count toward the limit of Resync.
func (r *Reader) checkPayload(n, length int) error {
	r.err = r.fill(lengthSize+n, "its payload")
	looked := min(lengthSize+n, r.end-r.begin)
	if r.err == nil && r.opt.Accepts != nil && !r.opt.Accepts(r.buf[r.begin+lengthSize:][:n], int64(length)) {
		r.err = r.corrupt(fmt.Sprintf("the %d bytes of its payload are not a complete record", length), nil)
	}
	if r.err != nil {
		r.wasted += int64(looked)
	}
	return r.err
}

// checkOFRecord is checkRecord for an OFRecord file.
func (r *Reader) checkOFRecord() (checked int64, complete bool, err error) {
	length, plausible := r.opt.plausible(r.buf[r.begin:])
	if !plausible || r.opt.Accepts == nil {
		return 0, false, nil
	}
	head := min(length, probeSize) // enough to reject nearly everything that is not a record
	if ok, err := r.tryFill(lengthSize + head); !ok || err != nil {
		return 0, false, err
	}
	if !r.opt.Accepts(r.buf[r.begin+lengthSize:][:head], int64(length)) {
		return 0, false, nil
	}
	size := lengthSize + length
	if ok, err := r.tryFill(size); !ok || err != nil {
		return int64(r.end - r.begin), false, err
	}
	if !r.opt.Accepts(r.buf[r.begin+lengthSize:][:length], int64(length)) {
		return int64(size), false, nil
	}
	if length > probeSize {
		return int64(size), true, nil
	}
	// So few bytes may look like a record by chance.
	if ok, err := r.tryFill(size + lengthSize); !ok || err != nil {
		return int64(size), err == nil, err
	}
	_, plausible = r.opt.plausible(r.buf[r.begin+size:])
	return int64(size), plausible, nil
}
