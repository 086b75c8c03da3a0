package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"

	"tfr-build/dataset"
	"tfr-build/dataset/survey"
	"tfr-build/internal/vfs"
	"tfr-build/sources/input"
)

var statsCommand = &command{
	name: "stats", about: "count the values of a dataset, or of files of records",
	most: anyNumber, operand: fileOperand, prints: true, run: stats,
	flags: []string{"json", "workers", "retry", "log-format"},
	usage: `usage: tfr-build stats [flags] DIR|FILE...

Reads the records of the dataset in DIR, or of TFRecord, OFRecord and
ArrayRecord files of whatever origin, counts their values, and prints a table:
features, and a line with a small histogram for each split. Files whose names
differ in the number of the shard alone are one split. With -json the same is
printed as _tfr/statistics.json has it; of a dataset that has that file it is
equal, to the byte.

flags:
  -json                 print JSON
  -workers N            read and count N files at once (the CPUs there are)
  -retry TIME           repeat failed requests to a store for TIME, such as 90s
                        or 20m; 0 disables retries (5m)
  -log-format FORMAT    text, or json: one object per line, of messages and of
                        the statistics (default: text)
`,
}

func stats(ctx context.Context, c *call) error {
	fsys := reached(ctx, c, nil)
	defer fsys.Close()
	records, err := openRecords(fsys, c.operands)
	if err != nil {
		return err
	}
	document, err := survey.Document(ctx, records, c.workers)
	if err != nil {
		return reading(c.operands[0], err)
	}
	if c.json {
		return c.putStatistics(document.Append(nil))
	}
	columns := usualColumns
	if f, ok := c.stdout.w.(*os.File); ok {
		if n, ok := terminalColumns(f); ok && n > 0 {
			columns = n
		}
	}
	printStatistics(c.stdout, document, columns)
	return nil
}

// putStatistics prints statistics as the dataset has them, or in one line where each
// line is an object.
func (c *call) putStatistics(data []byte) error {
	if c.log.asJSON {
		var line bytes.Buffer
		if err := json.Compact(&line, data); err != nil {
			return err
		}
		data = append(line.Bytes(), '\n')
	}
	_, err := c.stdout.Write(data)
	return err
}

// openRecords finds the records of the one dataset, or of the files, that are named.
func openRecords(fsys vfs.FS, names []string) (*dataset.Records, error) {
	if len(names) == 0 {
		return nil, usagef("tfr-build help stats", "stats: of what? Name a dataset, or files of records")
	}
	for _, name := range names {
		info, err := fsys.Stat(name)
		if err != nil {
			return nil, &input.Error{Path: name, Err: err}
		}
		if info.IsDir() && len(names) > 1 {
			return nil, usagef("", "stats: name one dataset, or files; %s is one of several", name)
		}
		if info.IsDir() {
			records, err := dataset.OpenDataset(fsys, name)
			return records, reading(name, err)
		}
	}
	records, err := dataset.OpenFiles(fsys, names)
	if err != nil {
		err = reading(names[0], err)
	}
	return records, err
}
