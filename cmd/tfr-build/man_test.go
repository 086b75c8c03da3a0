package main

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
)

func manualPage() []byte {
	var page bytes.Buffer
	m := manual{&page}
	m.page(commands())
	return page.Bytes()
}

// What formats manual pages finds no fault.
func TestManualPageIsFormatted(t *testing.T) {
	for _, tool := range [][]string{
		{"mandoc", "-T", "lint", "-W", "error"},
		{"groff", "-man", "-ww", "-z"},
	} {
		t.Run(tool[0], func(t *testing.T) {
			cmd := exec.Command(testenv.Shell(t, tool[0]), tool[1:]...)
			cmd.Stdin = bytes.NewReader(manualPage())
			if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// Every flag of every command is on the manual page, with what it means.
func TestManualPage(t *testing.T) {
	page := string(manualPage())
	for _, c := range commands() {
		if !strings.Contains(page, "\n.SS \""+c.name+"\"\n") {
			t.Errorf("%s is not there", c.name)
		}
		for _, f := range c.rows() {
			if term, meaning := c.meaning(f); !strings.HasPrefix(term, "-"+f.name) || meaning == "" || strings.Contains(meaning, "  ") {
				t.Errorf("%s -%s is %q, %q", c.name, f.name, term, meaning)
			}
		}
	}
}

func TestMeaningsOfFlags(t *testing.T) {
	for _, c := range []struct {
		command             *command
		flag, term, meaning string
	}{
		{writeCommand, "o", "-o OUT", "write to OUT; - is standard output"},
		{buildCommand, "sync", "-sync=false", "do not wait for the disk: for scratch disks"},
		{buildCommand, "output", "-output DIR", "write to DIR, seen from here, or to a URL, instead of the config's output, which is seen from the config"},
		{inspectCommand, "log-format", "-log-format FORMAT", "text, or json: an object a line, also of the records (text)"},
	} {
		if term, meaning := c.command.meaning(flagNamed(c.flag)); term != c.term || meaning != c.meaning {
			t.Errorf("%s: %q, %q", c.flag, term, meaning)
		}
	}
}

// What means something to roff is only itself.
func TestRoff(t *testing.T) {
	var page bytes.Buffer
	m := manual{&page}
	m.line(`.a 'b' \c -d`)
	m.line("'e")
	if want := `\&.a \(aqb\(aq \ec \-d` + "\n" + `\(aqe` + "\n"; page.String() != want {
		t.Errorf("%q, want %q", page.String(), want)
	}
}
