package main

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"tfr-build/dataset"
	"tfr-build/framing"
	"tfr-build/internal/store/objects"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
)

// options are the values of flags. Each command has only some of the flags.
type options struct {
	pipeline.Run
	config, against, work, salvage, split, rebuild string

	sample uint64 // of the shards; 0 for all
	seed   int64  // negative if not given

	metrics, runReport string // files about the run; empty if they are not written

	format               string       // of messages and results
	form                 dataset.Form // of printed records
	framing, compression string       // of a written file; no framing if the first message decides
	bare                 bool
	deep                 bool
	quiet                bool
	dryRun               bool
	open                 bool  // open the report in a browser
	count, skip          int64 // records
	index, of            int   // negative if not given
	wait                 time.Duration
}

// A valueKind says how a shell completes a value.
type valueKind string

const (
	anyValue    valueKind = "any"    // no completion: a number, a size
	configValue valueKind = "config" // a config: FILE.yaml
	fileValue   valueKind = "file"
	dirValue    valueKind = "dir"
	wordValue   valueKind = "words" // one of a few words
)

// A value is the value of a flag, or an operand.
type value struct {
	name  string // name in the help; empty if the flag takes no value
	kind  valueKind
	words []string // for wordValue
}

func (v value) isPath() bool {
	return v.kind == configValue || v.kind == fileValue || v.kind == dirValue
}

// Values of several flags and operands.
var (
	anyNumber  = value{"N", anyValue, nil}
	anyTime    = value{"TIME", anyValue, nil}
	configFile = value{"CONFIG", configValue, nil}
	oneFile    = value{"FILE", fileValue, nil}
	directory  = value{"DIR", dirValue, nil}
)

func oneOf(name string, words ...string) value { return value{name, wordValue, words} }

// A flagRow is one flag. Parsing, help, completion, and the man page use it.
type flagRow struct {
	name  string
	short string // one letter; empty if the flag has no short form
	value value  // without a name for a switch
	about string // for help; completion shows its first clause

	// to is what the flag sets: *bool or *dataset.Form for a switch, otherwise *string, *time.Duration, *int, or
	// *int64, or a function.
	to          any
	least, most int64  // of a number
	isOn        bool   // the switch is on by default: help shows no-NAME
	meant       string // what users of other tools type for it
}

// A flagTable has all flags, sorted by name. A command may give a flag another meaning: see
// command.means.
type flagTable []flagRow

const (
	maxProcesses = 1<<31 - 1
	maxRecords   = 1 << 62
)

