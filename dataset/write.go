package dataset

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"tfr-build/framing"
	"tfr-build/message"
	"tfr-build/schema"
	"tfr-build/tfrecord"
)

// WriteOptions control the file that Write writes.
type WriteOptions struct {
	Framing     *framing.Format // nil: the first message decides
	Compression tfrecord.Compression
}

// Written has the size of the output.
type Written struct {
	Records int64
	Bytes   int64 // of the file
}

// A LineError is an error in a line of the input.
type LineError struct {
	Path      string
	Line, Col int // from 1; Col is 0 for the complete line
	Code      string
	Text      string
	Hint      string
	JSON      []byte // the line, if the error is in its JSON
}

func (e *LineError) Error() string {
	position := fmt.Sprintf("%s:%d", e.Path, e.Line)
	if e.Col > 0 {
		position += fmt.Sprintf(":%d", e.Col)
	}
	return fmt.Sprintf("%s: %s [%s]", position, e.Text, e.Code)
}

// Write reads messages from r, one per line in the JSON of [Inspect], and writes a file to w. The
// complete JSON of a file gives equal payloads. name is the name of r in errors. If a line is
// invalid, the error is a *LineError. Blank lines and a byte order mark are skipped.
func Write(ctx context.Context, w io.Writer, r io.Reader, name string, opt WriteOptions) (Written, error) {
	out := &countingWriter{w: w}
	job := writeJob{name: name, opt: opt, to: out}
	in := bufio.NewReaderSize(r, 64<<10)
	if head, _ := in.Peek(len(byteOrderMark)); string(head) == byteOrderMark {
		_, _ = in.Discard(len(head)) // cannot fail after Peek
	}
	for {
		line, err := job.readLine(in)
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

// byteOrderMark is a prefix that some editors add to text files.
const byteOrderMark = "\ufeff"

// A writeJob writes a file from lines.
type writeJob struct {
	name    string
	opt     WriteOptions
	to      io.Writer
	line    int // number of the last line
	long    []byte
	parser  message.Parser
	payload []byte
	out     framing.Writer // created with the first message
	records int64
}

// readLine reads a line.
func (j *writeJob) readLine(in *bufio.Reader) ([]byte, error) {
	j.line++
	line, err := in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		j.long = j.long[:0]
		for err == bufio.ErrBufferFull && len(j.long) <= tfrecord.MaxInMemory {
			j.long = append(j.long, line...)
			line, err = in.ReadSlice('\n')
		}
		j.long = append(j.long, line...)
		line = j.long
	}
	switch {
	case len(line) > tfrecord.MaxInMemory:
		return nil, j.lineError(0, "LIMIT_RECORD", fmt.Sprintf("a line of more than %d MiB", tfrecord.MaxInMemory>>20),
			"")
	case err == io.EOF && len(line) > 0:
		err = nil
	case err != nil && err != io.EOF:
		err = fmt.Errorf("reading %s: %w", j.name, err)
	}
	return line, err
}

func (j *writeJob) lineError(col int, code, text, hint string) error {
	return &LineError{Path: j.name, Line: j.line, Col: col, Code: code, Text: text, Hint: hint}
}

// write writes the message in a line.
func (j *writeJob) write(line []byte) (err error) {
	var kind message.Kind
	j.payload, kind, err = j.parser.Parse(j.payload[:0], line)
	if bad := new(message.JSONError); errors.As(err, &bad) {
		hint := ""
		if bad.Code == "TYPE" { // may be a line of plain JSON
			hint = "tfr-build inspect --json=proto"
		}
		return &LineError{j.name, j.line, bad.At + 1, bad.Code, bad.Text, hint, line}
	}
	if j.out == nil {
		if err := j.createWriter(kind); err != nil {
			return err
		}
	}
	if err := j.checkKind(kind); err != nil {
		return err
	}
	j.records++
	return j.out.Write(j.payload)
}

// createWriter creates the writer of a file whose first message has that kind. For a file without
// messages, kind is None.
func (j *writeJob) createWriter(kind message.Kind) (err error) {
	if j.opt.Framing == nil {
		j.opt.Framing = framing.ByMessage(kind)
	}
	j.out, err = j.opt.Framing.NewWriter(j.to, j.opt.Compression.String())
	return err
}

// checkKind returns an error if readers of the file cannot read a message of that kind. For kind
// None, the line has bytes, and the payload decides.
func (j *writeJob) checkKind(kind message.Kind) error {
	of := j.opt.Framing
	expected := schema.ImpliedMessage(of.Message) // of files that hold only one message
	fits := kind == of.Message || kind == message.None && message.Is(of.Message, j.payload)
	switch {
	case of.IsSingle && j.records > 0:
		return j.lineError(1, "JSON_TRAILING", "a second message; a bare file holds one", "")
	case of.IsSingle:
		return nil
	case of.Message == message.None && framing.ByMessage(kind) != framing.Default():
		found := schema.MessageOfKind(kind)
		return j.lineError(1, "TYPE", fmt.Sprintf("found %v; expected an Example or a SequenceExample, for %s", found,
			of.Files), "--format "+framing.ByMessage(kind).Name)
	case of.Message == message.None:
		return nil
	case j.opt.Compression != tfrecord.None:
		return j.lineError(1, "TYPE", fmt.Sprintf("found %v, whose files are not compressed", expected),
			"leave out --compression")
	case len(j.payload) == 0:
		return j.lineError(1, "MISSING", fmt.Sprintf("%v without a feature, which OneFlow does not read", expected), "")
	case !fits && kind == message.None:
		return j.lineError(1, "TYPE", fmt.Sprintf("found bytes that are not %v, for %s", expected, of.Files),
			"--format "+framing.Default().Name)
	case !fits:
		return j.lineError(1, "TYPE", fmt.Sprintf("found %s; expected %v, for %s", kind.Phrase(), expected, of.Files),
			"--format "+framing.Default().Name)
	}
	return nil
}

// close completes the file.
func (j *writeJob) close() error {
	if j.out == nil {
		if err := j.createWriter(message.None); err != nil {
			return err
		}
	}
	if j.opt.Framing.IsSingle && j.records == 0 {
		return j.lineError(0, "MISSING", "no message; a bare file holds one", "")
	}
	return j.out.Close()
}

// A countingWriter counts the bytes that it writes.
type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
