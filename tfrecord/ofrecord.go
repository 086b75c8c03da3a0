package tfrecord

import (
	"encoding/binary"
	"fmt"
)

// headTells is how much of a payload Resync looks at before the rest is read, and
// more than what is hardly ever a record by chance.
const headTells = 16

// ofrecordHeader is what header is, in an OFRecord file.
func (r *Reader) ofrecordHeader() (int, error) {
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
		return 0, r.corrupt(r.opt.aboveLimit(length), nil)
	}
	return int(length), nil
}

// ofrecordPayload is what payload is, in an OFRecord file. One that is not whole
// is not passed over: its length may be what is wrong.
func (r *Reader) ofrecordPayload(length int) ([]byte, error) {
	size := lengthSize + length
	// A length that is wrong shows before all that it claims is held.
	for n := readSize; n < size && r.opt.Whole != nil; n *= 2 {
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

// checkPayload reads n bytes of a payload, and asks whether one can begin with
// them. What it looked at in vain counts as if Resync had.
func (r *Reader) checkPayload(n, length int) error {
	r.err = r.fill(lengthSize+n, "its payload")
	looked := min(lengthSize+n, r.end-r.begin)
	if r.err == nil && r.opt.Whole != nil && !r.opt.Whole(r.buf[r.begin+lengthSize:][:n], int64(length)) {
		r.err = r.corrupt(fmt.Sprintf("the %d bytes of its payload are no whole record", length), nil)
	}
	if r.err != nil {
		r.sums += int64(looked)
	}
	return r.err
}

// ofrecordWhole is what wholeRecord is, in an OFRecord file.
func (r *Reader) ofrecordWhole() (sums int64, whole bool, err error) {
	length, plausible := r.opt.plausible(r.buf[r.begin:])
	if !plausible || r.opt.Whole == nil {
		return 0, false, nil
	}
	head := min(length, headTells) // which rules out nearly all that is no record
	if there, err := r.have(lengthSize + head); !there || err != nil {
		return 0, false, err
	}
	if !r.opt.Whole(r.buf[r.begin+lengthSize:][:head], int64(length)) {
		return 0, false, nil
	}
	size := lengthSize + length
	if there, err := r.have(size); !there || err != nil {
		return int64(r.end - r.begin), false, err
	}
	if !r.opt.Whole(r.buf[r.begin+lengthSize:][:length], int64(length)) {
		return int64(size), false, nil
	}
	if length > headTells {
		return int64(size), true, nil
	}
	// So few bytes may be a record by chance.
	if there, err := r.have(size + lengthSize); !there || err != nil {
		return int64(size), err == nil, err
	}
	_, plausible = r.opt.plausible(r.buf[r.begin+size:])
	return int64(size), plausible, nil
}
