package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"tfr-build/internal/nearest"
)

// A command is one of the things that tfr-build does.
type command struct {
	name    string
	about   string // its line in the help
	usage   string
	flags   []string
	most    int   // operands
	operand value // what each is
	writes  bool  // what a stopped run does not leave half done
	prints  bool  // records
	proto   bool  // its -json takes proto
	run     func(ctx context.Context, c *call) error
}

const anyNumber = 1 << 30

// Operands that several commands have.
var (
	configOperand = value{name: "FILE", kind: configValue}
	fileOperand   = value{name: "FILE", kind: fileValue}
)

// commands are all commands, in the order of the help.
func commands() []*command {
	help := helpCommand()
	list := []*command{initCommand, buildCommand, checkCommand, planCommand, tryCommand, inspectCommand, writeCommand, verifyCommand, statsCommand, reportCommand, diffCommand, indexCommand, locateCommand, taskCommand, statusCommand, cleanCommand, schemaCommand, completionCommand(), manCommand(), versionCommand, help}
	help.operand = value{"COMMAND", wordValue, names(list)}
	return list
}

// names are those of commands.
func names(list []*command) (names []string) {
	for _, c := range list {
		names = append(names, c.name)
	}
	return names
}

func (c *command) help() string { return "tfr-build help " + c.name }

// A helpRequest ends a command as an error does: a text was asked for, and
// nothing else is to be done.
type helpRequest struct{ text string }

func (e *helpRequest) Error() string { return "help is asked for" }

func named(name string) *command {
	list := commands()
	if i := slices.IndexFunc(list, func(c *command) bool { return c.name == name }); i >= 0 {
		return list[i]
	}
	return nil
}

// choose finds the command that args name, by their first operand, and returns
// the arguments without it. The name of a config means the command build.
func choose(args []string) (cmd *command, rest []string, err error) {
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		name, takesNext := flagOf(args[i])
		switch {
		case name == versionCommand.name: // as programs are asked that have no commands
			return versionCommand, slices.Delete(slices.Clone(args), i, i+1), nil
		case takesNext: // a flag's value is no operand
			i++
		case name == "":
			if cmd := named(args[i]); cmd != nil {
				return cmd, slices.Delete(slices.Clone(args), i, i+1), nil
			}
			return buildCommand, args, unknownCommand(args[i])
		}
	}
	switch {
	case len(args) == 0:
		return nil, nil, usagef("tfr-build help", "nothing to do: name a config or a command")
	case slices.ContainsFunc(args, isHelp):
		return nil, nil, &helpRequest{usage}
	}
	return buildCommand, args, nil
}

func isHelp(arg string) bool {
	name, _ := flagOf(arg)
	return name == "h" || name == "help"
}

// unknownCommand is the fault of an operand that is neither a command nor
// looks like a config.
func unknownCommand(name string) error {
	if strings.ContainsAny(name, "./") { // a config, even if it is not there: build says so
		return nil
	}
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	hint := "tfr-build help"
	if near := nearest.Of(name, names(commands())); near != "" {
		hint = "did you mean " + near + "?"
	}
	return usagef(hint, "%q is no command, and no config of that name is there", name)
}
