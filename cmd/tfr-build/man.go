package main

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// manCommand is a function, for it knows the commands, and they know it.
func manCommand() *command {
	return &command{
		name: "man", about: "print the manual page", run: man,
		usage: `usage: tfr-build man

Prints the manual page, as man reads it:
  tfr-build man > /usr/local/share/man/man1/tfr-build.1
`,
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
	about, rest := cutText(usage, "\n\nusage:\n")
	_, rest = cutText(rest, "\n\nFlags may")
	rest, codes := cutText("Flags may"+rest, "exit codes:\n")
	m.macro("TH", "TFR-BUILD", "1", "", "tfr-build "+programVersion())
	m.macro("SH", "NAME")
	m.line("tfr-build - build sharded TFRecord datasets")
	m.macro("SH", "SYNOPSIS")
	m.line("tfr-build -config FILE")
	m.macro("br")
	m.line("tfr-build COMMAND ...")
	m.macro("SH", "DESCRIPTION")
	m.text(about)
	m.macro("PP")
	m.text(rest)
	m.macro("SH", "COMMANDS")
	for _, c := range list {
		m.command(c)
	}
	m.macro("SH", "EXIT STATUS")
	for line := range strings.Lines(codes) {
		code, meaning := cutText(strings.TrimSpace(line), "    ")
		m.item(code, strings.TrimSpace(meaning))
	}
}

// command writes the usage of a command: how it is called, what it does, and its
// flags, with what each means to it.
func (m manual) command(c *command) {
	m.macro("SS", c.name)
	called, rest := cutText(strings.TrimPrefix(c.usage, "usage: "), "\n\n")
	for i, line := range strings.Split(called, "\n") {
		if i > 0 {
			m.macro("br")
		}
		m.line(strings.TrimSpace(line))
	}
	m.macro("PP")
	rest, _ = cutText(rest, "\n\nflags")
	m.text(rest)
	for _, f := range c.rows() {
		m.item(c.meaning(f))
	}
}

// meaning is a flag as the usage text has it, with its value, and what the text
// says of it.
func (c *command) meaning(f *flagRow) (term, meaning string) {
	const column = 24 // where meanings begin
	rest, found := "", false
	for _, end := range []string{" ", "="} { // else -o finds -output
		if !found {
			_, rest, found = strings.Cut(c.usage, "\n  -"+f.name+end)
			term = "-" + f.name + end
		}
	}
	var words []string
	for i, line := range strings.Split(rest, "\n") {
		if i == 0 { // the rest of the flag's column
			value := ""
			value, line = cutText(line, "  ")
			term += value
		} else if !strings.HasPrefix(line, strings.Repeat(" ", column)) {
			break
		}
		words = append(words, strings.TrimSpace(line))
	}
	return strings.TrimSpace(term), strings.Join(words, " ")
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

// cutText is strings.Cut without saying whether there was a separator.
func cutText(text, separator string) (before, after string) {
	before, after, _ = strings.Cut(text, separator)
	return before, after
}
