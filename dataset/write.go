package dataset

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"tfr-build/internal/excerpt"
	"tfr-build/message"
	"tfr-build/tfrecord"
)

// WriteOptions say what Write makes of messages.
type WriteOptions struct {
	Framing     *tfrecord.Framing // nil: that of the first message
	Compression tfrecord.Compression
	Bare        bool // one message, without framing and compression
}

// Written says what Write has written.
type Written struct {
	Records int64
	Bytes   int64 // of the file
}

// A LineError says where a line is no record that can be written.
type LineError struct {
	Path      string
	Line, Col int // from 1; Col is 0 for the line as a whole
	Code      string
	Text      string
	Hint      string
	Excerpt   excerpt.Excerpt
}

func (e *LineError) Error() string {
	place := fmt.Sprintf("%s:%d", e.Path, e.Line)
	if e.Col > 0 {
		place += fmt.Sprintf(":%d", e.Col)
	}
	return fmt.Sprintf("%s: %s [%s]", place, e.Text, e.Code)
}

// Write writes to w a file of the messages in r, a line each, as [Inspect] prints
// them as JSON: from all that it prints of a file it makes the same payloads. name
// is that of r in errors; a line that cannot be written is a *LineError. Blank
// lines and a byte order mark are skipped.
func Write(ctx context.Context, w io.Writer, r io.Reader, name string, opt WriteOptions) (Written, error) {
	out := &countingWriter{w: w}
	job := writing{name: name, opt: opt, to: out}
	in := bufio.NewReaderSize(r, 64<<10)
	if head, _ := in.Peek(len(byteOrderMark)); string(head) == byteOrderMark {
		_, _ = in.Discard(len(head)) // which Peek has seen
	}
	for {
		line, err := job.next(in)
		switch {
		case err == io.EOF:
			err = job.close()
			return Written{job.records, out.n}, err
		case err == nil:
			err = ctx.Err()
		}
		if err == nil && len(bytes.TrimSpace(line)) > 0 {
			err = job.write(line)
		}
		if err != nil {
			return Written{}, err
		}
	}
}

// byteOrderMark is what editors of other systems put before a text.
const byteOrderMark = "\ufeff"

// A writing is a file that is made of lines.
type writing struct {
	name    string
	opt     WriteOptions
	to      io.Writer
	line    int // number of the last one that was read
	long    []byte
	parser  message.Parser
	payload []byte
	out     *tfrecord.Writer // made with the first message
	records int64
}

// next reads a line.
func (j *writing) next(in *bufio.Reader) ([]byte, error) {
	j.line++
	line, err := in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		j.long = j.long[:0]
		for err == bufio.ErrBufferFull && len(j.long) <= tfrecord.MaxHeld {
			j.long = append(j.long, line...)
			line, err = in.ReadSlice('\n')
		}
		j.long = append(j.long, line...)
		line = j.long
	}
	switch {
	case len(line) > tfrecord.MaxHeld:
		return nil, j.fault(0, "LIMIT_RECORD", fmt.Sprintf("a line of more than %d MiB", tfrecord.MaxHeld>>20), "")
	case err == io.EOF && len(line) > 0:
		err = nil
	case err != nil && err != io.EOF:
		err = fmt.Errorf("reading %s: %w", j.name, err)
	}
	return line, err
}

func (j *writing) fault(col int, code, text, hint string) error {
	return &LineError{Path: j.name, Line: j.line, Col: col, Code: code, Text: text, Hint: hint}
}

// write writes the message of a line.
func (j *writing) write(line []byte) (err error) {
	var kind message.Kind
	j.payload, kind, err = j.parser.Parse(j.payload[:0], line)
	if bad := new(message.JSONError); errors.As(err, &bad) {
		hint := ""
		if bad.Code == "TYPE" { // a line of plain JSON, perhaps
			hint = "tfr-build inspect -json=proto"
		}
		return &LineError{j.name, j.line, bad.At + 1, bad.Code, bad.Text, hint, excerpt.At(line, bad.At, 0)}
	}
	if j.opt.Bare {
		return j.bare()
	}
	if j.out == nil {
		j.begin(kind)
	}
	if err := j.fits(kind); err != nil {
		return err
	}
	j.records++
	return j.out.Write(j.payload)
}

// bare writes the one message of a file.
func (j *writing) bare() error {
	if j.records++; j.records > 1 {
		return j.fault(1, "JSON_TRAILING", "a second message; a bare file holds one", "")
	}
	_, err := j.to.Write(j.payload)
	return err
}

// begin begins a file whose first message, if there is any, is of that kind.
func (j *writing) begin(kind message.Kind) {
	framing := tfrecord.TFRecord
	switch {
	case j.opt.Framing != nil:
		framing = *j.opt.Framing
	case kind == message.OFRecord:
		framing = tfrecord.OFRecord
	}
	j.opt.Framing = &framing
	j.out = tfrecord.NewWriter(j.to, framing, j.opt.Compression)
}

// fits says whether readers of such a file take the message, which is of that
// kind; None is what the line gives as bytes.
func (j *writing) fits(kind message.Kind) error {
	isOFRecord := kind == message.OFRecord || kind == message.None && message.Is(message.OFRecord, j.payload)
	switch {
	case *j.opt.Framing == tfrecord.TFRecord && kind == message.OFRecord:
		return j.fault(1, "TYPE", "found an OFRecord; expected an Example or a SequenceExample, for a TFRecord file", "-format ofrecord")
	case *j.opt.Framing == tfrecord.TFRecord:
		return nil
	case j.opt.Compression != tfrecord.None:
		return j.fault(1, "TYPE", "found an OFRecord, whose files are not compressed", "leave out -compression")
	case len(j.payload) == 0:
		return j.fault(1, "MISSING", "an OFRecord without a feature, which OneFlow does not read", "")
	case !isOFRecord && kind == message.None:
		return j.fault(1, "TYPE", "found bytes that are no OFRecord, for an OFRecord file", "-format tfrecord")
	case !isOFRecord:
		return j.fault(1, "TYPE", fmt.Sprintf("found %s; expected an OFRecord, for an OFRecord file", kind.Phrase()), "-format tfrecord")
	}
	return nil
}

// close ends the file.
func (j *writing) close() error {
	if j.opt.Bare {
		if j.records == 0 {
			return j.fault(0, "MISSING", "no message; a bare file holds one", "")
		}
		return nil
	}
	if j.out == nil {
		j.begin(message.None)
	}
	return j.out.Close()
}

// A countingWriter counts what is written.
type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
