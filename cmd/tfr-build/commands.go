package main

import (
	"context"
	"slices"
	"strings"
)

// A command is one of the things that tfr-build does.
type command struct {
	name     string
	was      string // an older name, which works and is not shown
	group    string // its heading in the help
	about    string // its line in the help
	synopsis []string
	text     string // what it does, in paragraphs
	flags    []string
	means    map[string]flagMeaning // of some of the flags
	most     int                    // operands
	operand  value                  // what each is
	words    []string               // what the first of several operands is; nil: as the others
	writes   bool                   // what a stopped run does not leave half done
	prints   bool                   // records
	proto    bool                   // its --json takes proto
	run      func(ctx context.Context, c *call) error
}

// The groups of commands.
const (
	buildGroup  = "build a dataset"
	lookGroup   = "look at a dataset"
	trustGroup  = "trust a dataset"
	recordGroup = "files of records"
	taskGroup   = "many machines"
	otherGroup  = "other"
)

const anyNumber = 1 << 30

// Operands that several commands have.
var (
	configOperand = value{name: "CONFIG", kind: configValue}
	fileOperand   = value{name: "FILE", kind: fileValue}
	dirOperand    = value{name: "DIR", kind: dirValue}
)

// commands are all commands, in the order of the help.
func commands() []*command {
	help := helpCommand()
	list := []*command{
		initCommand, checkCommand, planCommand, tryCommand, buildCommand,
		inspectCommand, statsCommand, reportCommand, diffCommand, locateCommand,
		verifyCommand,
		writeCommand, indexCommand,
		taskCommand, statusCommand, cleanCommand,
		explainCommand, schemaCommand, completionCommand(), manCommand(), versionCommand, help,
	}
	help.operand = value{"COMMAND", wordValue, append(names(list), exitTopic)}
	return list
}

// names are the first words of commands, each once.
func names(list []*command) (names []string) {
	for _, c := range list {
		if name, _, _ := strings.Cut(c.name, " "); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (c *command) help() string { return "tfr-build help " + c.name }

// A helpRequest ends a command as an error does: a text was asked for, and
// nothing else is to be done.
type helpRequest struct{ text string }

func (e *helpRequest) Error() string { return "help is requested" }

// named returns the command with a name or an older name; nil if no command has it.
func named(name string) *command {
	list := commands()
	if i := slices.IndexFunc(list, func(c *command) bool { return c.name == name || c.was == name && name != "" }); i >= 0 {
		return list[i]
	}
	return nil
}

// choose finds the command that args name, by their first operands, and returns
// the arguments without them. The name of a config means the command build.
func choose(args []string) (cmd *command, rest []string, err error) {
	for _, i := range wordsOf(args) {
		switch name, _ := flagOf(args[i]); name {
		case versionCommand.name: // as programs are asked that have no commands
			return versionCommand, slices.Delete(slices.Clone(args), i, i+1), nil
		case "":
			if cmd = named(args[i]); cmd == nil {
				return buildCommand, args, unknownCommand(args[i])
			}
			cmd, rest = cmd.choose(slices.Delete(slices.Clone(args), i, i+1))
			return cmd, rest, nil
		}
	}
	switch {
	case len(args) == 0:
		return nil, nil, usagef("tfr-build help", "no config and no command given")
	case slices.ContainsFunc(args, isHelp):
		return nil, nil, &helpRequest{usage()}
	}
	return buildCommand, args, nil
}

// choose returns the command of two words that c and the first operand of args name, and
// the arguments without that operand; or both as they are.
func (c *command) choose(args []string) (*command, []string) {
	for _, i := range wordsOf(args) {
		if name, _ := flagOf(args[i]); name == "" {
			if sub := named(c.name + " " + args[i]); sub != nil {
				return sub, slices.Delete(args, i, i+1)
			}
			break
		}
	}
	return c, args
}

// wordsOf are the positions of flags and operands in args, up to "--". The values of
// flags are neither.
func wordsOf(args []string) (list []int) {
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		if i == 0 || !isSwitchValue(args[i-1], args[i]) {
			list = append(list, i)
		}
		if _, takesNext := flagOf(args[i]); takesNext {
			i++
		}
	}
	return list
}

func isHelp(arg string) bool {
	name, _ := flagOf(arg)
	return name == "h" || name == "help"
}
