package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"tfr-build/dataset"
	"tfr-build/framing"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
	"tfr-build/tfrecord"
)

// options are the values of flags. Each command has only some of the flags.
type options struct {
	config, output, scratch, salvage, against, work, split string

	runFiles // files about the run

	workers   int
	memory    int64
	overwrite bool
	takeover  bool
	fresh     bool
	hash      bool // compare inputs by content
	cold      bool
	sync      bool
	deep      bool
	quiet     bool
	dryRun    bool
	open      bool // open the report in a browser
	json      bool
	proto     bool   // print records as protobuf JSON
	format    string // of messages and results
	bare      bool
	framing   *framing.Format // nil if it is detected from the first message

	compression tfrecord.Compression
	n, skip     int64

	index, of int // negative if not given
	tasks     int // smallest number of tasks per phase; 0 for the default
	wait      time.Duration
	retry     time.Duration // as in bucket.Options
}

// stringFlag returns a function that sets a string option, which must not be empty.
func stringFlag(to func(*options) *string) func(*options, string) error {
	return func(o *options, s string) error {
		if s == "" {
			return errors.New("it is empty")
		}
		*to(o) = s
		return nil
	}
}

// numberFlag returns a function that sets a number option.
func numberFlag[N int | int64](to func(*options) *N, least, most int64) func(*options, string) error {
	return func(o *options, s string) error {
		n, err := parseNumber(s, least, most)
		*to(o) = N(n)
		return err
	}
}

func parseNumber(s string, least, most int64) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < least || n > most {
		return 0, fmt.Errorf("expected a whole number from %d", least)
	}
	return n, nil
}

func (o *options) setWait(s string) (err error) {
	o.wait, err = parseDuration(s)
	return err
}

func (o *options) setRetry(s string) (err error) {
	if o.retry, err = parseDuration(s); o.retry == 0 {
		o.retry = -1 // no retries
	}
	return err
}

func parseDuration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, errors.New("expected a time such as 90s, 30m or 2h")
	}
	return d, nil
}

func (o *options) setMemory(s string) (err error) {
	o.memory, err = config.ParseSize(s)
	if err == nil && o.memory < pipeline.MinMemory {
		err = fmt.Errorf("expected at least %dMB", pipeline.MinMemory/1_000_000)
	}
	return err
}

// setJSON parses the value after -json=, which is proto or a boolean.
func (o *options) setJSON(s string) (err error) {
	if s == "proto" {
		o.json, o.proto = true, true
		return nil
	}
	o.json, err = strconv.ParseBool(s)
	if o.proto = false; err != nil {
		return errors.New("expected proto, or no value")
	}
	return nil
}

// form returns the form in which records are printed.
func (o *options) form() dataset.Form {
	switch {
	case o.proto:
		return dataset.ProtoForm
	case o.json:
		return dataset.PlainForm
	}
	return dataset.TextForm
}

func (o *options) setFormat(s string) error {
	if s != "text" && s != "json" {
		return errors.New("expected text or json")
	}
	o.format = s
	return nil
}

