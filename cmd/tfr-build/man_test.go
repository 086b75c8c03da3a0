package main

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
)

func manualPage() []byte {
	var page bytes.Buffer
	m := manual{&page}
	m.page(commands())
	return page.Bytes()
}

// What formats manual pages finds no fault, and every flag of every command is
// there with what it means.
func TestManualPage(t *testing.T) {
	for _, tool := range [][]string{
		{"mandoc", "-T", "lint", "-W", "error"},
		{"groff", "-man", "-ww", "-z"},
	} {
		if _, err := exec.LookPath(tool[0]); err != nil {
			t.Logf("there is no %s", tool[0])
			continue
		}
		cmd := exec.Command(tool[0], tool[1:]...)
		cmd.Stdin = bytes.NewReader(manualPage())
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", tool[0], err, out)
		}
	}
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
