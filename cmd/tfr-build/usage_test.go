package main

import (
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tfr-build/internal/exit"
)

var usageFlag = regexp.MustCompile(`(?m)^  -([a-z-]+)(?: ([A-Z]+))?`)

// The help of a command lists the flags that it has, in their order, and no others.
func TestUsageListsTheFlags(t *testing.T) {
	for _, cmd := range commands() {
		t.Run(cmd.name, func(t *testing.T) {
			var listed []string
			for _, m := range usageFlag.FindAllStringSubmatch(cmd.usage, -1) {
				listed = append(listed, m[1])
				if f := flagNamed(m[1]); f != nil && f.value.name != m[2] {
					t.Errorf("-%s %s is -%s %s in the table", m[1], m[2], m[1], f.value.name)
				}
			}
			have := slices.Clone(cmd.flags)
			slices.Sort(listed)
			slices.Sort(have)
			if !slices.Equal(listed, have) {
				t.Errorf("the help lists %q, the command has %q", listed, have)
			}
			if !strings.HasPrefix(cmd.usage, "usage: tfr-build "+cmd.name) {
				t.Errorf("the help begins with %.40q", cmd.usage)
			}
		})
	}
}

func TestUsageLinesFitATerminal(t *testing.T) {
	texts := []string{usage}
	for _, cmd := range commands() {
		texts = append(texts, cmd.usage)
	}
	for _, text := range texts {
		for line := range strings.Lines(text) {
			if len(line) > 80 || strings.Contains(line, "\t") {
				t.Errorf("%q is longer than a terminal is wide, or has a tab", line)
			}
		}
	}
}

func TestUsageListsTheCommands(t *testing.T) {
	for _, cmd := range commands() {
		if line := fmt.Sprintf("\n  %-12s%s\n", cmd.name, cmd.about); !strings.Contains(usage, line) {
			t.Errorf("the help does not list %s as %q", cmd.name, line)
		}
	}
}

func TestUsageListsTheExitCodes(t *testing.T) {
	for _, code := range []int{exit.Done, exit.Failed, exit.Usage, exit.Rows, exit.Output, exit.Input, exit.Locked, exit.Damage, exit.InWay, exit.Checks, exit.Differs, exit.NoRetry, exit.NotYet} {
		if !strings.Contains(usage, fmt.Sprintf("\n  %-5d", code)) {
			t.Errorf("the help does not list exit code %d", code)
		}
	}
}

// What is known of flags before their command is known is what they are.
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
	}
	for i, f := range flagRows {
		if !slices.Contains(used, f.name) {
			t.Errorf("no command has the flag -%s", f.name)
		}
		if i > 0 && f.name <= flagRows[i-1].name {
			t.Errorf("-%s is not in its place", f.name)
		}
		if f.about == "" || len(f.about) > 60 || strings.ContainsAny(f.about, "'\"`$\\[]:") {
			t.Errorf("-%s: %q is no short sentence that a shell takes", f.name, f.about)
		}
		if (f.on == nil) == (f.set == nil) || (f.value.name == "") != (f.set == nil) || (f.value.kind == wordValue) != (f.value.words != nil) {
			t.Errorf("-%s is neither on or off nor has a value", f.name)
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
		{"-", "", false},
		{"x.yaml", "", false},
		{"", "", false},
	} {
		if name, takesNext := flagOf(c.arg); name != c.name || takesNext != c.takesNext {
			t.Errorf("flagOf(%q) = %q, %v; want %q, %v", c.arg, name, takesNext, c.name, c.takesNext)
		}
	}
}
