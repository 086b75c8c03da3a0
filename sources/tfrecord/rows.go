package tfrecord

import (
	"cmp"
	"errors"
	"io"

	"tfr-build/schema"
	"tfr-build/sources/input"
	"tfr-build/sources/table"
	"tfr-build/tfrecord"
)

// Rows returns a reader that starts at the first record of a file.
func (in *recordInput) Rows(file int) (input.Rows, error) {
	p := in.packings[file]
	f, err := in.open(file, p)
	if err != nil {
		return nil, err
	}
	r := &rows{walk: walk{in: in, reader: in.newReader(f, p.Compression)}, file: f, path: in.Path(file),
		reach: table.ReachOf(&in.Files, file), hint: p.Hint}
	return r, nil
}

// rows reads the records of a file, and the damaged ranges between them.
type rows struct {
	input.NoBlank
	walk
	file   io.Closer
	path   string
	hint   string // for an unreadable first record
	reach  table.Reach
	number int64
	after  int64 // lowest possible offset of the next row
	moved  int64 // added to offsets
	rec    input.Record
}

// Close closes the file.
func (r *rows) Close() error { return r.file.Close() }

// Next returns the next record, or the damaged range before it.
func (r *rows) Next() (*input.Record, error) {
	at, err := r.next()
	switch {
	case err == io.EOF:
		return nil, err
	case err != nil:
		return nil, &input.Error{Path: r.path, Err: err}
	}
	if r.number == 0 && r.bad != nil && r.bad.Damage {
		r.bad.Hint = r.hint
	}
	// In a damaged compressed file, a damaged range and the record after it may have the same
	// offset. They are two rows, so they get different offsets.
	r.moved += max(0, r.after-at-r.moved)
	r.rec = input.Record{Offset: at + r.moved, Binary: true, Number: r.number, Raw: r.raw, Bad: r.bad}
	if err := r.reach.Check(r.rec.Offset); err != nil {
		return nil, err
	}
	r.number++
	r.after = r.rec.Offset + 1
	return &r.rec, nil
}

// A recordReader reads the records of a file.
type recordReader interface {
	Length() (int64, error)
	Next() ([]byte, error)
	Copy(io.Writer) (int64, error)
	Resync() error
	Offset() int64
	Framed() []byte
}

// A walk iterates over the records of a file.
type walk struct {
	in     *recordInput
	reader recordReader
	ended  bool
	raw    []byte           // the record with its framing; nil if damaged or too long
	bad    *schema.RowError // the record's error
}

// next reads a record or skips a damaged range. It returns the offset where that begins.
func (w *walk) next() (at int64, err error) {
	if w.ended {
		return 0, io.EOF
	}
	w.raw, w.bad = nil, nil
	length, err := w.reader.Length()
	switch long := length > int64(w.in.limit); {
	case err != nil:
	case long && w.in.format.HasChecksums: // so the length is right
		w.bad = w.in.tooLongError(length)
		_, err = w.reader.Copy(io.Discard)
	default:
		_, err = w.reader.Next()
		switch {
		case err != nil:
		case long:
			w.bad = w.in.tooLongError(length)
		default:
			w.raw = w.reader.Framed()
		}
	}
	corrupt := new(tfrecord.CorruptError)
	switch {
	case err == nil:
		return w.reader.Offset(), nil
	case !errors.As(err, &corrupt):
		return 0, cause(err)
	case corrupt.Skippable && w.bad != nil: // checksums of records that are too long are not checked
		return corrupt.Offset, nil
	}
	w.bad = damagedError(reason(corrupt))
	if corrupt.Skippable {
		w.raw = w.reader.Framed()
		return corrupt.Offset, nil
	}
	return corrupt.Offset, w.resync()
}

// resync skips a damaged range.
func (w *walk) resync() error {
	err := w.reader.Resync()
	switch corrupt := new(tfrecord.CorruptError); {
	case err == nil:
		return nil
	case err == io.EOF, errors.As(err, &corrupt): // no other record, or none that can be recognized
		w.ended = true
		return nil
	}
	return cause(err)
}

func reason(e *tfrecord.CorruptError) string {
	if e.Err != nil {
		return e.Reason + ": " + e.Err.Error()
	}
	return e.Reason
}

// cause returns the error of the file within an error of reading it.
func cause(err error) error {
	return cmp.Or(errors.Unwrap(err), err)
}