// newFlags returns the flags that set o, and sets o to their defaults.
func newFlags(o *options) flagTable {
	*o = options{Run: pipeline.Run{Workers: runtime.GOMAXPROCS(0), Sync: true}, format: "text", compression: "none",
		index: -1, of: -1, seed: -1}
	return flagTable{
		{name: "against", value: directory, about: "show what changed since the dataset in DIR", to: &o.against},
		{name: "bare", about: "write one message without framing", to: &o.bare},
		{name: "cold", about: "read files back from the disk, not from memory", to: &o.Cold},
		{name: "compression", value: oneOf("NAME", "none", "gzip", "zlib"),
			about: "compression of a TFRecord file: none, gzip, or zlib (default: none)", to: &o.compression},
		{name: "config", short: "f", value: value{"FILE", configValue, nil},
			about: "config file, in place of the operand CONFIG", to: &o.config, meant: "cfg conf c"},
		{name: "deep", about: "parse every record", to: &o.deep, meant: "full parse"},
		{name: "depfile", value: oneFile, about: "write the inputs of the dataset to FILE, as Make rules",
			to: &o.Depfile},
		{name: "dry-run", about: "print the plan and write nothing; same as tfr-build plan", to: &o.dryRun,
			meant: "dryrun"},
		{name: "force", about: "replace an existing config file", to: &o.Overwrite,
			meant: "overwrite replace y clobber"},
		{name: "format", value: oneOf("FORMAT", writtenFormats()...),
			about: "file format: tfrecord or ofrecord (default: the format of the first message)", to: &o.framing},
		{name: "fresh", about: "discard the finished shards of a stopped build; with --overwrite, also rebuild an " +
			"up-to-date dataset", to: &o.Fresh, meant: "no-resume restart clean"},
		{name: "hash-inputs", about: "compare inputs by content, not by time; the first such run rebuilds the dataset",
			to: &o.HashInputs, meant: "checksum hash"},
		{name: "index", value: anyNumber, about: "index of this process, from 0 (default: from the job array)",
			to: &o.index, most: maxProcesses},
		{name: "json", about: "print one JSON object per line", to: &o.form},
		{name: "log-format", value: oneOf("FORMAT", "text", "json"),
			about: "format of messages and results: text or json, one object per line (default: text)", to: &o.format,
			meant: "log logformat"},
		{name: "memory", value: value{"SIZE", anyValue, nil},
			about: "memory limit for tables and their index, such as 2GB; larger tables spill to disk (default: " +
				"half of the available memory; minimum: 16MB)", to: o.setMemory, meant: "mem ram max-memory"},
		{name: "metrics", value: oneFile,
			about: "write run metrics to FILE for the Prometheus textfile collector, also after a failure",
			to:    &o.metrics},
		{name: "of", value: anyNumber, about: "number of processes (default: from the job array)", to: &o.of, least: 1,
			most: maxProcesses},
		{name: "open", about: "open the report in a browser", to: &o.open},
		{name: "output", short: "o", value: directory,
			about: "dataset directory or URL; a path is relative to the current directory (default: output of the " +
				"config)",
			to: &o.Output, meant: "out output-dir outdir out-dir dest dir"},
		{name: "overwrite", about: "replace an existing dataset that tfr-build made; not in a bucket", to: &o.Overwrite,
			meant: "force replace y clobber"},
		{name: "quiet", short: "q", about: "print only errors", to: &o.quiet, meant: "silent s"},
		{name: "rebuild", value: configFile,
			about: "make the dataset again from CONFIG, in a temporary directory next to it, and compare every shard",
			to:    &o.rebuild, meant: "reproduce prove"},
		{name: "records", short: "n", value: anyNumber,
			about: "number of records to print from each file or dataset (default: all)", to: &o.count, least: 1,
			most: maxRecords, meant: "limit count rows num head lines"},
		{name: "retry", value: anyTime,
			about: "retry failed storage requests for TIME, such as 90s or 20m; 0 disables retries (default: 5m)",
			to:    o.setRetry, meant: "retries timeout"},
		{name: "run-report", value: oneFile,
			about: "write a report of the dataset and this run to FILE, with time per stage and throughput",
			to:    &o.runReport},
		{name: "salvage", value: directory,
			about: "copy intact records of damaged files to DIR, in order, under the same file names; DIR must be " +
				"new or empty. With --deep, only valid records are copied. lost=N counts the missing records",
			to: &o.salvage},
		{name: "sample", value: value{"SHARE", anyValue, nil},
			about: "with --rebuild, make only this share of the shards again, such as 1% (default: all)",
			to:    o.setSample},
		{name: "scratch", value: directory,
			about: "directory for spill files and for shards on their way to a bucket (default: next to the output; " +
				"for a bucket, the user's cache)", to: &o.Scratch, meant: "tmp tmpdir temp cache"},
		{name: "seed", value: anyNumber, about: "seed that chooses the shards of --sample (default: random)",
			to: &o.seed, most: math.MaxInt64},
		{name: "skip", value: anyNumber, about: "number of records to skip at the start of each file or dataset " +
			"(default: 0)", to: &o.skip, most: maxRecords, meant: "offset"},
		{name: "split", value: value{"NAME", anyValue, nil}, about: "print only the records of this split of a dataset",
			to: &o.split},
		{name: "sync", about: "do not wait until data is on disk; for scratch disks", to: &o.Sync, isOn: true,
			meant: "nosync no-fsync fsync"},
		{name: "takeover", about: "take over a bucket output, if the build of another plan made no progress for 10 " +
			"minutes", to: &o.Takeover},
		{name: "tasks", value: anyNumber,
			about: "minimum number of tasks for scan and for write, if input and shards allow it " +
				"(default and minimum: 32)",
			to: &o.Tasks, least: 1, most: maxProcesses},
		{name: "wait", value: anyTime,
			about: "wait for an earlier phase, such as 90s or 2h; any progress restarts the time (default: do not " +
				"wait)",
			to: &o.wait, meant: "timeout"},
		{name: "work", value: directory,
			about: "work directory or URL that all processes share (default: hidden, next to the output)", to: &o.work},
		{name: "workers", short: "j", value: anyNumber, about: "number of workers (default: number of CPUs)",
			to: &o.Workers, least: 1, most: 1 << 16, meant: "threads jobs processes num-workers parallel"},
	}
}

