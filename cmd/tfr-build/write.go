package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"tfr-build/dataset"
	"tfr-build/internal/vfs"
	"tfr-build/sources/input"
	"tfr-build/tfrecord"
)

var writeCommand = &command{
	name: "write", about: "make a TFRecord or OFRecord file of JSON lines",
	most: 1, operand: fileOperand, writes: true, run: write,
	flags: []string{"o", "format", "compression", "bare", "overwrite", "quiet", "log-format"},
	usage: `usage: tfr-build write [flags] -o OUT [FILE]

Makes a file of records from JSON lines, as inspect -json=proto prints them, in
FILE or on standard input. Each line is a message: an Example, an OFRecord or a
SequenceExample as protobuf has it in JSON, or {"payload": "BASE64"}, the bytes
themselves. What inspect -json=proto printed gives the same payloads, byte for
byte. The plain lines of inspect -json are refused: they lack the types.
OUT appears whole or not at all. The last line on standard output is
  wrote OUT records=N bytes=N

flags:
  -o OUT                write to OUT; - is standard output
  -format FORMAT        tfrecord or ofrecord (tfrecord, unless the first
                        message is an OFRecord)
  -compression NAME     none, gzip or zlib, of TFRecord files (none)
  -bare                 write the one message as it is, without framing
  -overwrite            replace the file OUT
  -quiet                say nothing but errors
  -log-format FORMAT    text, or json: an object a line (text)
`,
}

// standard is the name of standard input and output.
const standard = "-"

// An inWayError says that something has the name of a file to be written.
type inWayError struct{ path, text, hint string }

func (e *inWayError) Error() string { return e.path + ": " + e.text }

func write(ctx context.Context, c *call) error {
	if err := c.checkWrite(); err != nil {
		return err
	}
	in, name, err := c.lines(ctx)
	if err != nil {
		return err
	}
	defer in.Close()
	opt := dataset.WriteOptions{Framing: c.framing, Compression: c.compression, Bare: c.bare}
	if c.out == standard {
		c.prints = true
		_, err := dataset.Write(ctx, c.stdout, in, name, opt)
		return reading(name, err)
	}
	path, err := c.target(c.out)
	if err != nil {
		return err
	}
	var written dataset.Written
	err = vfs.WriteFile(vfs.OS(), path, func(w io.Writer) error {
		written, err = dataset.Write(ctx, w, in, name, opt)
		return err
	})
	if err != nil {
		return reading(name, err)
	}
	shown := printable(c.log.path(c.out))
	c.came = facts{"result": "wrote", "path": shown, "records": written.Records, "bytes": written.Bytes}
	c.tell(nil, "wrote %s records=%d bytes=%d\n", shown, written.Records, written.Bytes)
	return nil
}

// checkWrite refuses flags that are missing, or exclude each other.
func (o *options) checkWrite() error {
	isCompressed := o.compression != tfrecord.None
	switch {
	case o.out == "":
		return usagef("tfr-build help write", "write: where to? -o OUT names a file, -o - standard output")
	case o.bare && (o.framing != nil || isCompressed):
		return usagef("", "write: -bare is without -format and -compression")
	case isCompressed && o.framing != nil && *o.framing == tfrecord.OFRecord:
		return usagef("", "write: OFRecord files are not compressed")
	}
	return nil
}

// lines opens what is read, and names it.
func (c *call) lines(ctx context.Context) (in io.ReadCloser, name string, err error) {
	if len(c.operands) == 0 || c.operands[0] == standard {
		return untilDone(ctx, os.Stdin), "standard input", nil
	}
	name = c.operands[0]
	f, err := vfs.OS().Open(name)
	if err != nil {
		return nil, name, &input.Error{Path: name, Err: err}
	}
	return untilDone(ctx, f), name, nil
}

// untilDone reads a file until ctx is done: a terminal or a pipe may give nothing
// for long, and reading them cannot be stopped.
func untilDone(ctx context.Context, f io.ReadCloser) io.ReadCloser {
	out, in := io.Pipe()
	go func() {
		defer f.Close()
		_, err := io.Copy(in, f)
		in.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { in.CloseWithError(context.Cause(ctx)) })
	return out
}

// target is the file to be written under a name, which links lead to. It is not there,
// or may be replaced.
func (c *call) target(name string) (string, error) {
	fsys := vfs.OS()
	path, err := fsys.Resolve(name)
	if err != nil {
		return "", &vfs.WriteError{Path: name, Err: vfs.Cause(err)}
	}
	info, err := fsys.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path, nil
	case err != nil:
		return "", &vfs.WriteError{Path: name, Err: vfs.Cause(err)}
	case !info.Mode().IsRegular():
		return "", &inWayError{name, "it is there already, and no file", "-o names another one"}
	case !c.overwrite:
		return "", &inWayError{name, "it is there already", "-overwrite replaces it"}
	}
	return path, nil
}
