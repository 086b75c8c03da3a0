package table

import (
	"bytes"
	"io"

	"tfr-build/sources/input"
)

// rows splits a file into its rows. Only a window of the file is in memory, and at most one row is
// longer than that.
type rows struct {
	path   string
	reach  Reach
	stream *stream
	window *window
	cutter Cutter

	offset int64 // of the window's text in the file, before decoding
	line   int64
	before int64 // number of bytes in the line before the window's text
	blank  int
	rec    input.Record
}

// Rows returns a reader that starts at the first row of a file.
func (t *Files) Rows(file int) (input.Rows, error) {
	st, err := t.open(file)
	if err != nil {
		return nil, err
	}
	f := &t.files[file]
	r := &rows{
		path: f.path, reach: ReachOf(t, file), stream: st, window: newWindow(st, t.listing.Files[file].Size,
			t.record, nil),
		cutter: t.format.NewCutter(&f.head), line: 1,
	}
	if err := r.skipHead(f.head.First); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// skipHead skips the part before the first row. A byte order mark that the decoder removed counts,
// because it is part of the file.
func (r *rows) skipHead(first int) error {
	if err := r.fill(); err != nil {
		return err
	}
	if r.stream.decoder != nil {
		r.offset = int64(r.stream.decoder.BOM)
	}
	for {
		n := min(first, len(r.window.text()))
		r.advance(n)
		if first -= n; first == 0 || r.window.eof {
			return nil
		}
		if err := r.fill(); err != nil {
			return err
		}
	}
}

func (r *rows) Close() error {
	r.window.unmap()
	return r.stream.Close()
}

func (r *rows) Blank() int { return r.blank }

// fill reads more text.
func (r *rows) fill() error {
	if err := r.window.fill(); err != nil {
		return &input.Error{Path: r.path, Err: err}
	}
	return nil
}

// advance moves past n bytes of the text.
func (r *rows) advance(n int) {
	passed := r.window.text()[:n]
	lines := int64(bytes.Count(passed, newline))
	if r.line += lines; lines > 0 {
		r.before = int64(n - bytes.LastIndexByte(passed, '\n') - 1)
	} else {
		r.before += int64(n)
	}
	if r.stream.decoder == nil {
		r.offset += int64(n)
	} else {
		r.offset += r.stream.decoder.Encoding.EncodedLen(passed)
	}
	r.window.at += n
}

var newline = []byte("\n")

func (r *rows) Next() (*input.Record, error) {
	for {
		text := r.window.text()
		n, kind, bad, more := r.cutter.Next(text, r.window.eof)
		if more {
			if r.window.eof {
				return nil, io.EOF
			}
			if err := r.fill(); err != nil {
				return nil, err
			}
			continue
		}
		if n == 0 && bad == nil {
			return nil, r.endError(text)
		}
		r.rec = input.Record{Offset: r.offset, Line: r.line, Before: r.before, Bad: bad}
		if bad != nil {
			r.rec.Judged = text
		}
		r.advance(n)
		switch kind {
		case Blank:
			r.blank++
		case Row:
			if err := r.reach.Check(r.rec.Offset); err != nil {
				return nil, err
			}
			r.rec.Raw = text[:n]
			return &r.rec, nil
		}
	}
}

// endError returns the error that makes the file invalid, or io.EOF. The error's position is in the
// text.
func (r *rows) endError(text []byte) error {
	j, ok := r.cutter.(Judge)
	if !ok || j.FileError() == nil {
		return io.EOF
	}
	e := fileError(r.path, text, j.FileError())
	if e.Line == 1 {
		e.Col += int(r.before)
	}
	if e.Line > 0 {
		e.Line += int(r.line) - 1
	}
	return e
}

// Check returns the flags that scanners have to check in the rows of a file.
func (t *Files) Check(file int) uint8 { return t.files[file].check }
