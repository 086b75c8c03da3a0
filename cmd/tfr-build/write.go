package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"tfr-build/dataset"
	"tfr-build/framing"
	"tfr-build/internal/exit"
	"tfr-build/internal/store"
	"tfr-build/sources/input"
	"tfr-build/tfrecord"
)

var writeCommand = &command{
	name: "write", group: recordGroup, about: "write a TFRecord or OFRecord file from JSON Lines",
	most: 1, operand: oneFile, writes: true, run: write,
	flags: "output format compression bare overwrite quiet log-format",
	means: map[string]flagMeaning{
		"output":    {oneFile, "file to write; - is standard output. Required"},
		"overwrite": {about: "replace an existing file"},
	},
	synopsis: []string{"write [flags] -o FILE [INPUT]"},
	text: `Writes a file of records from JSON Lines in INPUT or on standard input. Each
line is a message in protobuf JSON: an Example, a SequenceExample, or an
OFRecord; or {"payload": "BASE64"}, which stands for raw bytes. Lines printed by
tfr-build inspect --json=proto give the same payloads, byte for byte; the plain
lines of inspect --json are refused, since they lack the types. The file is
published complete or not at all. The last line on standard output is
  wrote FILE records=N bytes=N`,
}

// standard is the name of standard input and output.
const standard = "-"

func write(ctx context.Context, c *call) error {
	opt, err := c.writeOptions()
	if err != nil {
		return err
	}
	in, name, err := c.openInput(ctx)
	if err != nil {
		return err
	}
	defer in.Close()
	if c.Output == standard {
		c.prints = true
		_, err := dataset.Write(ctx, c.stdout, in, name, opt)
		return asInputError(name, err)
	}
	path, err := c.target(c.Output, replacesIt)
	if err != nil {
		return err
	}
	var written dataset.Written
	err = store.OS().Local().WriteFile(path, func(w io.Writer) error {
		written, err = dataset.Write(ctx, w, in, name, opt)
		return err
	})
	if err != nil {
		return asInputError(name, err)
	}
	shown := c.shown(c.Output)
	c.outcome = facts{"result": "wrote", "path": shown, "records": written.Records, "bytes": written.Bytes}
	c.printResult(nil, "wrote %s records=%d bytes=%d\n", shown, written.Records, written.Bytes)
	return nil
}

// writeOptions returns the options of a file to write, or an error if flags are missing or exclude each other.
func (c *call) writeOptions() (opt dataset.WriteOptions, err error) {
	if opt.Compression, err = tfrecord.ParseCompression(c.compression); err != nil {
		return opt, err
	}
	opt.Framing, _ = framing.ByName(c.framing) // nil: the first message decides
	switch {
	case c.Output == "":
		err = usagef(c.cmd.example(), "write: no output file given")
	case c.bare && (opt.Framing != nil || opt.Compression != tfrecord.None):
		err = usagef("", "write: --bare is without --format and --compression")
	case c.bare:
		opt.Framing = framing.Bare()
	case opt.Framing != nil && !opt.Framing.HasCompression(c.compression):
		err = usagef("", "write: %s cannot be compressed with %s", opt.Framing.Files, c.compression)
	}
	return opt, err
}

// openInput opens the input, and returns its name for messages.
func (c *call) openInput(ctx context.Context) (in io.ReadCloser, name string, err error) {
	if len(c.operands) == 0 || c.operands[0] == standard {
		return untilDone(ctx, os.Stdin), "standard input", nil
	}
	name = c.operands[0]
	f, err := store.OS().Local().Open(name)
	if err != nil {
		return nil, name, &input.Error{Path: name, Err: err}
	}
	return untilDone(ctx, f), name, nil
}

// untilDone returns a reader that ends when ctx is done. A terminal or a pipe may not send anything
// for a long time, and reading from them cannot be canceled.
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

// replacesIt is the hint for an existing file in commands with -overwrite.
const replacesIt = "--overwrite replaces it"

// target returns the path of the file to be written under a name, with links resolved. It returns
// an error if it is in a dataset, is the input, or exists and must not be replaced. help is the hint
// that says how to replace it.
func (c *call) target(name, help string) (string, error) {
	local := store.OS().Local()
	path, err := local.Resolve(name)
	if err != nil {
		return "", &store.WriteError{Path: name, Err: store.Cause(err)}
	}
	if inDataset(path) {
		return "", &commandError{exit.InWay, name, "it is in a dataset, whose files are all in its manifest",
			"-o names another one"}
	}
	info, err := local.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path, nil
	case err != nil:
		return "", &store.WriteError{Path: name, Err: store.Cause(err)}
	case !info.Mode().IsRegular():
		return "", &commandError{exit.InWay, name, "it already exists, and is not a file", "-o names another one"}
	case !c.Overwrite:
		return "", &commandError{exit.InWay, name, "it already exists", help}
	}
	for _, operand := range c.operands {
		if in, err := os.Stat(operand); err == nil && os.SameFile(in, info) {
			return "", &commandError{exit.InWay, name, "it is the input", "-o names another one"}
		}
	}
	return path, nil
}