// writtenFormats returns the names of the formats that tfr-build write writes.
func writtenFormats() (names []string) {
	for _, f := range framing.All() {
		if f.IsForJSON {
			names = append(names, f.Name)
		}
	}
	return names
}

// named returns the flag with one of its spellings; nil if no flag has it.
func (t flagTable) named(name string) *flagRow {
	if i := slices.IndexFunc(t, func(f flagRow) bool { return slices.Contains(f.spellings(), name) }); i >= 0 {
		return &t[i]
	}
	return nil
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

// shown returns the forms that help and completion show, such as -j and --workers.
func (f *flagRow) shown() []string {
	long := "--" + f.spellings()[0]
	if f.short == "" {
		return []string{long}
	}
	return []string{"-" + f.short, long}
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

func (f *flagRow) isSwitch() bool { return f.value.name == "" }

// set sets what the flag sets. The value of a switch is true, unless it has one after an equals sign.
func (f *flagRow) set(spelling, s string) (err error) {
	switch to := f.to.(type) {
	case *bool:
		on, err := strconv.ParseBool(s)
		if err != nil {
			return errors.New("expected true or false")
		}
		*to = on != (f.isOn && spelling != f.name)
	case *dataset.Form:
		if *to = dataset.ProtoForm; s == "proto" {
			return nil
		}
		on, err := strconv.ParseBool(s)
		if err != nil {
			return errors.New("expected proto, or no value")
		}
		if *to = dataset.TextForm; on {
			*to = dataset.PlainForm
		}
	case *string:
		*to = objects.Path(s)
		return f.value.check(s)
	case *int:
		n, err := f.parseNumber(s)
		*to = int(n)
		return err
	case *int64:
		*to, err = f.parseNumber(s)
	case *time.Duration:
		*to, err = parseDuration(s)
	case func(string) error:
		return to(s)
	}
	return err
}

// check returns an error if s cannot be the value.
func (v value) check(s string) error {
	switch {
	case s == "":
		return errors.New("it is empty")
	case v.isPath():
		return objects.CheckPath(s)
	case v.words != nil && !slices.Contains(v.words, s):
		return errors.New("expected " + orText(v.words))
	}
	return nil
}

// orText returns words such as "a, b, or c".
func orText(words []string) string {
	last := len(words) - 1
	if last < 2 {
		return strings.Join(words, " or ")
	}
	return strings.Join(words[:last], ", ") + ", or " + words[last]
}

func (f *flagRow) parseNumber(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	switch {
	case n > f.most:
		return 0, fmt.Errorf("expected a whole number from %d to %d", f.least, f.most)
	case err != nil || n < f.least:
		return 0, fmt.Errorf("expected a whole number from %d", f.least)
	}
	return n, nil
}

func parseDuration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, errors.New("expected a time such as 90s, 30m or 2h")
	}
	return d, nil
}

func (o *options) setRetry(s string) (err error) {
	if o.Retry, err = parseDuration(s); o.Retry == 0 {
		o.Retry = -1 // no retries
	}
	return err
}

// setSample parses the share of the shards.
func (o *options) setSample(s string) (err error) {
	o.sample, err = config.ParseShare(s)
	return err
}

func (o *options) setMemory(s string) (err error) {
	o.Memory, err = config.ParseSize(s)
	if err == nil && o.Memory < pipeline.MinMemory {
		err = fmt.Errorf("expected at least %dMB", pipeline.MinMemory/1_000_000)
	}
	return err
}
