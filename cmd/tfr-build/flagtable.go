package main

import (
	"flag"
	"slices"

	"tfr-build/sources/files"
)

// A valueKind says how a shell completes a value.
type valueKind int

const (
	anyValue    valueKind = iota // which nobody can guess: a number, a size
	configValue                  // a config: FILE.yaml
	fileValue
	dirValue
	wordValue // one of a few words
)

// A value is what follows a flag, or an operand.
type value struct {
	name  string // in usage texts; empty where there is none
	kind  valueKind
	words []string // of wordValue
}

func (v value) isPath() bool {
	return v.kind == configValue || v.kind == fileValue || v.kind == dirValue
}

// A flagRow is one flag: parsing, completion and the man page have it from here.
// What it means to a command stands in the command's usage text.
type flagRow struct {
	name  string
	value value
	about string                           // for completion, where a line is short
	on    func(o *options) *bool           // of a flag that is on or off; else
	set   func(o *options, s string) error // of one with a value
	form  func(o *options, s string) error // of one that is on or off, and has a form after =
}

// flagRows are all flags, in the order of their names.
var flagRows = []flagRow{
	{name: "against", value: value{name: "DIR", kind: dirValue}, about: "an older version of the dataset", set: text(func(o *options) *string { return &o.against })},
	{name: "bare", about: "without framing", on: func(o *options) *bool { return &o.bare }},
	{name: "cold", about: "read from the disk, not from memory", on: func(o *options) *bool { return &o.cold }},
	{name: "compression", value: value{"NAME", wordValue, []string{"none", "gzip", "zlib"}}, about: "the compression of the file", set: (*options).setCompression},
	{name: "config", value: value{name: "FILE", kind: configValue}, about: "the config", set: text(func(o *options) *string { return &o.config })},
	{name: "deep", about: "parse every record", on: func(o *options) *bool { return &o.deep }},
	{name: "depfile", value: value{name: "FILE", kind: fileValue}, about: "write for make what the dataset is made from", set: text(func(o *options) *string { return &o.depfile })},
	{name: "format", value: value{"FORMAT", wordValue, []string{"tfrecord", "ofrecord"}}, about: "the format of the file", set: (*options).setFraming},
	{name: "fresh", about: "do not resume", on: func(o *options) *bool { return &o.fresh }},
	{name: "hash-inputs", about: "compare the contents of the input, not the times", on: func(o *options) *bool { return &o.hash }},
	{name: "index", value: value{name: "N"}, about: "which of the processes this is, from 0", set: (*options).setIndex},
	{name: "json", about: "print JSON", on: func(o *options) *bool { return &o.json }, form: (*options).setJSON},
	{name: "log-format", value: value{"FORMAT", wordValue, []string{"text", "json"}}, about: "the form of messages", set: (*options).setFormat},
	{name: "memory", value: value{name: "SIZE"}, about: "how much memory tables may take, as 2GB", set: (*options).setMemory},
	{name: "metrics", value: value{name: "FILE", kind: fileValue}, about: "write for Prometheus how the run ended", set: text(func(o *options) *string { return &o.metrics })},
	{name: "n", value: value{name: "N"}, about: "how many records", set: count(func(o *options) *int64 { return &o.n }, 1)},
	{name: "o", value: value{name: "OUT", kind: fileValue}, about: "the file to write", set: text(func(o *options) *string { return &o.out })},
	{name: "of", value: value{name: "N"}, about: "how many processes there are", set: (*options).setOf},
	{name: "output", value: value{name: "DIR", kind: dirValue}, about: "the dataset, in the place of the one that the config names", set: text(func(o *options) *string { return &o.output })},
	{name: "overwrite", about: "replace what tfr-build made there", on: func(o *options) *bool { return &o.overwrite }},
	{name: "quiet", about: "say nothing but errors", on: func(o *options) *bool { return &o.quiet }},
	{name: "retry", value: value{name: "TIME"}, about: "how long to wait for a store that does not answer", set: (*options).setRetry},
	{name: "run-report", value: value{name: "FILE", kind: fileValue}, about: "write the page about the dataset and the run", set: text(func(o *options) *string { return &o.runReport })},
	{name: "salvage", value: value{name: "DIR", kind: dirValue}, about: "where intact records of damaged files go", set: text(func(o *options) *string { return &o.salvage })},
	{name: "scratch", value: value{name: "DIR", kind: dirValue}, about: "where spill runs stand", set: text(func(o *options) *string { return &o.scratch })},
	{name: "skip", value: value{name: "N"}, about: "how many records to skip", set: count(func(o *options) *int64 { return &o.skip }, 0)},
	{name: "split", value: value{name: "NAME"}, about: "one split of the dataset", set: text(func(o *options) *string { return &o.split })},
	{name: "sync", about: "wait for the disk", on: func(o *options) *bool { return &o.sync }},
	{name: "takeover", about: "take an output in a bucket from a plan that stands still", on: func(o *options) *bool { return &o.takeover }},
	{name: "tasks", value: value{name: "N"}, about: "how many tasks a phase has", set: (*options).setTasks},
	{name: "wait", value: value{name: "TIME"}, about: "how long to wait for an earlier phase", set: (*options).setWait},
	{name: "work", value: value{name: "DIR", kind: dirValue}, about: "where tasks tell one another what they did", set: text(func(o *options) *string { return &o.work })},
	{name: "workers", value: value{name: "N"}, about: "how much is done at once", set: (*options).setWorkers},
}

// flagNamed is the row of a flag; nil if there is none.
func flagNamed(name string) *flagRow {
	if i := slices.IndexFunc(flagRows, func(f flagRow) bool { return f.name == name }); i >= 0 {
		return &flagRows[i]
	}
	return nil
}

// rows are the flags of a command.
func (c *command) rows() []*flagRow {
	list := make([]*flagRow, len(c.flags))
	for i, name := range c.flags {
		list[i] = flagNamed(name)
	}
	return list
}

// define adds the flag to fs, without a usage text: each command has its own.
// The default of a flag that is on or off is what o has.
func (f *flagRow) define(o *options, fs *flag.FlagSet) {
	switch {
	case f.form != nil:
		fs.BoolFunc(f.name, "", func(s string) error { return f.form(o, s) })
		return
	case f.on != nil:
		fs.BoolVar(f.on(o), f.name, *f.on(o), "")
		return
	}
	fs.Func(f.name, "", func(s string) error {
		if f.value.isPath() {
			if err := files.CheckHome(s); err != nil {
				return err
			}
		}
		return f.set(o, s)
	})
}