func (o *options) setFraming(s string) error {
	f, ok := framing.ByName(s)
	if !ok || !f.IsForJSON {
		return fmt.Errorf("unknown format %q; expected %s", s, strings.Join(writtenFormats(), " or "))
	}
	o.framing = f
	return nil
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

func (o *options) setCompression(s string) (err error) {
	o.compression, err = tfrecord.ParseCompression(s)
	return err
}

// switchValue parses the value of a switch, as in -sync=false.
func switchValue(s string) (bool, error) {
	on, err := strconv.ParseBool(s)
	if err != nil {
		return false, errors.New("expected true or false")
	}
	return on, nil
}

// flagSet returns the flags of cmd, and sets the options to their defaults.
func (o *options) flagSet(cmd *command) *flag.FlagSet {
	*o = options{workers: runtime.GOMAXPROCS(0), sync: true, format: "text", index: -1, of: -1}
	fs := flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	for _, f := range cmd.rows() {
		f.define(o, fs)
	}
	return fs
}

// parse parses the flags and operands of cmd, which may be in any order.
func (c *call) parse(cmd *command, args []string) error {
	fs := c.flagSet(cmd)
	for len(args) > 0 { // package flag stops at each operand
		if err := fs.Parse(args); err != nil {
			return flagError(cmd, err)
		}
		rest := fs.Args()
		at := len(args) - len(rest)
		if at > 0 && args[at-1] == "--" {
			c.operands = append(c.operands, rest...)
			break
		}
		if len(rest) == 0 {
			break
		}
		if at > 0 && isSwitchValue(args[at-1], rest[0]) {
			return usagef(args[at-1]+"="+rest[0], "%s: %q is not a value of %s", cmd.name, rest[0], args[at-1])
		}
		c.operands = append(c.operands, rest[0])
		args = rest[1:]
	}
	c.log.asJSON, c.log.quiet = c.format == "json", c.quiet
	c.json = c.json || c.log.asJSON
	if c.proto && !cmd.proto {
		return usagef(cmd.help(), "%s: --json takes no value", cmd.name)
	}
	if len(c.operands) > cmd.most {
		return usagef(cmd.help(), "%s: unexpected %q", cmd.name, c.operands[cmd.most])
	}
	return nil
}

// flagError returns the error for an invalid flag of cmd.
func flagError(cmd *command, err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return &helpRequest{cmd.usage()}
	}
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return usagef(cmd.help(), "%s: %v", cmd.name, err)
	}
	return usagef(cmd.flagHint(name), "%s has no flag -%s", cmd.name, name)
}

// flagOf returns the name of the flag in an argument, and whether its value is the next argument.
// It is called before the command is known. So it uses the table of all flags to find out which of
// them take no value.
func flagOf(arg string) (name string, takesNext bool) {
	if len(arg) < 2 || arg[0] != '-' {
		return "", false
	}
	name, _, hasValue := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
	return name, !hasValue && !isSwitch(name)
}

func isSwitch(name string) bool {
	f := flagNamed(name)
	return f != nil && f.on != nil || name == "h" || name == "help" || name == versionCommand.name
}

// isSwitchValue reports whether next was meant as the value of the switch before it, as in -sync
// false. A switch only takes a value after an equals sign.
func isSwitchValue(before, next string) bool {
	name, takesNext := flagOf(before)
	return name != "" && !takesNext && !strings.Contains(before, "=") && (next == "true" || next == "false")
}

// splitNumbers returns args with -n5 as -n=5, for each short flag with a number.
func splitNumbers(args []string) []string {
	list := slices.Clone(args)
	for i := 0; i < len(list) && list[i] != "--"; i++ {
		if short, digits, ok := shortNumber(list[i]); ok {
			list[i] = short + "=" + digits
		} else if _, takesNext := flagOf(list[i]); takesNext { // the value of a flag stays as it is
			i++
		}
	}
	return list
}

// shortNumber splits -n5 into -n and 5.
func shortNumber(arg string) (short, digits string, ok bool) {
	if len(arg) < 3 || arg[0] != '-' || strings.Trim(arg[2:], "0123456789") != "" {
		return "", "", false
	}
	f := flagNamed(arg[1:2])
	return arg[:2], arg[2:], f != nil && f.set != nil
}

// asksForJSON reports whether args ask for messages in JSON. It is called before the flags are
// parsed, so that errors in flags are reported in JSON, too.
func asksForJSON(args []string) (json bool) {
	for i, arg := range args {
		name, takesNext := flagOf(arg)
		if name != "log-format" {
			continue
		}
		_, value, _ := strings.Cut(arg, "=")
		if takesNext && i+1 < len(args) {
			value = args[i+1]
		}
		json = value == "json"
	}
	return json
}
