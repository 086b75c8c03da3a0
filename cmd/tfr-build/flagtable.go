package main

import (
	"flag"
	"slices"
	"strings"

	"tfr-build/internal/store"
)

// A valueKind says how a shell completes a value.
type valueKind int

const (
	anyValue    valueKind = iota // no completion: a number, a size
	configValue                  // a config: FILE.yaml
	fileValue
	dirValue
	wordValue // one of a few words
)

// A value is the value of a flag, or an operand.
type value struct {
	name  string // name in the help; empty if the flag takes no value
	kind  valueKind
	words []string // for wordValue
}

// numberValue is a number.
var numberValue = value{name: "N"}

func (v value) isPath() bool {
	return v.kind == configValue || v.kind == fileValue || v.kind == dirValue
}

// A flagRow is one flag. Parsing, help, completion, and the man page use it.
type flagRow struct {
	name  string
	short string // one letter; empty if the flag has no short form
	value value
	about string                           // for help; completion shows its first clause
	on    func(o *options) *bool           // for a switch
	form  func(o *options, s string) error // for a switch that accepts a form after =
	set   func(o *options, s string) error // for a flag with a value
	isOn  bool                             // the switch is on by default: help shows no-NAME
}

// flagRows has all flags, sorted by name. A command may give a flag another meaning: see
// command.means.
var flagRows = []flagRow{
	{name: "against", value: dirOperand, about: "show what changed since the dataset in DIR", set: stringFlag(func(o *options) *string { return &o.against })},
	{name: "bare", about: "write one message without framing", on: func(o *options) *bool { return &o.bare }},
	{name: "cold", about: "read files back from the disk, not from memory", on: func(o *options) *bool { return &o.cold }},
	{name: "compression", value: value{"NAME", wordValue, []string{"none", "gzip", "zlib"}}, about: "compression of a TFRecord file: none, gzip, or zlib (default: none)", set: (*options).setCompression},
	{name: "config", short: "f", value: value{name: "FILE", kind: configValue}, about: "config file, in place of the operand CONFIG", set: stringFlag(func(o *options) *string { return &o.config })},
	{name: "deep", about: "parse every record", on: func(o *options) *bool { return &o.deep }},
	{name: "depfile", value: fileOperand, about: "write the inputs of the dataset to FILE, as Make rules", set: stringFlag(func(o *options) *string { return &o.depfile })},
	{name: "dry-run", about: "print the plan and write nothing; same as tfr-build plan", on: func(o *options) *bool { return &o.dryRun }},
	{name: "force", about: "replace an existing config file", on: func(o *options) *bool { return &o.overwrite }},
	{name: "format", value: value{"FORMAT", wordValue, writtenFormats()}, about: "file format: tfrecord or ofrecord (default: the format of the first message)", set: (*options).setFraming},
	{name: "fresh", about: "discard the finished shards of a stopped build; with --overwrite, also rebuild an up-to-date dataset", on: func(o *options) *bool { return &o.fresh }},
	{name: "hash-inputs", about: "compare inputs by content, not by time; the first such run rebuilds the dataset", on: func(o *options) *bool { return &o.hash }},
	{name: "index", value: numberValue, about: "index of this process, from 0 (default: from the job array)", set: numberFlag(func(o *options) *int { return &o.index }, 0, 1<<31-1)},
	{name: "json", about: "print one JSON object per line", on: func(o *options) *bool { return &o.json }, form: (*options).setJSON},
	{name: "log-format", value: value{"FORMAT", wordValue, []string{"text", "json"}}, about: "format of messages and results: text or json, one object per line (default: text)", set: (*options).setFormat},
	{name: "memory", value: value{name: "SIZE"}, about: "memory limit for tables and their index, such as 2GB; larger tables spill to disk (default: half of the available memory; minimum: 16MB)", set: (*options).setMemory},
	{name: "metrics", value: fileOperand, about: "write run metrics to FILE for the Prometheus textfile collector, also after a failure", set: stringFlag(func(o *options) *string { return &o.metrics })},
	{name: "of", value: numberValue, about: "number of processes (default: from the job array)", set: numberFlag(func(o *options) *int { return &o.of }, 1, 1<<31-1)},
	{name: "open", about: "open the report in a browser", on: func(o *options) *bool { return &o.open }},
	{name: "output", short: "o", value: dirOperand, about: "dataset directory or URL; a path is relative to the current directory (default: output of the config)", set: stringFlag(func(o *options) *string { return &o.output })},
	{name: "overwrite", about: "replace an existing dataset that tfr-build made; not in a bucket", on: func(o *options) *bool { return &o.overwrite }},
	{name: "quiet", short: "q", about: "print only errors", on: func(o *options) *bool { return &o.quiet }},
	{name: "records", short: "n", value: numberValue, about: "number of records to print from each file or dataset (default: all)", set: numberFlag(func(o *options) *int64 { return &o.n }, 1, 1<<62)},
	{name: "retry", value: value{name: "TIME"}, about: "retry failed storage requests for TIME, such as 90s or 20m; 0 disables retries (default: 5m)", set: (*options).setRetry},
	{name: "run-report", value: fileOperand, about: "write a report of the dataset and this run to FILE, with time per stage and throughput", set: stringFlag(func(o *options) *string { return &o.runReport })},
	{name: "salvage", value: dirOperand, about: "copy intact records of damaged files to DIR, in order, under the same file names; DIR must be new or empty. With --deep, only valid records are copied. lost=N counts the missing records", set: stringFlag(func(o *options) *string { return &o.salvage })},
	{name: "scratch", value: dirOperand, about: "directory for spill files and for shards on their way to a bucket (default: next to the output; for a bucket, the user's cache)", set: stringFlag(func(o *options) *string { return &o.scratch })},
	{name: "skip", value: numberValue, about: "number of records to skip at the start of each file or dataset (default: 0)", set: numberFlag(func(o *options) *int64 { return &o.skip }, 0, 1<<62)},
	{name: "split", value: value{name: "NAME"}, about: "print only the records of this split of a dataset", set: stringFlag(func(o *options) *string { return &o.split })},
	{name: "sync", about: "do not wait until data is on disk; for scratch disks", on: func(o *options) *bool { return &o.sync }, isOn: true},
	{name: "takeover", about: "take over a bucket output, if the build of another plan made no progress for 10 minutes", on: func(o *options) *bool { return &o.takeover }},
	{name: "tasks", value: numberValue, about: "minimum number of tasks for scan and for write, if input and shards allow it (default and minimum: 32)", set: numberFlag(func(o *options) *int { return &o.tasks }, 1, 1<<31-1)},
	{name: "wait", value: value{name: "TIME"}, about: "wait for an earlier phase, such as 90s or 2h; any progress restarts the time (default: do not wait)", set: (*options).setWait},
	{name: "work", value: dirOperand, about: "work directory or URL that all processes share (default: hidden, next to the output)", set: stringFlag(func(o *options) *string { return &o.work })},
	{name: "workers", short: "j", value: numberValue, about: "number of workers (default: number of CPUs)", set: numberFlag(func(o *options) *int { return &o.workers }, 1, 1<<16)},
}

