package main

import (
	"bytes"
	"context"
	"encoding/json"

	"tfr-build/dataset"
	"tfr-build/dataset/survey"
	"tfr-build/internal/store"
	"tfr-build/sources/input"
)

var statsCommand = &command{
	name: "stats", meant: "describe summary count", group: lookGroup,
	about: "print statistics of datasets and record files",
	least: 1, most: unlimited, needs: "a dataset or files", operand: oneFile, prints: true, run: stats,
	flags:    "json workers retry log-format",
	means:    map[string]flagMeaning{"json": {about: "print the statistics as JSON, like _tfr/statistics.json"}},
	synopsis: []string{"stats [flags] DIR", "stats [flags] FILE..."},
	text: `Reads a dataset (DIR) or TFRecord, OFRecord, and ArrayRecord files, and prints a
table of features with one line and a small histogram per split. Files whose
names differ only in the shard number are one split.`,
}

func stats(ctx context.Context, c *call) error {
	from := openStorage(ctx, c, nil)
	defer from.Close()
	records, err := openRecords(from, c.operands)
	if err != nil {
		return err
	}
	document, err := survey.Document(ctx, records, c.Workers)
	if err != nil {
		return asInputError(c.operands[0], err)
	}
	if c.form != dataset.TextForm {
		return printJSON(c, document.Append(nil))
	}
	printStatistics(c.stdout, document, widthOf(c.stdout.w, defaultColumns))
	return nil
}

// printJSON prints statistics in the format of the dataset, or in one line if each line is an
// object.
func printJSON(c *call, data []byte) error {
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

// openRecords opens the records of one dataset, or of the named files.
func openRecords(from *store.Storage, names []string) (*dataset.Records, error) {
	for _, name := range names {
		info, err := from.Stat(name)
		if err != nil {
			return nil, &input.Error{Path: name, Err: err}
		}
		if info.IsDir() && len(names) > 1 {
			return nil, usagef("", "stats: expected one dataset or several files; found the dataset %s among others",
				name)
		}
		if info.IsDir() {
			records, err := dataset.OpenDataset(from, name)
			return records, asInputError(name, err)
		}
	}
	records, err := dataset.OpenFiles(from, names)
	if err != nil {
		err = asInputError(names[0], err)
	}
	return records, err
}
