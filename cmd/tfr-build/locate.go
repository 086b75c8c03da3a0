package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"tfr-build/dataset"
	"tfr-build/dataset/search"
	"tfr-build/internal/nearest"
	"tfr-build/internal/vfs"
	"tfr-build/pipeline"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

var locateCommand = &command{
	name: "locate", about: "say in which shard, and where in it, a row of a dataset stands",
	most: 2, operand: fileOperand, run: locate,
	flags: []string{"workers", "retry", "quiet", "log-format"},
	usage: `usage: tfr-build locate [flags] DIR KEY=VALUE
       tfr-build locate [flags] DIR FILE

Reads the records of the dataset in DIR and says where those stand that have
the VALUE: one of the feature KEY, a number, a text, or the name of a class.
FILE is the name of a file that rows were made from: a record is found by a
feature that holds it, or the end of it, as cat/7.jpg of photos/cat/7.jpg. For
each record there is a line on standard output, in the order of the shards:
  SHARD record N offset O
N counts from 0, and O is the byte at which it begins, before compression. The
exit code is 1 where there is none.

flags:
  -workers N            read N shards at once (the CPUs there are)
  -retry TIME           repeat failed requests to a store for TIME, such as 90s
                        or 20m; 0 disables retries (5m)
  -quiet                say nothing but errors
  -log-format FORMAT    text, or json: an object a line (text)
`,
}

// A nowhereError says that no record has what was looked for.
type nowhereError struct{ text, hint string }

func (e *nowhereError) Error() string { return e.text }

func locate(ctx context.Context, c *call) error {
	if len(c.operands) != 2 {
		return usagef("tfr-build help locate", "locate: name a dataset, and KEY=VALUE or a file that a row was made from")
	}
	dir, what := c.operands[0], c.operands[1]
	fsys := reached(ctx, c, nil)
	defer fsys.Close()
	records, err := dataset.OpenDataset(fsys, dir)
	if err != nil {
		return reading(dir, err)
	}
	wanted, err := newWanted(records, what)
	if err != nil {
		return reading(dir, err)
	}
	hits, err := search.Run(ctx, records, c.workers, wanted)
	if err != nil {
		return reading(dir, err)
	}
	for _, h := range hits {
		shard := printable(c.log.path(records.Files[h.File].Path))
		c.tell(facts{"result": "found", "shard": shard, "record": h.Record, "offset": h.Offset},
			"%s record %d offset %d\n", shard, h.Record, h.Offset)
	}
	c.came = facts{"result": "ok", "found": len(hits)}
	if len(hits) == 0 {
		return nowhere(vfs.Join(dir, ""), what)
	}
	return nil
}

// nowhere is the error of what was not found.
func nowhere(dir, what string) error {
	e := &nowhereError{text: fmt.Sprintf("%s: no record has %s", dir, what)}
	if !strings.Contains(what, "=") {
		e.hint = "a row is found by a file's name only where a feature holds it; KEY=VALUE finds it by another value"
	}
	return e
}

// newWanted understands what is looked for.
func newWanted(records *dataset.Records, what string) (*search.Wanted, error) {
	record, err := datasetFeatures(records)
	if err != nil {
		return nil, err
	}
	features := slices.Concat(record.Features, record.Sequence)
	var keys []string
	for i := range features {
		f := &features[i]
		keys = append(keys, f.Key)
		if text, ok := strings.CutPrefix(what, f.Key+"="); ok {
			return valueOf(f, text)
		}
	}
	key, _, isValue := strings.Cut(what, "=")
	if !isValue || path.IsAbs(what) || strings.HasPrefix(what, "./") {
		return search.File(what), nil
	}
	hint := "a file of that name is ./" + what
	if near := nearest.Of(key, keys); near != "" {
		hint = "did you mean " + near + "?"
	}
	return nil, usagef(hint, "locate: no feature %s; found: %s", quote(key), input.NameList(keys))
}

// valueOf wants a value of a feature; that of a class is its name, or its number.
func valueOf(f *schema.Feature, text string) (*search.Wanted, error) {
	if f.Classes == nil || f.Type.IsText() {
		return search.Value(f.Key, text, nil), nil
	}
	if i := slices.Index(f.Classes.Names, text); i >= 0 {
		n := f.Classes.First + int64(i)
		return search.Value(f.Key, text, &n), nil
	}
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return search.Value(f.Key, text, nil), nil
	}
	hint := ""
	if near := nearest.Of(text, f.Classes.Names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return nil, usagef(hint, "locate: %s has no class %s", quote(f.Key), quote(text))
}

// datasetFeatures are the features of a dataset, of which its own files tell.
func datasetFeatures(records *dataset.Records) (schema.Record, error) {
	var files [2][]byte
	for i, name := range []string{dataset.ConfigName, dataset.ReaderName} {
		data, found, err := records.ReadFile(name)
		if err == nil && !found {
			err = errors.New(name + " is missing, which tells the features")
		}
		if err != nil {
			return schema.Record{}, err
		}
		files[i] = data
	}
	return pipeline.DatasetRecord(files[0], files[1])
}
