package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"tfr-build/internal/codes"
)

const usageBegin = `tfr-build turns CSV, JSON Lines, Parquet, text, images, arrays, archives, and
TFRecord files into sharded, shuffled TFRecord, OFRecord, ArrayRecord, or
WebDataset datasets.

examples:
  tfr-build init penguins.csv -o penguins.yaml   write a config for your files
  tfr-build try penguins.yaml -n 1               print the first record
  tfr-build penguins.yaml                        build the dataset

usage:
  tfr-build CONFIG [flags]     build a dataset; same as tfr-build build CONFIG
  tfr-build COMMAND [flags]    see tfr-build help COMMAND
`

const usageEnd = `
Flags may come before and after operands, with one dash or two. Results go to
standard output, everything else to standard error. Exit codes are listed by
tfr-build help exit-codes, error codes by tfr-build explain.
`

// exitTopic is the operand of help for the list of exit codes.
const exitTopic = "exit-codes"

// helpCommand is a function to avoid an initialization cycle with commands.
func helpCommand(names []string) *command {
	return &command{
		name: "help", group: otherGroup, about: "print the help of a command",
		most: 2, operand: oneOf("COMMAND", append(names, exitTopic)...), run: help,
		synopsis: []string{"help [COMMAND]", "help exit-codes"},
		text:     `Prints the help of a command, the list of exit codes, or the overview.`,
	}
}

// A helpRequest is returned as an error by a command whose help was requested: the help is printed,
// and nothing else is done.
type helpRequest struct{ text string }

func (e *helpRequest) Error() string { return "help is requested" }

func help(_ context.Context, c *call) error {
	name := strings.Join(c.operands, " ")
	switch name {
	case "":
		return &helpRequest{usage()}
	case exitTopic:
		return &helpRequest{exitCodes()}
	}
	cmd := commandNamed(name)
	if first := commandNamed(c.operands[0]); first != nil &&
		slices.Contains(first.words, c.operands[len(c.operands)-1]) {
		cmd = first
	}
	if cmd != nil {
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

// usage returns the help of tfr-build.
func usage() string {
	var b strings.Builder
	b.WriteString(usageBegin)
	group := ""
	for _, c := range commands() {
		if c.group != group {
			group = c.group
			fmt.Fprintf(&b, "\n%s:\n", group)
		}
		fmt.Fprintf(&b, "  %-13s%s\n", c.name, c.about)
	}
	b.WriteString(usageEnd)
	return b.String()
}

// usage returns the help of a command: its synopsis, its text, and its flags.
func (c *command) usage() string {
	var b strings.Builder
	begin := "usage:"
	for _, line := range c.synopsis {
		fmt.Fprintf(&b, "%-6s tfr-build %s\n", begin, line)
		begin = ""
	}
	fmt.Fprintf(&b, "\n%s\n", c.text)
	if c.flags == "" {
		return b.String()
	}
	b.WriteString("\nflags:\n")
	const column = 27 // column in which meanings begin
	for _, f := range c.rows() {
		printEntry(&b, column-2, f.term(), f.about)
	}
	return b.String()
}

// term returns a flag as help lists it: -j, --workers N.
func (f *flagRow) term() string {
	term := strings.Join(f.shown(), ", ")
	if f.short == "" {
		term = "    " + term
	}
	return strings.TrimRight(term+" "+f.value.name, " ")
}

// terminalWidth is the width of the help.
const terminalWidth = 80

// printEntry prints a term and its meaning as an entry of a list. The meaning begins after width
// columns. If the term is longer, the meaning begins on the next line.
func printEntry(w io.Writer, width int, term, meaning string) {
	if len(term) >= width {
		fmt.Fprintf(w, "  %s\n", term)
		term = ""
	}
	for _, line := range wrap(meaning, terminalWidth-width-2) {
		fmt.Fprintf(w, "  %-*s%s\n", width, term, line)
		term = ""
	}
}

// wrap splits text into lines of at most width bytes.
func wrap(text string, width int) (lines []string) {
	for word := range strings.FieldsSeq(text) {
		if last := len(lines) - 1; last >= 0 && len(lines[last])+1+len(word) <= width {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}
