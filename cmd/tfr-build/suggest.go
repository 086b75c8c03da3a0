package main

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"tfr-build/internal/nearest"
)

// isMeant reports whether name is one of the words that users of other tools type.
func isMeant(meant, name string) bool {
	return slices.Contains(strings.Fields(meant), strings.ToLower(name))
}

// unknownCommand returns the error for an operand that is not a command and does not look like a
// config; nil if it looks like one.
func unknownCommand(name string) error {
	if strings.ContainsAny(name, "./") { // a config, even if it does not exist: build reports that
		return nil
	}
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	hint := "tfr-build help"
	list := commands()
	if near := nearest.Of(name, commandNames(list)); near != "" {
		hint = nearest.DidYouMean(near)
	}
	for _, c := range list {
		if isMeant(c.meant, name) {
			hint = nearest.DidYouMean(c.name)
		}
	}
	return usagef(hint, "unknown command %q", name)
}

// flagHint returns the hint for a flag that the command does not have: the flag that was meant, or
// the help command.
func (c *command) flagHint(w word) string {
	if isMeant("v verbose debug", w.name) {
		return "messages are already complete; --log-format json prints all fields"
	}
	var spellings []string
	for _, f := range c.rows() {
		if isMeant(f.meant, w.name) {
			return nearest.DidYouMean("--" + f.spellings()[0])
		}
		spellings = append(spellings, f.spellings()...)
	}
	if w.flag == nil { // otherwise it is a flag of another command, and not misspelled
		if near := nearest.Of(w.name, spellings); near != "" && len(near) > 1 {
			return nearest.DidYouMean("--" + near)
		}
	}
	return "tfr-build help " + c.name
}
