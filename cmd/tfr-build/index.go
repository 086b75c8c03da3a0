package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"tfr-build/dataset"
	"tfr-build/internal/store"
	"tfr-build/sink"
	"tfr-build/sources/input"
)

var indexCommand = &command{
	name: "index", group: recordGroup, about: "write index files of TFRecord files",
	least: 1, most: unlimited, needs: "TFRecord files", operand: oneFile, writes: true, run: index,
	flags: "output overwrite retry quiet log-format",
	means: map[string]flagMeaning{
		"output":    {directory, "directory for the index files (default: next to each file)"},
		"overwrite": {about: "replace existing index files"},
	},
	synopsis: []string{"index [flags] FILE..."},
	text: `Writes FILE.idx for each TFRecord file: one line per record with its offset and
its size including framing. NVIDIA DALI and the PyTorch package tfrecord read
such files. Compressed or damaged files cannot be indexed. A dataset gets its
index files from index: true in the config. Each file has one line on standard
output:
  indexed FILE.idx records=N`,
}

func index(ctx context.Context, c *call) error {
	from := openStorage(ctx, c, nil)
	defer from.Close()
	targets, err := c.indexes(from)
	if err != nil {
		return err
	}
	var all int64
	for i, name := range c.operands {
		n, err := c.indexOne(ctx, from, name, targets[i])
		if err != nil {
			return asInputError(name, err)
		}
		all += n
	}
	c.outcome = facts{"result": "indexed", "files": len(targets), "records": all}
	return nil
}

// indexes returns the path of each index file to write. Two files must not have the same one. A
// file in a dataset does not get an index next to it: verify would report it as an unknown file.
func (c *call) indexes(from *store.Storage) (targets []string, err error) {
	if c.Output != "" {
		if err := os.MkdirAll(c.Output, 0o777); err != nil {
			return nil, &store.WriteError{Path: c.Output, Err: cause(err)}
		}
	}
	seen := map[string]string{}
	for _, name := range c.operands {
		target := name + sink.IndexSuffix
		switch {
		case c.Output != "":
			target = filepath.Join(c.Output, filepath.Base(name)+sink.IndexSuffix)
		case !from.IsLocal(name):
			return nil, usagef("-o OUT names a directory here", "index: %s is in a bucket, where no index is put "+
				"next to it", name)
		case inDataset(name):
			return nil, usagef("-o OUT names another directory; a build with index: true has indexes in its dataset",
				"index: %s belongs to a dataset, and %s would not", name, filepath.Base(target))
		}
		if other, taken := seen[target]; taken {
			return nil, usagef("", "index: %s and %s would both have the index %s", other, name, target)
		}
		seen[target] = name
		targets = append(targets, target)
	}
	return targets, nil
}

// inDataset reports whether a file is in the directory of a dataset, or in a subdirectory of it.
func inDataset(name string) bool {
	for _, up := range []string{".", ".."} {
		_, err := os.Lstat(filepath.Join(filepath.Dir(name), up, filepath.FromSlash(dataset.ManifestName)))
		if !errors.Is(err, fs.ErrNotExist) {
			return err == nil
		}
	}
	return false
}

func (c *call) indexOne(ctx context.Context, from *store.Storage, name, target string) (records int64, err error) {
	info, err := from.Stat(name)
	switch {
	case err != nil:
		return 0, &input.Error{Path: name, Err: err}
	case info.IsDir():
		return 0, usagef("index: true in its config gives a dataset indexes",
			"index: %s is a directory; name TFRecord files", name)
	}
	path, err := c.target(target, replacesIt)
	if err != nil {
		return 0, err
	}
	err = store.OS().Local().WriteFile(path, func(w io.Writer) error {
		records, err = dataset.WriteIndex(ctx, from, name, w)
		return err
	})
	if err == nil {
		shown := c.shown(target)
		c.printResult(facts{"result": "indexed", "path": shown, "records": records}, "indexed %s records=%d\n", shown,
			records)
	}
	return records, err
}
