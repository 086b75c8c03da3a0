package arrayrecord

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"tfr-build/tfrecord"
)

// readSize is the size of a Reader's buffer.
const readSize = 128 << 10

// A Reader reads the records of a stream in order. It checks the hashes, the block headers, and at
// the end the footer. It has the methods of [tfrecord.Reader].
//
// It reads chunks into memory completely. It rejects transposed chunks, and chunks compressed with
// brotli or snappy, with a [*RefusedError].
type Reader struct {
	file string // file name for errors
	blocks
	decoder
	chunk   *chunk // the current chunk
	isRead  bool   // chunk was read, but not decoded
	ahead   *chunk // the chunk after it
	hasNext bool   // ahead was read
	nextErr error  // the result of reading ahead

	compression Compression
	entries     []chunkEntry // entries of the chunks of records so far
	damaged     bool         // chunks were skipped: the footer cannot be compared with the chunks
	footer      int64        // offset of the footer; 0 if it was not read yet
	last        int64        // end of the file; 0 if the postscript was not read yet

	next   int64 // number of the next record
	record int64 // number of the record that Next, Copy, or Length read last
	offset int64
	end    int64
	err    error // what Next returns from now on
}

// NewReader returns a Reader of the records in r. file is the file's name for errors. It reads
// ahead.
func NewReader(r io.Reader, file string) *Reader { return newReaderAt(r, file, 0) }

// newReaderAt returns a Reader of a file from offset at on, where a chunk begins.
func newReaderAt(r io.Reader, file string, at int64) *Reader {
	return &Reader{file: file, blocks: blocks{bufio.NewReaderSize(r, readSize), at}, chunk: new(chunk),
		ahead: new(chunk), record: -1}
}

// Record returns the number of the record that Next, Copy, or Length read last. Records are
// numbered from 0; before the first it returns -1.
func (r *Reader) Record() int64 { return r.record }

// Offset returns the offset of the record that Next, Copy, or Length read last: the offset of its
// chunk plus the number of records before it in the chunk. Each record has a different offset.
func (r *Reader) Offset() int64 { return r.offset }

// End returns the end of the chunk of the record that Next or Copy read last. Before the first
// record it returns 0.
func (r *Reader) End() int64 { return r.end }

// Compression returns the compression of the records that were read so far.
func (r *Reader) Compression() Compression { return r.compression }

// Length returns the size of the next record in bytes. Next or Copy then reads the record. Length
// returns the same errors as Next.
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

// Next returns the next record, which is valid until the next call. At the end of the file it
// returns io.EOF. If the file is not a valid ArrayRecord file, it returns a *tfrecord.CorruptError;
// it returns the same error again unless the error is Skippable. If the data of a chunk is damaged,
// its records are counted, and the next call continues after them.
func (r *Reader) Next() ([]byte, error) {
	if _, err := r.Length(); err != nil {
		return nil, err
	}
	r.next++
	r.end = r.chunk.end
	return r.chunk.group.next(), nil
}

// Copy reads the next record like Next, and writes it to w. It returns an error of w unchanged;
// after it, the Reader cannot be used.
func (r *Reader) Copy(w io.Writer) (int64, error) {
	record, err := r.Next()
	if err != nil {
		return 0, err
	}
	n, err := w.Write(record)
	r.err = err
	return int64(n), err
}

// Resync resumes after a CorruptError that is not Skippable, at the next chunk that it finds. It
// returns io.EOF if it finds none. The header of each block has the distance to the next chunk;
// within the rest of a block, Resync searches for chunk headers. Record continues as if no record
// had been lost.
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

// skippable returns an error after which the next chunk can be read.
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
