package main

import (
	"context"
	"os"
	"path/filepath"
	"strconv"

	"tfr-build/dataset"
	"tfr-build/internal/exit"
	"tfr-build/pipeline"
	"tfr-build/sources/input"
)

var verifyCommand = &command{
	name: "verify", about: "compare datasets with their manifests",
	most: anyNumber, operand: fileOperand, run: verify,
	flags: []string{"workers", "deep", "cold", "salvage", "retry", "quiet", "log-format"},
	usage: `usage: tfr-build verify [flags] DIR|FILE...

Reads the dataset in DIR again and compares it with its manifest, or checks the
checksums of a TFRecord file, all of an ArrayRecord file, or the lengths and
messages of an OFRecord file, which has no checksums. Each damage is reported
on standard error with file, record and offset; then the exit code is 7. For
each operand there is a line on standard output that begins with ok or damaged,
after a line for each file that was salvaged.

flags:
  -workers N            read N shards at once (the CPUs there are)
  -deep                 parse every record: as an Example or a SequenceExample,
                        or as an OFRecord; those of a dataset are checked
                        against its config: keys, kinds, numbers of values,
                        ranges, classes, UTF-8, JSON. A record of more than
                        256 MiB is refused
  -cold                 read from the disk, not from what the system holds of
                        the files in memory
  -salvage DIR          copy the intact records of damaged files, in order,
                        into files of the same names in DIR, a new or empty
                        folder; with -deep only those that are as they should
                        be. lost= is how many fewer than the manifest says
  -retry TIME           repeat failed requests to a store for TIME, such as 90s
                        or 20m; 0 disables retries (5m)
  -quiet                say nothing but errors
  -log-format FORMAT    text, or json: an object a line (text)
`,
}

func verify(ctx context.Context, c *call) error {
	if len(c.operands) == 0 {
		return usagef("tfr-build help verify", "verify: which datasets? Name them, or files of records")
	}
	salvage, err := c.newSalvage()
	if err != nil {
		return err
	}
	var damages int64
	for _, name := range c.operands {
		checked, err := c.verifyOne(ctx, name, salvage)
		if err != nil {
			return reading(name, err)
		}
		damages += checked.Damages
		path := printable(c.log.path(name))
		f := facts{"result": "ok", "path": path, "damages": checked.Damages, "files": checked.Files, "records": checked.Records, "bytes": checked.Bytes}
		if checked.Damages > 0 {
			f["result"] = "damaged"
			c.tell(f, "damaged %s damages=%d files=%d records=%d bytes=%d\n", path, checked.Damages, checked.Files, checked.Records, checked.Bytes)
		} else {
			c.tell(f, "ok %s files=%d records=%d bytes=%d\n", path, checked.Files, checked.Records, checked.Bytes)
		}
	}
	c.came = facts{"result": "ok", "damages": damages}
	if damages > 0 {
		c.came["result"] = "damaged"
		return &damaged{damages}
	}
	return nil
}

// verifyOne verifies an operand: a dataset where it is a folder.
func (c *call) verifyOne(ctx context.Context, name string, salvage *dataset.Salvage) (dataset.Checked, error) {
	fsys := reached(ctx, c, nil)
	defer fsys.Close()
	info, err := fsys.Stat(name)
	if err != nil {
		return dataset.Checked{}, &input.Error{Path: name, Err: err}
	}
	dir := "" // that names of files are relative to
	if info.IsDir() {
		dir = name
	}
	opt := dataset.VerifyOptions{
		FS: fsys, Workers: c.workers, Cold: c.cold, Deep: c.deep, Record: pipeline.DatasetRecord, Salvage: salvage,
		Report:   func(d *dataset.DamageError) { c.sayDamage(dir, d) },
		Salvaged: c.tellSalvaged,
		Warn:     func(text string) { c.log.say(message{Level: warning, File: name, Text: text}) },
	}
	if info.IsDir() {
		return dataset.Verify(ctx, name, opt)
	}
	return dataset.VerifyRecords(ctx, name, opt)
}

func (c *call) sayDamage(dir string, d *dataset.DamageError) {
	m := damageMessage(dir, d)
	m.Exit = exit.Damage
	c.log.say(m)
}

func (c *call) tellSalvaged(s dataset.Salvaged) {
	path, lost := printable(c.log.path(s.Path)), ""
	f := facts{"result": "salvaged", "path": path, "records": s.Records}
	if s.Lost != dataset.Unknown {
		lost = " lost=" + strconv.FormatInt(s.Lost, 10)
		f["lost"] = s.Lost
	}
	c.tell(f, "salvaged %s records=%d%s\n", path, s.Records, lost)
}

// newSalvage is where intact records go; nil where they are not asked for.
func (c *call) newSalvage() (*dataset.Salvage, error) {
	if c.salvage == "" {
		return nil, nil
	}
	var datasets []string
	seen := map[string]bool{}
	for _, name := range c.operands {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			datasets = append(datasets, name)
		}
		seen[filepath.Base(name)] = true
	}
	// Files of one name would meet in the folder, and so would those of two datasets.
	if len(c.operands) > 1 && len(datasets) > 0 || len(seen) < len(c.operands) {
		return nil, usagef("", "verify: -salvage takes one dataset, or files of different names")
	}
	if err := pipeline.CheckSalvage(c.salvage, datasets); err != nil {
		return nil, err
	}
	return dataset.NewSalvage(nil, c.salvage)
}
