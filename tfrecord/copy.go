package tfrecord

import (
	"encoding/binary"
	"fmt"
	"io"

	"tfr-build/internal/crc32c"
)

// MaxInMemory is the default limit for payloads that are read into memory, in bytes. [Reader.Copy]
// can copy longer payloads.
const MaxInMemory = 256 << 20

// chunkSize is the size of the longest payload that Copy reads into memory.
const chunkSize = 1 << 20

// Length reads the header of the next record, and returns the size of its payload according to the
// header, in bytes. Next or Copy then reads the record. Length returns the same errors as Next.
func (r *Reader) Length() (int64, error) {
	if r.err != nil {
		return 0, r.err
	}
	length, err := r.readHeader()
	if err != nil {
		r.err = err
		return 0, err
	}
	r.record, r.offset = r.next, r.at
	return int64(length), nil
}

// Copy reads the next record like Next, but writes its payload to w in chunks. So a long payload
// needs no more memory than a short one. It returns the number of bytes written. If the checksum of
// the payload is wrong, all of the payload may have been written. It returns an error of w
// unchanged; after it, the Reader cannot be used.
func (r *Reader) Copy(w io.Writer) (int64, error) {
	if r.err != nil {
		return 0, r.err
	}
	length, err := r.readHeader()
	if err != nil {
		r.err = err
		return 0, err
	}
	if length > chunkSize {
		n, _, err := r.copyLong(w, int64(length))
		return n, err
	}
	payload, err := r.readPayload(length)
	if err != nil {
		return 0, err
	}
	n, err := w.Write(payload)
	r.err = err
	return int64(n), err
}

// copyLong copies a payload after its header was read, and returns its checksum.
func (r *Reader) copyLong(w io.Writer, length int64) (n int64, sum uint32, err error) {
	r.discard(r.opt.Framing.headerSize())
	var crc uint32
	for n < length && err == nil {
		if err = r.fill(1, "its payload"); err != nil { // any byte: what is buffered is written at once
			break
		}
		chunk := r.buf[r.begin:min(int64(r.end), int64(r.begin)+length-n)]
		crc = crc32c.Update(crc, chunk)
		var m int
		m, err = w.Write(chunk)
		n += int64(m)
		r.discard(len(chunk))
	}
	footer := r.opt.Framing.footerSize()
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
	r.consume(footer) // also of a damaged payload: the next record can be read
	if corrupt != nil {
		return n, sum, corrupt
	}
	return n, sum, nil
}

// discard drops n bytes of the current record from the buffer.
func (r *Reader) discard(n int) {
	r.begin += n
	r.passed += int64(n)
}

func (r *Reader) wrongChecksum(found, written uint32) *CorruptError {
	corrupt := r.corrupt(fmt.Sprintf("the payload's checksum is %08x, and %08x is written", unmask(found),
		unmask(written)), nil)
	corrupt.Skippable = true // the length has its own checksum, which was valid
	return corrupt
}

// Copy adds the next record of r, in chunks like [Reader.Copy]. It returns the errors of r and of
// the Writer. After an error within a record, the Writer accepts no more records.
func (w *Writer) Copy(r *Reader) error {
	if w.err != nil {
		return w.err
	}
	length, err := r.Length()
	if err != nil {
		return err
	}
	if length <= chunkSize {
		payload, err := r.Next()
		if err != nil {
			return err
		}
		return w.Write(payload)
	}
	w.buf = w.framing.appendHeader(w.buf, uint64(length))
	if w.flush(); w.err != nil { // before the payload, which does not pass through buf
		return w.err
	}
	_, sum, err := r.copyLong(w.w, length)
	if w.framing == TFRecord {
		w.buf = binary.LittleEndian.AppendUint32(w.buf, sum)
	}
	w.err = err
	return err
}
