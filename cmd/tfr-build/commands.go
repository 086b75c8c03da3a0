package main

import (
	"context"
	"slices"
	"strings"
)

// A command is a command of tfr-build.
type command struct {
	name     string
	oldName  string // older name, which still works but is not shown
	group    string // heading in the help
	about    string // line in the help
	synopsis []string
	text     string // help text, in paragraphs
	flags    []string
	means    map[string]flagMeaning // for flags with a special meaning in this command
	most     int                    // largest number of operands
	operand  value                  // kind of operand
	words    []string               // allowed words of the first operand; nil for any
	writes   bool                   // writes files, so a signal must let it clean up
	prints   bool                   // prints records
	proto    bool                   // --json accepts proto
	run      func(ctx context.Context, c *call) error
}

// Groups of commands in the help.
const (
	buildGroup  = "build a dataset"
	lookGroup   = "look at a dataset"
	trustGroup  = "trust a dataset"
	recordGroup = "files of records"
	taskGroup   = "many machines"
	otherGroup  = "other"
)

const anyNumber = 1 << 30

// Operands of several commands.
var (
	configOperand = value{name: "CONFIG", kind: configValue}
	fileOperand   = value{name: "FILE", kind: fileValue}
	dirOperand    = value{name: "DIR", kind: dirValue}
)

// commands returns all commands, in the order of the help.
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
	help.operand = value{"COMMAND", wordValue, append(commandNames(list), exitTopic)}
	return list
}

// commandNames returns the first words of commands, without repetitions.
func commandNames(list []*command) (names []string) {
	for _, c := range list {
		if name, _, _ := strings.Cut(c.name, " "); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (c *command) help() string { return "tfr-build help " + c.name }

// A helpRequest is returned as an error by a command whose help was requested: the help is printed,
// and nothing else is done.
type helpRequest struct{ text string }

func (e *helpRequest) Error() string { return "help is requested" }

// commandNamed returns the command with a name or an older name; nil if no command has it.
func commandNamed(name string) *command {
	list := commands()
	if i := slices.IndexFunc(list, func(c *command) bool { return c.name == name || c.oldName == name && name != "" }); i >= 0 {
		return list[i]
	}
	return nil
}

// chooseCommand returns the command in args, by the first operands, and the arguments without them.
// If the first operand is a config, the command is build.
func chooseCommand(args []string) (cmd *command, rest []string, err error) {
	for _, i := range wordsOf(args) {
		switch name, _ := flagOf(args[i]); name {
		case versionCommand.name: // as in programs without commands
			return versionCommand, slices.Delete(slices.Clone(args), i, i+1), nil
		case "":
			if cmd = commandNamed(args[i]); cmd == nil {
				return buildCommand, args, unknownCommand(args[i])
			}
			cmd, rest = cmd.chooseSub(slices.Delete(slices.Clone(args), i, i+1))
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

// chooseSub returns the command of two words in c and the first operand of args, and the arguments
// without that operand. If no command has these words, it returns c and args.
func (c *command) chooseSub(args []string) (*command, []string) {
	for _, i := range wordsOf(args) {
		if name, _ := flagOf(args[i]); name == "" {
			if sub := commandNamed(c.name + " " + args[i]); sub != nil {
				return sub, slices.Delete(args, i, i+1)
			}
			break
		}
	}
	return c, args
}

// wordsOf returns the positions of flags and operands in args, up to "--". Values of flags are
// skipped.
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
