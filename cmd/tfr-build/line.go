package main

import (
	"fmt"
	"slices"
	"strings"

	"tfr-build/dataset"
	"tfr-build/internal/store/objects"
)

// A word is a flag with its value, or an operand, on the command line.
type word struct {
	args  []string // the arguments of the process
	name  string   // of a flag, as it is spelled, without dashes; empty for an operand
	flag  *flagRow // nil for an operand, for help and version, and if no command has the flag
	value string   // the operand, or the value of the flag: true for a switch without one
	given bool     // the flag has a value
}

func (w word) isOperand() bool { return w.name == "" }
func (w word) isHelp() bool    { return w.name == "h" || w.name == "help" }
func (w word) isVersion() bool { return w.name == versionCommand.name }

// scan returns the words of a command line. All commands have the same kinds of flags, so it does not need the
// command.
func (t flagTable) scan(args []string) (words []word) {
	for len(args) > 0 {
		w := word{args: args[:1], value: args[0]}
		switch {
		case args[0] == "--":
			for i, arg := range args[1:] {
				words = append(words, word{args: args[min(i, 1)+i : i+2], value: arg})
			}
			return words
		case len(args[0]) > 1 && args[0][0] == '-':
			w.scanFlag(t, args)
		}
		words = append(words, w)
		args = args[len(w.args):]
	}
	return words
}

// scanFlag reads the flag in args[0]. Its value is after an equals sign, or the next argument. A number may
// follow a short flag: -n5.
func (w *word) scanFlag(t flagTable, args []string) {
	w.name, w.value, w.given = strings.Cut(strings.TrimPrefix(args[0][1:], "-"), "=")
	w.flag = t.named(w.name)
	short, digits := args[0][1:2], args[0][2:]
	if f := t.named(short); w.flag == nil && f != nil && !f.isSwitch() && digits != "" &&
		strings.Trim(digits, "0123456789") == "" {
		w.name, w.flag, w.value, w.given = short, f, digits, true
	}
	isSwitch := w.isHelp() || w.isVersion() || w.flag != nil && w.flag.isSwitch()
	switch {
	case w.given:
	case isSwitch:
		w.value = "true"
		if len(args) > 1 && (args[1] == "true" || args[1] == "false") {
			w.args = args[:2] // an error: see parse
		}
	case len(args) > 1 && (w.flag != nil || args[1] == "" || args[1][0] != '-'): // an unknown flag may be a switch
		w.args, w.value, w.given = args[:2], args[1], true
	}
}

// choose returns the command that the first operands name, and the other words. If the first operand is a
// config, the command is build.
func choose(words []word) (cmd *command, rest []word, err error) {
	at := slices.IndexFunc(words, func(w word) bool { return w.isOperand() || w.isVersion() })
	switch {
	case len(words) == 0:
		return nil, nil, usagef("tfr-build help", "no config and no command given")
	case at < 0 && slices.ContainsFunc(words, word.isHelp):
		return nil, nil, &helpRequest{usage()}
	case at < 0 || words[at].args[0] == "--":
		return buildCommand, words, nil
	}
	rest = slices.Delete(slices.Clone(words), at, at+1)
	if words[at].isVersion() { // as in programs without commands
		return versionCommand, rest, nil
	}
	if cmd = commandNamed(words[at].value); cmd == nil {
		return buildCommand, words, unknownCommand(words[at].value)
	}
	if at = slices.IndexFunc(rest, word.isOperand); at >= 0 {
		if sub := commandNamed(cmd.name + " " + rest[at].value); sub != nil {
			return sub, slices.Delete(rest, at, at+1), nil
		}
	}
	return cmd, rest, nil
}

// parse sets the options and the operands of cmd.
func (c *call) parse(cmd *command, words []word) error {
	c.cmd, c.prints = cmd, cmd.prints
	for _, w := range words {
		if err := c.parseWord(w); err != nil {
			return err
		}
	}
	c.log.quiet = c.quiet
	if c.log.asJSON && c.form == dataset.TextForm {
		c.form = dataset.PlainForm
	}
	n := len(c.operands)
	switch {
	case c.form == dataset.ProtoForm && !cmd.proto:
		return cmd.misused("--json takes no value")
	case n > cmd.most:
		return cmd.misused("unexpected %q", c.operands[cmd.most])
	case cmd.words != nil && n > 0 && !slices.Contains(cmd.words, c.operands[0]):
		return cmd.misused("found %q, expected %s", c.operands[0], orText(cmd.words))
	case n < cmd.least:
		return usagef(cmd.example(), "%s: expected %s", cmd.name, cmd.needs)
	}
	return nil
}

func (c *call) parseWord(w word) error {
	switch {
	case w.isOperand():
		c.operands = append(c.operands, objects.Path(w.value))
		if c.cmd.operand.isPath() {
			if err := c.cmd.operand.check(w.value); err != nil {
				return c.cmd.misused("%v", err)
			}
		}
		return nil
	case w.isHelp():
		return &helpRequest{c.cmd.usage()}
	case w.flag == nil || !slices.Contains(strings.Fields(c.cmd.flags), w.flag.name):
		return usagef(c.cmd.flagHint(w), "%s has no flag -%s", c.cmd.name, w.name)
	case w.flag.isSwitch() && len(w.args) > 1:
		return usagef(w.args[0]+"="+w.args[1], "%s: %q is not a value of %s", c.cmd.name, w.args[1], w.args[0])
	case !w.flag.isSwitch() && !w.given:
		return c.cmd.misused("flag needs an argument: -%s", w.name)
	}
	err := w.flag.set(w.name, w.value)
	switch {
	case err == nil:
		return nil
	case w.flag.value.isPath(): // a URL may have a password: the error has what can be printed
		return c.cmd.misused("invalid value for flag -%s: %v", w.name, err)
	}
	return c.cmd.misused("invalid value %q for flag -%s: %v", w.value, w.name, err)
}

// misused returns an error whose hint is the help of the command.
func (c *command) misused(format string, args ...any) error {
	return usagef("tfr-build help "+c.name, "%s: %s", c.name, fmt.Sprintf(format, args...))
}

// asksForJSON reports whether messages are to be in JSON. Errors in flags are, too.
func asksForJSON(words []word) (json bool) {
	for _, w := range words {
		if w.flag != nil && w.flag.name == "log-format" {
			json = w.value == "json"
		}
	}
	return json
}

// commandText returns a command for a shell, without a flag.
func commandText(words []word, without string) string {
	list := []string{"tfr-build"}
	for _, w := range words {
		if w.flag == nil || w.flag.name != without {
			for _, arg := range w.args {
				list = append(list, shellWord(arg))
			}
		}
	}
	return strings.Join(list, " ")
}

// shellWord returns arg quoted for a shell, if necessary.
func shellWord(arg string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("-_./=:,+@%", r)
	}
	if arg != "" && !strings.ContainsFunc(arg, func(r rune) bool { return !plain(r) }) {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
