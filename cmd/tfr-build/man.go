package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"tfr-build/internal/codes"
)

// manCommand is a function, for it knows the commands, and they know it.
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
	m.page(commands())
	return nil
}

// A manual is written in roff's macros man(7). Its texts are those of the help.
type manual struct{ w io.Writer }

func (m manual) page(list []*command) {
	m.macro("TH", "TFR-BUILD", "1", "", "tfr-build "+programVersion())
	m.macro("SH", "NAME")
	m.line("tfr-build - build sharded TFRecord datasets")
	m.macro("SH", "SYNOPSIS")
	m.line("tfr-build CONFIG [flags]")
	m.macro("br")
	m.line("tfr-build COMMAND [flags]")
	m.macro("SH", "DESCRIPTION")
	about, _, _ := strings.Cut(usageBegin, "\n\n")
	m.text(about)
	m.macro("PP")
	m.text(strings.TrimSpace(usageEnd))
	m.macro("SH", "COMMANDS")
	for _, c := range list {
		m.command(c)
	}
	m.macro("SH", "EXIT STATUS")
	for _, e := range codes.Exits {
		m.item(e.Names, e.Cause)
	}
}

// command writes the help of a command: how it is called, what it does, and its flags.
func (m manual) command(c *command) {
	m.macro("SS", c.name)
	for i, line := range c.synopsis {
		if i > 0 {
			m.macro("br")
		}
		m.line("tfr-build " + line)
	}
	m.macro("PP")
	m.text(c.text)
	for _, f := range c.rows() {
		m.item(strings.TrimSpace(f.term()), f.about)
	}
}

// text writes paragraphs. Lines that are moved in are left as they are.
func (m manual) text(text string) {
	asIs := false
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if example := strings.HasPrefix(line, "  "); example != asIs {
			asIs = example
			if asIs {
				m.macro("RS")
				m.macro("nf")
			} else {
				m.macro("fi")
				m.macro("RE")
			}
		}
		if line == "" {
			m.macro("PP")
			continue
		}
		m.line(strings.TrimSpace(line))
	}
	if asIs {
		m.macro("fi")
		m.macro("RE")
	}
}

// item writes a term and what it means.
func (m manual) item(term, meaning string) {
	m.macro("TP")
	fmt.Fprintf(m.w, "\\fB%s\\fR\n", roff(term))
	m.line(meaning)
}

func (m manual) macro(name string, args ...string) {
	fmt.Fprintf(m.w, ".%s", name)
	for _, arg := range args {
		fmt.Fprintf(m.w, ` "%s"`, roff(arg))
	}
	fmt.Fprintln(m.w)
}

func (m manual) line(text string) {
	text = roff(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") { // which begin a request
		text = `\&` + text
	}
	fmt.Fprintln(m.w, text)
}

// roff is text with what is more than a character to roff escaped.
func roff(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "~", `\(ti`, "^", `\(ha`, `"`, `\(dq`).Replace(text)
}
