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
	m.writePage(commands())
	return page.Bytes()
}

// The man page is formatted without errors.
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

// Every flag of every command is on the man page, with what it means.
func TestManualPage(t *testing.T) {
	page := string(manualPage())
	for _, c := range commands() {
		_, section, found := strings.Cut(page, "\n.SS \""+c.name+"\"\n")
		if !found {
			t.Errorf("%s is not there", c.name)
		}
		section, _, _ = strings.Cut(section, "\n.S")
		section += "\n"
		for _, f := range c.rows() {
			if item := "\\fB" + roff(strings.TrimSpace(f.term())) + "\\fR\n" + roff(f.about) +
				"\n"; !strings.Contains(section, item) {
				t.Errorf("%s has no %q", c.name, item)
			}
		}
	}
}

// Characters that are special in roff are escaped.
func TestRoff(t *testing.T) {
	var page bytes.Buffer
	m := manual{&page}
	m.writeLine(`.a 'b' \c -d`)
	m.writeLine("'e")
	if want := `\&.a \(aqb\(aq \ec \-d` + "\n" + `\(aqe` + "\n"; page.String() != want {
		t.Errorf("%q, want %q", page.String(), want)
	}
}
