package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"tfr-build/internal/codes"
	"tfr-build/internal/version"
)

// manCommand is a function to avoid an initialization cycle with commands.
func manCommand() *command {
	return &command{
		name: "man", group: otherGroup, about: "print the man page", run: man,
		synopsis: []string{"man"},
		text: `Prints the man page in the format of man(7):
  tfr-build man > /usr/local/share/man/man1/tfr-build.1`,
	}
}

func man(_ context.Context, c *call) error {
	m := manual{c.stdout}
	m.writePage(commands())
	return nil
}

// A manual writes the man page in roff's macros man(7), with the text of the help.
type manual struct{ w io.Writer }

func (m manual) writePage(list []*command) {
	m.writeMacro("TH", "TFR-BUILD", "1", "", "tfr-build "+version.Program())
	m.writeMacro("SH", "NAME")
	m.writeLine("tfr-build - build sharded TFRecord datasets")
	m.writeMacro("SH", "SYNOPSIS")
	m.writeLine("tfr-build CONFIG [flags]")
	m.writeMacro("br")
	m.writeLine("tfr-build COMMAND [flags]")
	m.writeMacro("SH", "DESCRIPTION")
	about, _, _ := strings.Cut(usageBegin, "\n\n")
	m.writeText(about)
	m.writeMacro("PP")
	m.writeText(strings.TrimSpace(usageEnd))
	m.writeMacro("SH", "COMMANDS")
	for _, c := range list {
		m.writeCommand(c)
	}
	m.writeMacro("SH", "EXIT STATUS")
	for _, e := range codes.Exits {
		m.writeItem(e.Names, e.Cause)
	}
}

// writeCommand writes the help of a command: its synopsis, its text, and its flags.
func (m manual) writeCommand(c *command) {
	m.writeMacro("SS", c.name)
	for i, line := range c.synopsis {
		if i > 0 {
			m.writeMacro("br")
		}
		m.writeLine("tfr-build " + line)
	}
	m.writeMacro("PP")
	m.writeText(c.text)
	for _, f := range c.rows() {
		m.writeItem(strings.TrimSpace(f.term()), f.about)
	}
}

// writeText writes paragraphs. Indented lines are not filled.
func (m manual) writeText(text string) {
	asIs := false
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if example := strings.HasPrefix(line, "  "); example != asIs {
			asIs = example
			if asIs {
				m.writeMacro("RS")
				m.writeMacro("nf")
			} else {
				m.writeMacro("fi")
				m.writeMacro("RE")
			}
		}
		if line == "" {
			m.writeMacro("PP")
			continue
		}
		m.writeLine(strings.TrimSpace(line))
	}
	if asIs {
		m.writeMacro("fi")
		m.writeMacro("RE")
	}
}

// writeItem writes a term and its meaning.
func (m manual) writeItem(term, meaning string) {
	m.writeMacro("TP")
	fmt.Fprintf(m.w, "\\fB%s\\fR\n", roff(term))
	m.writeLine(meaning)
}

func (m manual) writeMacro(name string, args ...string) {
	fmt.Fprintf(m.w, ".%s", name)
	for _, arg := range args {
		fmt.Fprintf(m.w, ` "%s"`, roff(arg))
	}
	fmt.Fprintln(m.w)
}

func (m manual) writeLine(text string) {
	text = roff(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") { // would be a request
		text = `\&` + text
	}
	fmt.Fprintln(m.w, text)
}

// roff returns text with escapes for the characters that are special in roff.
func roff(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "~", `\(ti`, "^", `\(ha`, `"`,
		`\(dq`).Replace(text)
}
