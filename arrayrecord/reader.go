package arrayrecord

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"tfr-build/tfrecord"
)

// readSize is what a Reader's buffer has.
const readSize = 128 << 10

// A Reader reads the records of a stream in order, and checks all there is to check:
// the hashes, the headers of blocks, and at the end the footer. Its methods are those
// of [tfrecord.Reader].
//
// A chunk is held as a whole. What is compressed with brotli or snappy, or transposed,
// is refused with a [*RefusedError].
type Reader struct {
	file string // named in errors
	blocks
	unpacker
	chunk   *chunk // the one at hand
	isRead  bool   // and it was not looked at yet
	ahead   *chunk // the one after it
	hasNext bool   // ahead was read
	nextErr error  // what came of that

	compression Compression
	entries     []Entry // of chunks of records, so far
	damaged     bool    // something was passed: the footer cannot be held against chunks
	footer      int64   // where it is; 0 before it was read
	last        int64   // where the file ends; 0 before the postscript was read

	next   int64 // number of the next record
	record int64 // number of the record that was read last, or whose length was
	offset int64
	end    int64
	err    error // what Next returns from now on
}

// NewReader returns a Reader of the records in r, a file whose name is in errors. It
// reads ahead.
func NewReader(r io.Reader, file string) *Reader { return newReaderAt(r, file, 0) }

// newReaderAt returns a Reader of a file from an offset on, where a chunk begins.
func newReaderAt(r io.Reader, file string, at int64) *Reader {
	return &Reader{file: file, blocks: blocks{bufio.NewReaderSize(r, readSize), at}, chunk: new(chunk), ahead: new(chunk), record: -1}
}

// Record returns the number of the record that Next, Copy or Length read last, from 0,
// and -1 before the first.
func (r *Reader) Record() int64 { return r.record }

// Offset returns where the record is that Next, Copy or Length read last: as many
// bytes after the beginning of its chunk as there are records before it in that. No
// two have the same.
func (r *Reader) Offset() int64 { return r.offset }

// End returns where the chunk ends of the record that Next or Copy read last, and 0
// before the first.
func (r *Reader) End() int64 { return r.end }

// Compression says how the records are compressed that were read so far.
func (r *Reader) Compression() Compression { return r.compression }

// Length returns how many bytes the next record has. Next or Copy then reads it. Its
// errors are those of Next.
func (r *Reader) Length() (int64, error) {
	for r.err == nil && r.chunk.left == 0 {
		if err := r.advance(); err != nil {
			if corrupt, ok := err.(*tfrecord.CorruptError); ok && corrupt.Skippable {
				r.damaged = true
				return 0, err
			}
			r.err = err
		}
	}
	if r.err != nil {
		return 0, r.err
	}
	r.record = r.next
	r.offset = r.chunk.begin + int64(r.chunk.Records-r.chunk.left)
	return int64(r.chunk.length()), nil
}

// Next returns the next record, which is valid until the next call. At the end of the
// file it returns io.EOF; what is no ArrayRecord file gives a *tfrecord.CorruptError,
// after which Next returns it again unless that is Skippable. Where the data of a
// chunk is damaged its records are counted, and the next call goes on after them.
func (r *Reader) Next() ([]byte, error) {
	if _, err := r.Length(); err != nil {
		return nil, err
	}
	r.next++
	r.end = r.chunk.end
	return r.chunk.group.next(), nil
}

// Copy reads the next record as Next does, and writes it to w. After an error of w,
// which Copy returns as it is, the Reader is of no more use.
func (r *Reader) Copy(w io.Writer) (int64, error) {
	record, err := r.Next()
	if err != nil {
		return 0, err
	}
	n, err := w.Write(record)
	r.err = err
	return int64(n), err
}

// Resync resumes after a CorruptError that is not Skippable, at the next chunk that
// can be found; io.EOF says that there is none. The header of each block says where
// that is, and in the rest of the block chunks are searched for. Record counts on as
// if no record had gone missing.
func (r *Reader) Resync() error {
	if corrupt := new(tfrecord.CorruptError); !errors.As(r.err, &corrupt) {
		return r.err
	}
	r.damaged, r.isRead, r.hasNext, r.last = true, false, false, 0
	r.err = r.search()
	if r.err != nil && r.err != io.EOF {
		r.err = r.readError(r.err)
	}
	return r.err
}

func (r *Reader) corrupt(at int64, err error) *tfrecord.CorruptError {
	return &tfrecord.CorruptError{File: r.file, Record: r.next, Offset: at, Reason: err.Error()}
}

// skippable is an error after which the next chunk can be read.
func (r *Reader) skippable(at int64, err error) error {
	e := r.corrupt(at, err)
	e.Skippable = true
	return e
}

func (r *Reader) readError(err error) error {
	name := r.file
	if name == "" {
		name = "a stream"
	}
	return fmt.Errorf("reading record %d of %s: %w", r.next, name, err)
}
