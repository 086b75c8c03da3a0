package table

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"tfr-build/order"
	"tfr-build/sources/input"
)

// rows cuts a file into its rows. The file is never in memory whole, only one row
// and a window.
type rows struct {
	path   string
	stream *stream
	cutter Cutter
	most   int64 // the offset that no row may have

	buf    []byte // what was read
	at     int    // of the next row in buf
	eof    bool
	offset int64 // of buf[at] in the file, before decoding
	line   int64
	blank  int
	rec    input.Record
}

// windowSize is how much is read at a time.
const windowSize = 1 << 20

// Rows starts at the first row of a file.
func (t *Files) Rows(file int) (input.Rows, error) {
	st, err := t.open(file)
	if err != nil {
		return nil, err
	}
	f := &t.files[file]
	r := &rows{path: f.path, stream: st, line: 1, buf: make([]byte, 0, windowSize), cutter: t.format.NewCutter(&f.head)}
	if t.isStreamed(file) {
		r.most = order.CompressedSize
	}
	for len(r.buf) < f.head.First && !r.eof {
		if err := r.fill(); err != nil {
			st.Close()
			return nil, err
		}
	}
	r.advance(min(f.head.First, len(r.buf)))
	if st.decoder != nil {
		r.offset += int64(st.decoder.BOM())
	}
	return r, nil
}

func (r *rows) Close() error { return r.stream.Close() }

func (r *rows) Blank() int { return r.blank }

// fill reads more; what stands before the next row is dropped.
func (r *rows) fill() error {
	if r.at > 0 {
		r.buf = append(r.buf[:0], r.buf[r.at:]...)
		r.at = 0
	}
	if len(r.buf) == cap(r.buf) {
		r.buf = slices.Grow(r.buf, len(r.buf))
	}
	n, err := r.stream.Read(r.buf[len(r.buf):cap(r.buf)])
	r.buf = r.buf[:len(r.buf)+n]
	if err == io.EOF {
		r.eof = true
	} else if err != nil {
		return &input.Error{Path: r.path, Err: err}
	}
	return nil
}

// advance skips n bytes.
func (r *rows) advance(n int) {
	skipped := r.buf[r.at : r.at+n]
	r.line += int64(bytes.Count(skipped, newline))
	if r.stream.decoder == nil {
		r.offset += int64(n)
	} else {
		r.offset += r.stream.decoder.EncodedLen(skipped)
	}
	r.at += n
}

var newline = []byte("\n")

var errTooLong = errors.New("more than 2^40 bytes when decompressed")

func (r *rows) Next() (*input.Record, error) {
	for {
		n, kind, bad, more := r.cutter.Next(r.buf[r.at:], r.eof)
		if more {
			if r.eof {
				return nil, io.EOF
			}
			if err := r.fill(); err != nil {
				return nil, err
			}
			continue
		}
		if n == 0 {
			return nil, io.EOF
		}
		start := r.at
		r.rec = input.Record{Offset: r.offset, Line: r.line, Bad: bad}
		if bad != nil {
			r.rec.Judged = r.buf[start:]
		}
		r.advance(n)
		switch kind {
		case Blank:
			r.blank++
		case Row:
			if r.most > 0 && r.rec.Offset >= r.most {
				return nil, &input.Error{Path: r.path, Err: errTooLong}
			}
			r.rec.Raw = r.buf[start : start+n]
			return &r.rec, nil
		}
	}
}

// Check is what scanners have to check in the rows of a file.
func (t *Files) Check(file int) uint8 { return t.files[file].check }
