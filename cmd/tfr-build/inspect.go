package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"tfr-build/dataset"
	"tfr-build/internal/exit"
	"tfr-build/internal/nearest"
	"tfr-build/pipeline"
	"tfr-build/sources/input"
)

var inspectCommand = &command{
	name: "inspect", meant: "list ls cat head show print dump view", group: lookGroup,
	about: "print the records of datasets and record files",
	least: 1, most: unlimited, needs: "files or datasets", operand: oneFile, prints: true, proto: true, run: inspect,
	flags: "split records skip json retry log-format",
	means: map[string]flagMeaning{"json": {about: `print one JSON object per record; --json=proto prints protobuf ` +
		`JSON, from which tfr-build write makes the same payloads; a payload that JSON cannot express is {"payload": ` +
		`"BASE64"}`}},
	synopsis: []string{"inspect [flags] FILE|DIR..."},
	text: `Prints the records of datasets (DIR) and of TFRecord, OFRecord, and ArrayRecord
files, compressed or not. Examples, SequenceExamples, OFRecords, and
ExampleListWithContexts are printed by feature, other payloads as bytes. The
format is detected from the first bytes of a file; a dataset's manifest names
it. A file with one message and no framing is one record. Classes of a dataset
have their names, as "2 (Torgersen)". Records of more than 256 MiB are refused.

With --json each record is one line, such as {"id":1,"name":"goat"}:
  - Bytes are a string if they are text, else {"base64": "..."}.
  - A list of one value prints as the value. In a dataset the shape and type
    in its config decide: lists stay lists, bytes are always base64.
  - Numbers have all their digits; NaN and infinities are strings.
  - A SequenceExample is {"context": {...}, "feature_lists": {...}}.
  - A payload without features is {"text": "..."} or {"base64": "..."}.`,
}

func inspect(ctx context.Context, c *call) error {
	from := openStorage(ctx, c, nil)
	defer from.Close()
	opt := dataset.InspectOptions{Store: from, Skip: c.skip, Limit: c.count, Form: c.form}
	for _, name := range c.operands {
		info, err := from.Stat(name)
		switch {
		case err != nil:
			return &input.Error{Path: name, Err: err}
		case info.IsDir():
			err = inspectDataset(c, name, opt)
		case c.split != "":
			return usagef("", "inspect: --split is for a dataset, and %s is a file", printable(name))
		default:
			err = c.inspectFile(name, opt)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func inspectDataset(c *call, name string, opt dataset.InspectOptions) error {
	opt.Split, opt.Record = c.split, pipeline.DatasetRecord
	opt.Warn = func(text string) { c.log.write(message{Level: warning, File: name, Text: text}) }
	err := dataset.InspectDataset(c.stdout, name, opt, func(path string) { printTitle(c, path) })
	if e := new(dataset.SplitError); errors.As(err, &e) {
		hint := nearest.Hint(e.Name, e.Splits)
		return usagef(hint, "inspect: %s has no split %s; found: %s", printable(name), quote(e.Name),
			input.NameList(e.Splits))
	}
	return asInputError(name, err)
}

func (c *call) inspectFile(name string, opt dataset.InspectOptions) error {
	f, err := opt.Store.Open(name)
	if err != nil {
		return &input.Error{Path: name, Err: err}
	}
	defer f.Close()
	if len(c.operands) > 1 {
		printTitle(c, name)
	}
	return asInputError(name, dataset.Inspect(c.stdout, f, name, opt))
}

// printTitle prints the name of the file that the following records are from.
func printTitle(c *call, path string) {
	if c.form == dataset.TextForm {
		fmt.Fprintf(c.stdout, "%s:\n", c.shown(path))
	}
}

// asInputError returns err as an error in reading name, or a file of the dataset name. An error
// that has an exit code of its own, or is about standard output, is returned as it is.
func asInputError(name string, err error) error {
	if err == nil || is[*resultError](err) || exitCode(err) != exit.Failed {
		return err
	}
	if e := new(fs.PathError); errors.As(err, &e) {
		return &input.Error{Path: e.Path, Err: e.Err}
	}
	return &input.Error{Path: name, Err: err}
}
