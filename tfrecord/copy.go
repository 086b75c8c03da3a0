package tfrecord

import (
	"encoding/binary"
	"fmt"
	"io"

	"tfr-build/internal/crc32c"
)

// MaxHeld is the longest payload that should be held in memory where nobody
// says what a file may hold. A Reader can copy a longer one.
const MaxHeld = 256 << 20

// pieceSize is the longest payload that Copy holds.
const pieceSize = 1 << 20

// Length reads the header of the next record and returns how many bytes its
// payload claims to have. Next or Copy then reads the record. Its errors are
// those of Next.
func (r *Reader) Length() (int64, error) {
	if r.err != nil {
		return 0, r.err
	}
	length, err := r.header()
	if err != nil {
		r.err = err
		return 0, err
	}
	r.record, r.offset = r.next, r.at
	return int64(length), nil
}

// Copy reads the next record as Next does, but writes its payload to w in
// pieces, so that a long one takes no more memory than a short one. It returns
// how many bytes it wrote: where the checksum of a payload turns out to be wrong
// they may be all of it. After an error of w, which Copy returns as it is, the
// Reader is of no more use.
func (r *Reader) Copy(w io.Writer) (int64, error) {
	if r.err != nil {
		return 0, r.err
	}
	length, err := r.header()
	if err != nil {
		r.err = err
		return 0, err
	}
	if length > pieceSize {
		n, _, err := r.copyLong(w, int64(length))
		return n, err
	}
	payload, err := r.payload(length)
	if err != nil {
		return 0, err
	}
	n, err := w.Write(payload)
	r.err = err
	return int64(n), err
}

// copyLong copies a payload whose header was read, and returns its checksum.
func (r *Reader) copyLong(w io.Writer, length int64) (n int64, sum uint32, err error) {
	r.pass(r.opt.Framing.header())
	var crc uint32
	for n < length && err == nil {
		if err = r.fill(1, "its payload"); err != nil {
			break
		}
		piece := r.buf[r.begin:min(int64(r.end), int64(r.begin)+length-n)]
		crc = crc32c.Update(crc, piece)
		var m int
		m, err = w.Write(piece)
		n += int64(m)
		r.pass(len(piece))
	}
	footer := r.opt.Framing.footer()
	if err == nil {
		err = r.fill(footer, "its payload")
	}
	if err != nil {
		r.err = err
		return n, 0, err
	}
	sum = mask(crc)
	var corrupt *CorruptError
	if r.opt.Framing == TFRecord {
		if written := binary.LittleEndian.Uint32(r.buf[r.begin:]); written != sum {
			corrupt = r.wrongChecksum(sum, written)
		}
	}
	r.consume(footer)
	if corrupt != nil {
		return n, sum, corrupt
	}
	return n, sum, nil
}

// pass drops n bytes of the buffer that belong to a record which is still being
// read.
func (r *Reader) pass(n int) {
	r.begin += n
	r.passed += int64(n)
}

func (r *Reader) wrongChecksum(found, written uint32) *CorruptError {
	corrupt := r.corrupt(fmt.Sprintf("the payload's checksum is %08x, and %08x is written", unmask(found), unmask(written)), nil)
	corrupt.Skippable = true // the length has its own checksum, which was right
	return corrupt
}

// Copy adds the next record of r, in pieces as [Reader.Copy] does. Its errors are
// those of r and of the Writer. After an error of a record that was begun the
// Writer takes no more.
func (w *Writer) Copy(r *Reader) error {
	if w.err != nil {
		return w.err
	}
	length, err := r.Length()
	if err != nil {
		return err
	}
	if length <= pieceSize {
		payload, err := r.Next()
		if err != nil {
			return err
		}
		return w.Write(payload)
	}
	w.buf = w.framing.appendHeader(w.buf, uint64(length))
	if w.flush(); w.err != nil {
		return w.err
	}
	_, sum, err := r.copyLong(w.w, length)
	if w.framing == TFRecord {
		w.buf = binary.LittleEndian.AppendUint32(w.buf, sum)
	}
	w.err = err
	return err
}