// spellings returns the names that the command line accepts for the flag. The first is the one in
// the help.
func (f *flagRow) spellings() []string {
	list := []string{f.name}
	if f.isOn {
		list = []string{"no-" + f.name, f.name}
	}
	if f.short != "" {
		list = append(list, f.short)
	}
	return list
}

// long returns the flag as help shows it, such as --workers or --no-sync.
func (f *flagRow) long() string { return "--" + f.spellings()[0] }

// shown returns the forms that help and completion show, such as -j and --workers.
func (f *flagRow) shown() []string {
	if f.short == "" {
		return []string{f.long()}
	}
	return []string{"-" + f.short, f.long()}
}

// brief returns the first clause of about, for completion.
func (f *flagRow) brief() string {
	end := len(f.about)
	for _, mark := range []string{" (", "; ", ". ", ": ", ", "} {
		if i := strings.Index(f.about, mark); i >= 0 {
			end = min(end, i)
		}
	}
	return f.about[:end]
}

// flagNamed returns the row of a flag by one of its spellings; nil if no flag has it.
func flagNamed(name string) *flagRow {
	if i := slices.IndexFunc(flagRows, func(f flagRow) bool { return slices.Contains(f.spellings(), name) }); i >= 0 {
		return &flagRows[i]
	}
	return nil
}

// A flagMeaning is the meaning of a flag in a command, if it differs from flagRows.
type flagMeaning struct {
	value value // replaces the value of the row if it has a name
	about string
}

// rows returns the flags of a command, with their meaning in this command.
func (c *command) rows() []flagRow {
	list := make([]flagRow, len(c.flags))
	for i, name := range c.flags {
		list[i] = *flagNamed(name)
		if means, differs := c.means[name]; differs {
			list[i].about = means.about
			if means.value.name != "" {
				list[i].value = means.value
			}
		}
	}
	return list
}

// define adds the flag to fs under each of its spellings.
func (f *flagRow) define(o *options, fs *flag.FlagSet) {
	for _, name := range f.spellings() {
		switch {
		case f.on == nil:
			fs.Func(name, "", func(s string) error { return f.setValue(o, s) })
		case f.form != nil:
			fs.BoolFunc(name, "", func(s string) error { return f.form(o, s) })
		case name == "no-"+f.name:
			fs.BoolFunc(name, "", func(s string) error {
				off, err := switchValue(s)
				*f.on(o) = !off
				return err
			})
		default:
			fs.BoolFunc(name, "", func(s string) (err error) {
				*f.on(o), err = switchValue(s)
				return err
			})
		}
	}
}

func (f *flagRow) setValue(o *options, s string) error {
	if f.value.isPath() {
		if err := store.CheckHome(s); err != nil {
			return err
		}
	}
	return f.set(o, s)
}
