package main

import (
	"context"
	"slices"
	"strings"

	"tfr-build/internal/codes"
)

// exitTopic is the operand of help for the list of exit codes.
const exitTopic = "exit-codes"

// helpCommand is a function to avoid an initialization cycle with commands.
func helpCommand() *command {
	return &command{
		name: "help", group: otherGroup, about: "print the help of a command",
		most: 2, run: help,
		synopsis: []string{"help [COMMAND]", "help exit-codes"},
		text:     `Prints the help of a command, the list of exit codes, or the overview.`,
	}
}

func help(_ context.Context, c *call) error {
	name := strings.Join(c.operands, " ")
	if name == "" {
		return &helpRequest{usage()}
	}
	if name == exitTopic {
		return &helpRequest{exitCodes()}
	}
	if cmd := commandNamed(name); cmd != nil {
		return &helpRequest{cmd.usage()}
	}
	if cmd := commandNamed(c.operands[0]); cmd != nil && slices.Contains(cmd.words, c.operands[len(c.operands)-1]) {
		return &helpRequest{cmd.usage()}
	}
	if err := unknownCommand(name); err != nil {
		return err
	}
	return usagef("tfr-build help", "unknown command %q", name)
}

// exitCodes returns the help text about exit codes.
func exitCodes() string {
	var b strings.Builder
	b.WriteString("exit codes:\n")
	for _, e := range codes.Exits {
		printEntry(&b, 15, e.Names, e.Cause)
	}
	b.WriteString("\ntfr-build explain CODE prints the fix for an exit code or an error code.\n")
	return b.String()
}
