package main

import (
	"context"
	"os"

	"tfr-build/dataset"
	"tfr-build/sources"
)

var verifyCommand = &command{
	name: "verify", most: anyNumber, run: verify,
	flags: []string{"workers", "quiet", "log-format"},
	usage: `usage: tfr-build verify [flags] DIR|FILE...

Reads the dataset in DIR again and holds it against its manifest, or checks the
checksums of a TFRecord file. Each damage is told on standard error with file,
record and offset; then the exit code is 7. For each operand there is a line on
standard output, that begins with ok or damaged.

flags:
  -workers N            read N shards at once (the CPUs there are)
  -quiet                say nothing but errors
  -log-format FORMAT    text, or json: an object a line (text)
`,
}

func verify(ctx context.Context, c *call) error {
	if len(c.operands) == 0 {
		return usagef("tfr-build help verify", "verify: which datasets? Name them, or TFRecord files")
	}
	var damages int64
	for _, name := range c.operands {
		checked, err := c.verifyOne(ctx, name)
		if err != nil {
			return reading(name, err)
		}
		damages += checked.Damages
		path := printable(c.log.path(name))
		if checked.Damages > 0 {
			c.tell("damaged %s damages=%d files=%d records=%d bytes=%d\n", path, checked.Damages, checked.Files, checked.Records, checked.Bytes)
		} else {
			c.tell("ok %s files=%d records=%d bytes=%d\n", path, checked.Files, checked.Records, checked.Bytes)
		}
	}
	if damages > 0 {
		return &damaged{damages}
	}
	return nil
}

func (c *call) verifyOne(ctx context.Context, name string) (dataset.Checked, error) {
	info, err := os.Stat(name)
	if err != nil {
		return dataset.Checked{}, &sources.InputError{Path: name, Err: err}
	}
	if info.IsDir() {
		return dataset.Verify(ctx, name, c.workers, func(d *dataset.DamageError) { c.sayDamage(name, d) })
	}
	f, err := os.Open(name)
	if err != nil {
		return dataset.Checked{}, &sources.InputError{Path: name, Err: err}
	}
	defer f.Close()
	return dataset.VerifyRecords(f, name, func(d *dataset.DamageError) { c.sayDamage("", d) })
}

func (c *call) sayDamage(dir string, d *dataset.DamageError) {
	m := damageMessage(dir, d)
	m.Exit = exitDamage
	c.log.say(m)
}
