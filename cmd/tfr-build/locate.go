package main

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"tfr-build/dataset"
	"tfr-build/dataset/search"
	"tfr-build/internal/exit"
	"tfr-build/internal/nearest"
	"tfr-build/internal/store"
	"tfr-build/pipeline"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

var locateCommand = &command{
	name: "locate", meant: "find search grep where", group: lookGroup,
	about: "find records by a feature value or a source file",
	least: 2, most: 2, needs: "a dataset, and KEY=VALUE or a source file", operand: oneFile, run: locate,
	flags:    "workers retry quiet log-format",
	synopsis: []string{"locate [flags] DIR KEY=VALUE", "locate [flags] DIR FILE"},
	text: `Reads the dataset in DIR and finds the records whose feature KEY has the VALUE:
a number, a string, a class name, a date as in the input, or a word of map. FILE
is a source file of rows; it is found if a feature holds its name or the end of
its path, such as cat/7.jpg of photos/cat/7.jpg. Each record is one line on
standard output:
  SHARD record N offset O
N counts from 0. O is the position of the first byte before compression. The
exit code is 1 if no such record exists.`,
}

func locate(ctx context.Context, c *call) error {
	dir, what := c.operands[0], c.operands[1]
	from := openStorage(ctx, c, nil)
	defer from.Close()
	records, err := dataset.OpenDataset(from, dir)
	if err != nil {
		return asInputError(dir, err)
	}
	query, err := parseQuery(records, what)
	if err != nil {
		return asInputError(dir, err)
	}
	hits, err := search.Run(ctx, records, c.Workers, query)
	if err != nil {
		return asInputError(dir, err)
	}
	for _, h := range hits {
		shard := c.shown(records.Files[h.File].Path)
		c.printResult(facts{"result": "found", "shard": shard, "record": h.Record, "offset": h.Offset},
			"%s record %d offset %d\n", shard, h.Record, h.Offset)
	}
	c.outcome = facts{"result": "ok", "found": len(hits)}
	if len(hits) == 0 {
		return notFound(store.Join(dir, ""), what)
	}
	return nil
}

// notFound returns the error of a query without matches.
func notFound(dir, what string) error {
	hint := ""
	if !strings.Contains(what, "=") {
		hint = "a row is found by a file's name only where a feature holds it; KEY=VALUE finds it by another value"
	}
	return &commandError{exit.Failed, "", dir + ": no record has " + what, hint}
}

// parseQuery parses the second operand of locate.
func parseQuery(records *dataset.Records, what string) (*search.Query, error) {
	record, err := datasetFeatures(records)
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, e := range record.Entries() {
		text, ok := strings.CutPrefix(what, e.Key+"=")
		if !e.IsLengths && !ok {
			text, ok = strings.CutPrefix(what, e.Stored.Key+"=")
		}
		switch {
		case ok && e.IsLengths:
			return search.Value(e.Key, text, nil), nil
		case ok:
			return valueQuery(&e, text)
		case !e.IsLengths:
			keys = append(keys, e.Stored.Key)
		}
	}
	key, _, isValue := strings.Cut(what, "=")
	if !isValue || path.IsAbs(what) || strings.HasPrefix(what, "./") {
		return search.File(what), nil
	}
	hint := nearest.Hint(key, keys)
	return nil, usagef(cmp.Or(hint, "a file of that name is ./"+what), "locate: no feature %s; found: %s", quote(key),
		input.NameList(keys))
}

// valueQuery returns a query for a value of a feature. A class is given by its name or its number; a class of
// multi_hot by its name, or 0 and 1 are searched at any place.
func valueQuery(f *schema.Entry, text string) (*search.Query, error) {
	var number *int64
	place, places := 0, 0
	text = f.ValueOf(text)
	if names := f.ClassNames(); names != nil && !f.Type.IsText() {
		i := slices.Index(names.Names, text)
		_, err := strconv.ParseInt(text, 10, 64)
		switch {
		case i >= 0 && f.Places != nil:
			text, place, places = "1", i, len(names.Names)
		case i >= 0:
			n := names.First + int64(i)
			number, text = &n, strconv.FormatInt(n, 10)
		case err != nil:
			hint := nearest.Hint(text, names.Names)
			return nil, usagef(hint, "locate: %s has no class %s", quote(f.Stored.Key), quote(text))
		}
	}
	if f.IsPacked() {
		return search.Packed(f.Stored, text).At(place, places), nil
	}
	return search.Value(f.Key, text, number).At(place, places), nil
}

// datasetFeatures returns the features of a dataset, from its own files.
func datasetFeatures(records *dataset.Records) (schema.Record, error) {
	config, found, err := records.ReadFile(dataset.ConfigName)
	if err == nil && !found {
		err = errors.New(dataset.ConfigName + " is missing, which tells the features")
	}
	if err != nil {
		return schema.Record{}, err
	}
	return pipeline.DatasetRecord(config, records.Manifest)
}
