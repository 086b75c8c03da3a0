package main

import (
	"context"
	"slices"
	"strings"
)

// A command is a command of tfr-build. Parsing, errors about the command line, help, completion, the man page,
// and the page of commands in the documentation use it.
type command struct {
	name     string
	oldName  string // older name, which still works but is not shown
	group    string // heading in the help
	about    string // line in the help
	synopsis []string
	text     string                 // help text, in paragraphs
	flags    string                 // names of flags
	means    map[string]flagMeaning // for flags with a special meaning in this command
	operand  value                  // kind of operand
	words    []string               // allowed words of the first operand; nil for any
	least    int                    // smallest number of operands
	most     int                    // largest number of operands
	needs    string                 // the operands that must be given, for an error
	writes   bool                   // writes files, so a signal must let it clean up
	prints   bool                   // prints records
	proto    bool                   // --json accepts proto
	meant    string                 // what users of other tools type for it
	run      func(ctx context.Context, c *call) error
}

// A flagMeaning is the meaning of a flag in a command, if it differs from the table of flags.
type flagMeaning struct {
	value value // replaces the value of the row if it has a name
	about string
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

const unlimited = 1 << 30

// commands returns all commands, in the order of the help.
func commands() []*command {
	list := []*command{
		initCommand, checkCommand, planCommand, tryCommand, buildCommand,
		inspectCommand, statsCommand, reportCommand, diffCommand, locateCommand,
		verifyCommand,
		writeCommand, indexCommand,
		taskCommand, statusCommand, cleanCommand,
		explainCommand, schemaCommand, completionCommand(), manCommand(), versionCommand,
	}
	return append(list, helpCommand(append(commandNames(list), "help")))
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

// commandNamed returns the command with a name or an older name; nil if no command has it.
func commandNamed(name string) *command {
	list := commands()
	if i := slices.IndexFunc(list, func(c *command) bool {
		return c.name == name || c.oldName == name &&
			name != ""
	}); i >= 0 {
		return list[i]
	}
	return nil
}

// example returns a command line with what c needs.
func (c *command) example() string {
	return "tfr-build " + strings.NewReplacer(" [flags]", "", "CONFIG", "CONFIG.yaml").Replace(c.synopsis[0])
}

// rows returns the flags of a command, with their meaning in this command.
func (c *command) rows() (list flagTable) {
	all := newFlags(new(options))
	for name := range strings.FieldsSeq(c.flags) {
		f := *all.named(name)
		if means, differs := c.means[name]; differs {
			f.about = means.about
			if means.value.name != "" {
				f.value = means.value
			}
		}
		list = append(list, f)
	}
	return list
}
