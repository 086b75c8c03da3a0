package main

import "context"

// helpCommand is a function, for it knows the commands, and they know it.
func helpCommand() *command {
	return &command{
		name: "help", about: "print the help of a command",
		most: 1, run: help,
		usage: `usage: tfr-build help [COMMAND]

Prints the help of a command, or that of tfr-build.
`,
	}
}

func help(_ context.Context, c *call) error {
	if len(c.operands) == 0 {
		return &helpRequest{usage}
	}
	if cmd := named(c.operands[0]); cmd != nil {
		return &helpRequest{cmd.usage}
	}
	if err := unknownCommand(c.operands[0]); err != nil {
		return err
	}
	return usagef("tfr-build help", "%q is no command", c.operands[0])
}
