package records

import (
	"errors"
	"io"

	"tfr-build/schema"
	"tfr-build/sources/input"
	"tfr-build/sources/table"
	"tfr-build/tfrecord"
)

// Rows starts at the first record of a file.
func (in *recordInput) Rows(file int) (input.Rows, error) {
	p := in.packings[file]
	f, err := in.open(file, p)
	if err != nil {
		return nil, err
	}
	r := &rows{walk: walk{in: in, reader: in.reader(f, p.Compression)}, file: f, path: in.Path(file), reach: table.ReachOf(in.Files, file), hint: p.Hint}
	return r, nil
}

// rows are the records of a file, and what is damaged between them.
type rows struct {
	walk
	file   io.Closer
	path   string
	hint   string // where the first record cannot be read
	reach  table.Reach
	number int64
	after  int64 // the lowest offset that the next row may have
	moved  int64 // what is added to offsets
	rec    input.Record
}

// Blank is 0: there are no lines.
func (r *rows) Blank() int { return 0 }

// Close closes the file.
func (r *rows) Close() error { return r.file.Close() }

// Next is the next record, or what is damaged before it.
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
	// Of a damaged compressed file it may be that nothing can be read between two
	// records: the stretch and what follows it are two rows all the same.
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

// A walk goes from record to record.
type walk struct {
	in     *recordInput
	reader recordReader
	ended  bool
	raw    []byte           // the record with its framing; none of what is damaged, or too long
	bad    *schema.RowError // what is wrong with it
}

// next reads a record, or passes a damaged stretch, and tells where it begins.
func (w *walk) next() (at int64, err error) {
	if w.ended {
		return 0, io.EOF
	}
	w.raw, w.bad = nil, nil
	length, err := w.reader.Length()
	switch long := length > int64(w.in.limit); {
	case err != nil:
	case long && w.in.framing == tfrecord.TFRecord: // whose length has a checksum
		w.bad = w.in.tooLong(length)
		_, err = w.reader.Copy(io.Discard)
	default:
		_, err = w.reader.Next()
		switch {
		case err != nil:
		case long:
			w.bad = w.in.tooLong(length)
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
	case corrupt.Skippable && w.bad != nil: // of a record that is too long no checksum is looked at
		return corrupt.Offset, nil
	}
	w.bad = damaged(reason(corrupt))
	if corrupt.Skippable {
		w.raw = w.reader.Framed()
		return corrupt.Offset, nil
	}
	return corrupt.Offset, w.resync()
}

// resync passes what is damaged.
func (w *walk) resync() error {
	err := w.reader.Resync()
	switch corrupt := new(tfrecord.CorruptError); {
	case err == nil:
		return nil
	case err == io.EOF, errors.As(err, &corrupt): // there is no other, or none that can be told
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

// cause is what the file said, of an error of reading it.
func cause(err error) error {
	if inner := errors.Unwrap(err); inner != nil {
		return inner
	}
	return err
}
