package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"tfr-build/dataset"
	"tfr-build/internal/exit"
	"tfr-build/sources/input"
)

var inspectCommand = &command{
	name: "inspect", about: "print the records of TFRecord, OFRecord and ArrayRecord files",
	most: anyNumber, operand: fileOperand, prints: true, run: inspect,
	flags: []string{"n", "skip", "json", "retry", "log-format"},
	usage: `usage: tfr-build inspect [flags] FILE|DIR...

Prints the records of TFRecord files, compressed or not, of OFRecord files and
of ArrayRecord files, uncompressed or zstd: Examples, SequenceExamples and
OFRecords by feature, ExampleListWithContexts by Example and feature, other
payloads as bytes. A file that is one bare message is one record. DIR is a
dataset; its records are those of its shards, one after another, and what they
are its manifest says. Of a file the beginning says how it is framed. A payload
is a SequenceExample if it has feature lists, and else an Example if it is one;
a bare message that is neither may be an OFRecord.

flags:
  -n N                  print N records of each FILE or DIR (all)
  -skip N               skip the first N records of each (0)
  -json                 print a JSON object a line, as protobuf has it, from
                        which write makes the same payloads; other payloads
                        are {"payload": "BASE64"}, and messages that protobuf
                        would write in other bytes have that key, too. A record
                        of more than 256 MiB is refused
  -retry TIME           repeat failed requests to a store for TIME, such as 90s
                        or 20m; 0 disables retries (5m)
  -log-format FORMAT    text, or json: an object a line, also of the records
                        (text)
`,
}

func inspect(ctx context.Context, c *call) error {
	if len(c.operands) == 0 {
		return usagef("tfr-build help inspect", "inspect: which files? Name them, or datasets")
	}
	fsys := reached(ctx, c, nil)
	defer fsys.Close()
	opt := dataset.InspectOptions{FS: fsys, Skip: c.skip, Limit: c.n, JSON: c.json}
	for _, name := range c.operands {
		info, err := fsys.Stat(name)
		switch {
		case err != nil:
			return &input.Error{Path: name, Err: err}
		case info.IsDir():
			err = reading(name, dataset.InspectDataset(c.stdout, name, opt, c.printTitle))
		default:
			err = c.inspectFile(name, opt)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *call) inspectFile(name string, opt dataset.InspectOptions) error {
	f, err := opt.FS.Open(name)
	if err != nil {
		return &input.Error{Path: name, Err: err}
	}
	defer f.Close()
	if len(c.operands) > 1 {
		c.printTitle(name)
	}
	return reading(name, dataset.Inspect(c.stdout, f, name, opt))
}

// printTitle prints which file the records are from.
func (c *call) printTitle(path string) {
	if !c.json {
		fmt.Fprintf(c.stdout, "%s:\n", printable(c.log.path(path)))
	}
}

// reading says of an error in reading name, or a file of the dataset name, that
// it is one, unless it has a place already or is of standard output.
func reading(name string, err error) error {
	if err == nil || is[*resultError](err) || exitCode(err) != exit.Failed {
		return err
	}
	if e := new(fs.PathError); errors.As(err, &e) {
		return &input.Error{Path: e.Path, Err: e.Err}
	}
	return &input.Error{Path: name, Err: err}
}
