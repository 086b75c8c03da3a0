package sources

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"

	"tfr-build/schema"
	"tfr-build/sources/csv"
	"tfr-build/sources/jsonl"
)

// A Record is a row as a Rows found it.
type Record struct {
	Offset int64            // of its first byte in the decompressed file, before decoding
	Line   int64            // its first line, from 1
	Raw    []byte           // UTF-8; of a row longer than the limit just its beginning
	Bad    *schema.RowError // why it is no row that can be scanned; nil for most

	judged []byte // with Bad: what the verdict is about, which may go on beyond Raw
}

// Rows cuts a table file into its rows, one after another: the definition of
// what they are, and the way to read what cannot be mapped. The file is never
// in memory whole, only one row and a window.
type Rows struct {
	s      *Source
	file   int
	stream *stream
	csv    *csv.Cutter
	jsonl  *jsonl.Cutter
	inside bool // of a JSON line that is longer than the limit

	buf    []byte // what was read
	at     int    // of the next row in buf
	eof    bool
	offset int64 // of buf[at] in the file, before decoding
	line   int64
	Blank  int // blank lines passed over
	rec    Record
}

// windowSize is how much is read at a time.
const windowSize = 1 << 20

// Rows starts at the first row of a file.
func (s *Source) Rows(file int) (*Rows, error) {
	st, err := s.stream(file)
	if err != nil {
		return nil, err
	}
	r := &Rows{s: s, file: file, stream: st, line: 1, buf: make([]byte, 0, windowSize)}
	h := &s.tables[file].head
	if s.spec.Kind == CSV {
		r.csv = s.spec.Table.Format.NewCutter(len(h.names) == 1)
	} else {
		r.jsonl = &jsonl.Cutter{Limit: s.spec.Limits.Record}
	}
	for len(r.buf) < h.first && !r.eof {
		if err := r.fill(); err != nil {
			st.Close()
			return nil, err
		}
	}
	r.advance(min(h.first, len(r.buf)))
	if st.decoder != nil {
		r.offset += int64(st.decoder.BOM())
	}
	return r, nil
}

// Close ends the reading.
func (r *Rows) Close() error { return r.stream.Close() }

// fill reads more; what stands before the next row is dropped.
func (r *Rows) fill() error {
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
		return &InputError{r.s.tables[r.file].path, err}
	}
	return nil
}

// advance passes over n bytes.
func (r *Rows) advance(n int) {
	passed := r.buf[r.at : r.at+n]
	r.line += int64(bytes.Count(passed, newline))
	r.offset += r.s.encodedLen(passed)
	r.at += n
}

var newline = []byte("\n")

// encodedLen is how long text was in the file.
func (s *Source) encodedLen(text []byte) int64 {
	if !s.isEncoded() {
		return int64(len(text))
	}
	return s.spec.Table.Format.Encoding.EncodedLen(text)
}

// Next is the next row. It holds until the call after; io.EOF follows the last.
func (r *Rows) Next() (*Record, error) {
	for {
		n, kind, bad, more := r.cut()
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
		r.rec = Record{Offset: r.offset, Line: r.line, Bad: bad}
		if bad != nil {
			r.rec.judged = r.buf[start:]
		}
		r.advance(n)
		switch kind {
		case csv.Blank:
			r.Blank++
		case csv.Row:
			r.rec.Raw = r.buf[start : start+n]
			return &r.rec, nil
		}
	}
}

// cut finds the end of what stands at r.at.
func (r *Rows) cut() (n int, kind csv.Kind, bad *schema.RowError, more bool) {
	window := r.buf[r.at:]
	if r.csv != nil {
		return r.csv.Next(window, r.eof)
	}
	return r.cutLine(window)
}

// cutLine is cut for JSON lines, of which one longer than the limit comes in
// pieces.
func (r *Rows) cutLine(window []byte) (n int, kind csv.Kind, bad *schema.RowError, more bool) {
	inside := r.inside
	n, blank, goesOn := r.jsonl.Next(window, r.eof)
	if n == 0 {
		return 0, csv.Row, nil, true
	}
	r.inside = goesOn
	switch {
	case inside:
		return n, csv.Rest, nil, false
	case blank:
		return n, csv.Blank, nil, false
	case goesOn || n > r.s.spec.Limits.Record+1:
		return n, csv.Row, longLine(r.s.spec.Limits.Record), false
	}
	return n, csv.Row, nil, false
}

func longLine(limit int) *schema.RowError {
	return &schema.RowError{Code: "LIMIT_RECORD", At: limit, Message: fmt.Sprintf("the line is longer than limits.record, %d bytes", limit), Hint: recordHint(2 * int64(limit))}
}

// recordHint is the key that lets size bytes be a record, empty if none does.
func recordHint(size int64) string {
	const mib, most = 1 << 20, math.MaxInt32
	if up := (size + mib - 1) / mib; up*mib <= most {
		return fmt.Sprintf("limits: {record: %dMiB}", up)
	}
	return ""
}
