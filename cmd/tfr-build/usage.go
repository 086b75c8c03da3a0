package main

import (
	"fmt"
	"io"
	"strings"
)

const usageBegin = `tfr-build turns CSV, JSON Lines, Parquet, text, images, arrays, archives, and
TFRecord files into sharded, shuffled TFRecord, OFRecord, or ArrayRecord
datasets.

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

// terminalWidth is the width of the help.
const terminalWidth = 80

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
	for i, line := range c.synopsis {
		begin := "usage:"
		if i > 0 {
			begin = "      "
		}
		fmt.Fprintf(&b, "%s tfr-build %s\n", begin, line)
	}
	fmt.Fprintf(&b, "\n%s\n", c.text)
	if len(c.flags) == 0 {
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
	if f.value.name != "" {
		term += " " + f.value.name
	}
	return term
}

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
