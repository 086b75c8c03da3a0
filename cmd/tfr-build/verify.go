package main

import (
	"context"
	"path/filepath"
	"strconv"

	"tfr-build/dataset"
	"tfr-build/internal/exit"
	"tfr-build/pipeline"
	"tfr-build/sources/input"
)

var verifyCommand = &command{
	name: "verify", meant: "fsck checksum", group: trustGroup, about: "find damage in datasets and record files",
	least: 1, most: unlimited, needs: "datasets or files", operand: oneFile, run: verify,
	flags: "deep cold salvage rebuild sample seed memory scratch workers retry quiet log-format", writes: true,
	means: map[string]flagMeaning{"deep": {about: "parse every record; in a dataset, compare it with the config: " +
		"features, types, shapes, ranges, classes, UTF-8, and JSON. Records of more than 256 MiB are refused"}},
	synopsis: []string{"verify [flags] DIR|FILE...", "verify --rebuild CONFIG [flags] DIR"},
	text: `Compares the dataset in DIR with its manifest, or checks single files: the
checksums of TFRecord and ArrayRecord files; the lengths and messages of
OFRecord files, which have no checksums. Damage is reported on standard error
with file, record, and offset; the exit code is then 7. Each operand has one
line on standard output that begins with ok or damaged, after one line for each
salvaged file.
With --rebuild, the dataset is made again from CONFIG and its inputs. The last
line begins with proved, or with not proved and exit code 7.`,
}

func verify(ctx context.Context, c *call) error {
	if c.rebuild != "" {
		return verifyRebuild(ctx, c)
	}
	if c.sample > 0 || c.seed >= 0 {
		return usagef("--rebuild CONFIG", "verify: --sample and --seed choose the shards of --rebuild")
	}
	salvage, err := c.newSalvage(ctx)
	if err != nil {
		return err
	}
	var damages int64
	for _, name := range c.operands {
		checked, err := c.verifyOne(ctx, name, salvage)
		if err != nil {
			return asInputError(name, err)
		}
		damages += checked.Damages
		path := c.shown(name)
		f := facts{"result": "ok", "path": path, "damages": checked.Damages, "files": checked.Files,
			"records": checked.Records, "bytes": checked.Bytes}
		if checked.Damages > 0 {
			f["result"] = "damaged"
			c.printResult(f, "damaged %s damages=%d files=%d records=%d bytes=%d\n", path, checked.Damages,
				checked.Files, checked.Records, checked.Bytes)
		} else {
			c.printResult(f, "ok %s files=%d records=%d bytes=%d\n", path, checked.Files, checked.Records,
				checked.Bytes)
		}
	}
	c.outcome = facts{"result": "ok", "damages": damages}
	if damages > 0 {
		c.outcome["result"] = "damaged"
		return &commandError{exit: exit.Damage}
	}
	return nil
}

// verifyOne verifies an operand: a dataset if it is a directory, otherwise a file.
func (c *call) verifyOne(ctx context.Context, name string, salvage *dataset.Salvage) (dataset.Checked, error) {
	from := openStorage(ctx, c, nil)
	defer from.Close()
	info, err := from.Stat(name)
	if err != nil {
		return dataset.Checked{}, &input.Error{Path: name, Err: err}
	}
	dir := "" // names of files are relative to it
	if info.IsDir() {
		dir = name
	}
	opt := dataset.VerifyOptions{
		Store: from, Workers: c.Workers, Cold: c.Cold, Deep: c.deep, Record: pipeline.DatasetRecord, Salvage: salvage,
		Report:   func(d *dataset.DamageError) { c.logDamage(dir, d) },
		Salvaged: c.printSalvaged,
		Warn:     func(text string) { c.log.write(message{Level: warning, File: name, Text: text}) },
	}
	if info.IsDir() {
		return dataset.Verify(ctx, name, opt)
	}
	return dataset.VerifyRecords(ctx, name, opt)
}

func (c *call) logDamage(dir string, d *dataset.DamageError) {
	m := damageMessage(dir, d)
	m.Exit = exit.Damage
	c.log.write(m)
}

func (c *call) printSalvaged(s dataset.Salvaged) {
	path, lost := c.shown(s.Path), ""
	f := facts{"result": "salvaged", "path": path, "records": s.Records}
	if s.Lost != dataset.Unknown {
		lost = " lost=" + strconv.FormatInt(s.Lost, 10)
		f["lost"] = s.Lost
	}
	c.printResult(f, "salvaged %s records=%d%s\n", path, s.Records, lost)
}

// newSalvage returns the destination for intact records; nil without -salvage.
func (c *call) newSalvage(ctx context.Context) (*dataset.Salvage, error) {
	if c.salvage == "" {
		return nil, nil
	}
	from := openStorage(ctx, c, nil)
	defer from.Close()
	datasets, seen := 0, map[string]bool{}
	var local []string // datasets that could be in the directory of salvaged records, or it in them
	for _, name := range c.operands {
		if info, err := from.Stat(name); err == nil && info.IsDir() {
			if datasets++; from.IsLocal(name) {
				local = append(local, name)
			}
		}
		seen[filepath.Base(name)] = true
	}
	// Files of the same name, or of two datasets, would overwrite each other in the directory.
	if len(c.operands) > 1 && datasets > 0 || len(seen) < len(c.operands) {
		return nil, usagef("", "verify: --salvage takes one dataset, or files of different names")
	}
	if err := pipeline.CheckSalvage(c.salvage, local); err != nil {
		return nil, err
	}
	return dataset.NewSalvage(c.salvage)
}
