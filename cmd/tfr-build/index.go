package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"tfr-build/dataset"
	"tfr-build/internal/vfs"
	"tfr-build/sink"
	"tfr-build/sources/input"
)

var indexCommand = &command{
	name: "index", about: "write indexes of TFRecord files, for DALI and for random access",
	most: anyNumber, operand: fileOperand, writes: true, run: index,
	flags: []string{"o", "overwrite", "retry", "quiet", "log-format"},
	usage: `usage: tfr-build index [flags] FILE...

Writes an index of each TFRecord file, whoever made it: a line a record, the
byte at which it begins and its size with framing. DALI and the PyTorch package
tfrecord read it. It is FILE.idx, and appears whole or not at all. The whole
file is read: one that is damaged has no index, and neither has a compressed
one. A dataset has indexes of its own with index: true in its config. For each
file there is a line on standard output:
  indexed FILE.idx records=N

flags:
  -o OUT                write the indexes into the folder OUT
  -overwrite            replace indexes that are there
  -retry TIME           repeat failed requests to a store for TIME, such as 90s
                        or 20m; 0 disables retries (5m)
  -quiet                say nothing but errors
  -log-format FORMAT    text, or json: an object a line (text)
`,
}

func index(ctx context.Context, c *call) error {
	if len(c.operands) == 0 {
		return usagef("tfr-build help index", "index: of what? Name TFRecord files")
	}
	fsys := reached(ctx, c, nil)
	defer fsys.Close()
	targets, err := c.indexes()
	if err != nil {
		return err
	}
	var all int64
	for i, name := range c.operands {
		n, err := c.indexOne(ctx, fsys, name, targets[i])
		if err != nil {
			return reading(name, err)
		}
		all += n
	}
	c.came = facts{"result": "indexed", "files": len(targets), "records": all}
	return nil
}

// indexes are the files to be written, each another one. No file that stands in a dataset
// gets one beside it: verify would find a file that does not belong there.
func (c *call) indexes() (targets []string, err error) {
	if c.out != "" {
		if err := os.MkdirAll(c.out, 0o777); err != nil {
			return nil, &vfs.WriteError{Path: c.out, Err: cause(err)}
		}
	}
	seen := map[string]string{}
	for _, name := range c.operands {
		target := name + sink.IndexSuffix
		switch {
		case c.out != "":
			target = filepath.Join(c.out, filepath.Base(name)+sink.IndexSuffix)
		case vfs.IsURL(name):
			return nil, usagef("-o OUT names a folder here", "index: %s is in a bucket, where no index is put beside it", name)
		case inDataset(name):
			return nil, usagef("-o OUT names another folder; a build with index: true has indexes in its dataset",
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

// inDataset reports whether a file stands among those of a dataset, or in a folder of it.
func inDataset(name string) bool {
	for _, up := range []string{".", ".."} {
		_, err := os.Lstat(filepath.Join(filepath.Dir(name), up, filepath.FromSlash(dataset.ManifestName)))
		if !errors.Is(err, fs.ErrNotExist) {
			return err == nil
		}
	}
	return false
}

func (c *call) indexOne(ctx context.Context, fsys vfs.FS, name, target string) (records int64, err error) {
	info, err := fsys.Stat(name)
	switch {
	case err != nil:
		return 0, &input.Error{Path: name, Err: err}
	case info.IsDir():
		return 0, usagef("index: true in its config gives a dataset indexes", "index: %s is a folder; name TFRecord files", name)
	}
	path, err := c.target(target)
	if err != nil {
		return 0, err
	}
	err = vfs.WriteFile(vfs.OS(), path, func(w io.Writer) error {
		records, err = dataset.WriteIndex(ctx, fsys, name, w)
		return err
	})
	if err == nil {
		shown := printable(c.log.path(target))
		c.tell(facts{"result": "indexed", "path": shown, "records": records}, "indexed %s records=%d\n", shown, records)
	}
	return records, err
}
