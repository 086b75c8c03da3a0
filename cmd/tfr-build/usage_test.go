package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/exit"
)

// The help of a command begins with how it is called, and says something of each flag.
func TestUsageOfCommands(t *testing.T) {
	for _, cmd := range commands() {
		t.Run(cmd.name, func(t *testing.T) {
			if !strings.HasPrefix(cmd.usage(), "usage: tfr-build "+cmd.name) {
				t.Errorf("the help begins with %.40q", cmd.usage())
			}
			for _, f := range cmd.rows() {
				if !strings.Contains(cmd.usage(), "\n  "+f.term()+" ") {
					t.Errorf("the help has no %s", f.long())
				}
			}
			for name := range cmd.means {
				if !slices.Contains(cmd.flags, name) {
					t.Errorf("it says what -%s means, and has no such flag", name)
				}
			}
		})
	}
}

func TestUsageLinesFitATerminal(t *testing.T) {
	texts := []string{usage(), exitCodes()}
	for _, cmd := range commands() {
		texts = append(texts, cmd.usage())
	}
	for _, text := range texts {
		for line := range strings.Lines(text) {
			if len(line) > terminalWidth+1 || strings.Contains(line, "\t") {
				t.Errorf("%q is longer than a terminal is wide, or has a tab", line)
			}
		}
	}
}

// The groups of commands are together, so that each has one heading.
func TestUsageGroupsTheCommands(t *testing.T) {
	for _, group := range []string{buildGroup, lookGroup, trustGroup, recordGroup, taskGroup, otherGroup} {
		if n := strings.Count(usage(), "\n"+group+":\n"); n != 1 {
			t.Errorf("%d headings %q", n, group)
		}
	}
}

func TestUsageListsTheExitCodes(t *testing.T) {
	for _, code := range []int{exit.Done, exit.Failed, exit.Usage, exit.Rows, exit.Output, exit.Input, exit.Locked, exit.Damage, exit.InWay, exit.Checks, exit.Differs, exit.NoRetry, exit.NotYet} {
		if !strings.Contains(exitCodes(), fmt.Sprintf("\n  %-15d", code)) {
			t.Errorf("the help does not list exit code %d", code)
		}
	}
}

// Words that are suggestions for a command or a flag lead to an existing one.
func TestSuggestedNamesExist(t *testing.T) {
	for word, name := range meantCommands {
		if commandNamed(name) == nil || commandNamed(word) != nil {
			t.Errorf("%q stands for %q", word, name)
		}
	}
	for word, list := range meantFlags {
		for _, name := range list {
			if f := flagNamed(name); f == nil || f.name != name {
				t.Errorf("-%s stands for -%s", word, name)
			}
		}
	}
}

// The flags of all commands agree with what is assumed before the command is known.
func TestFlagsOfAllCommands(t *testing.T) {
	var used []string
	for _, cmd := range commands() {
		var o options
		o.flagSet(cmd).VisitAll(func(f *flag.Flag) {
			used = append(used, f.Name)
			boolean, _ := f.Value.(interface{ IsBoolFlag() bool })
			wantsValue := boolean == nil || !boolean.IsBoolFlag()
			if name, takesNext := flagOf("--" + f.Name); name != f.Name || takesNext != wantsValue {
				t.Errorf("flagOf(--%s) is %q, %v", f.Name, name, takesNext)
			}
		})
		for _, f := range cmd.rows() {
			if brief := f.brief(); brief == "" || len(brief) > 80 || strings.ContainsAny(brief, "\"`$\\[]:") || strings.Contains(brief, "'") {
				t.Errorf("%s -%s: %q is no short clause that a shell takes", cmd.name, f.name, brief)
			}
		}
	}
	spelled := map[string]string{}
	for i, f := range flagRows {
		for _, name := range f.spellings() {
			if !slices.Contains(used, name) {
				t.Errorf("no command has the flag -%s", name)
			}
			if other, taken := spelled[name]; taken {
				t.Errorf("-%s and -%s are both -%s", f.name, other, name)
			}
			spelled[name] = f.name
		}
		if i > 0 && f.name <= flagRows[i-1].name {
			t.Errorf("-%s is not in its place", f.name)
		}
		if (f.on == nil) == (f.set == nil) || (f.value.name == "") != (f.set == nil) || (f.value.kind == wordValue) != (f.value.words != nil) {
			t.Errorf("-%s is neither a switch nor has a value", f.name)
		}
	}
}

func TestSplitNumbers(t *testing.T) {
	for given, want := range map[string]string{
		"inspect -n5 a":          "inspect -n=5 a",
		"-j4 x.yaml":             "-j=4 x.yaml",
		"inspect -n 5 a":         "inspect -n 5 a",
		"x.yaml -output -j4":     "x.yaml -output -j4",
		"verify -quiet -j4 -- a": "verify -quiet -j=4 -- a",
		"verify -- -j4":          "verify -- -j4",
		"-x5 -q5 -nx -n":         "-x5 -q5 -nx -n",
	} {
		if got := strings.Join(splitNumbers(strings.Fields(given)), " "); got != want {
			t.Errorf("%q is %q, want %q", given, got, want)
		}
	}
}

func TestFlagOf(t *testing.T) {
	for _, c := range []struct {
		arg, name string
		takesNext bool
	}{
		{"-config", "config", true},
		{"--config=x.yaml", "config", false},
		{"-quiet", "quiet", false},
		{"-fresh", "fresh", false},
		{"-salvage", "salvage", true},
		{"-salvage=d", "salvage", false},
		{"-h", "h", false},
		{"-n", "n", true},
		{"-q", "q", false},
		{"-no-sync", "no-sync", false},
		{"-", "", false},
		{"x.yaml", "", false},
		{"", "", false},
	} {
		if name, takesNext := flagOf(c.arg); name != c.name || takesNext != c.takesNext {
			t.Errorf("flagOf(%q) = %q, %v; want %q, %v", c.arg, name, takesNext, c.name, c.takesNext)
		}
	}
}
