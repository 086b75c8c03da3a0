package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
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
					t.Errorf("the help has no -%s", f.name)
				}
			}
			for name := range cmd.means {
				if !slices.Contains(strings.Fields(cmd.flags), name) {
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
	for _, code := range []int{exit.Done, exit.Failed, exit.Usage, exit.Rows, exit.Output, exit.Input, exit.Locked,
		exit.Damage, exit.InWay, exit.Checks, exit.Differs, exit.NoRetry, exit.NotYet} {
		if !strings.Contains(exitCodes(), fmt.Sprintf("\n  %-15d", code)) {
			t.Errorf("the help does not list exit code %d", code)
		}
	}
}

// Words that are suggestions for a command or a flag are not commands or flags themselves, and mean only one.
func TestSuggestions(t *testing.T) {
	for _, cmd := range commands() {
		for word := range strings.FieldsSeq(cmd.meant) {
			var e *commandError
			if err := unknownCommand(word); !errors.As(err, &e) || e.hint != "did you mean "+cmd.name+"?" {
				t.Errorf("%q means %s: the hint is %v", word, cmd.name, e)
			}
		}
		flags := map[string]string{}
		for _, f := range cmd.rows() {
			flags[f.name] = f.name
		}
		for _, f := range cmd.rows() {
			for word := range strings.FieldsSeq(f.meant) {
				if other := flags[word]; other != "" && cmd.name+" "+word != "task timeout" {
					t.Errorf("%s: %q means -%s and -%s", cmd.name, word, other, f.name)
				}
				flags[word] = f.name
			}
		}
	}
}

func TestFlagsOfAllCommands(t *testing.T) {
	var used []string
	for _, cmd := range commands() {
		used = append(used, strings.Fields(cmd.flags)...)
		for _, f := range cmd.rows() {
			if brief := f.brief(); brief == "" || len(brief) > 80 || strings.Contains(brief, "\t") {
				t.Errorf("%s -%s: %q is not a short clause", cmd.name, f.name, brief)
			}
		}
	}
	spelled := map[string]string{}
	flags := newFlags(new(options))
	for i, f := range flags {
		if !slices.Contains(used, f.name) {
			t.Errorf("no command has the flag -%s", f.name)
		}
		for _, name := range f.spellings() {
			if other, taken := spelled[name]; taken {
				t.Errorf("-%s and -%s are both -%s", f.name, other, name)
			}
			spelled[name] = f.name
		}
		if i > 0 && f.name <= flags[i-1].name {
			t.Errorf("-%s is not in its place", f.name)
		}
		if f.isSwitch() != (f.value.kind == "") || (f.value.kind == wordValue) != (f.value.words != nil) {
			t.Errorf("-%s is neither a switch nor has a value", f.name)
		}
		err := f.set(f.name, map[string]string{"memory": "1GB", "retry": "1s", "wait": "1s"}[f.name])
		if f.isSwitch() != (err != nil && strings.Contains(err.Error(), "true or false")) && f.name != "json" {
			t.Errorf("-%s is set to nothing: %v", f.name, err)
		}
	}
}

// A URL may have a password, in each operand and flag that is a path. It is invalid, and not printed.
func TestPasswordsAreNotPrinted(t *testing.T) {
	for _, url := range []string{"s3://AKIA:hunter2@bucket/d", "s3://AKIA:hunter2/b@bucket", "gs://me:hunter2@bucket",
		"http://me:hunter2@host/d", "s3:/AKIA:hunter2@bucket/d", "S3://AKIA:hunter2@bucket/d",
		"file://me:hunter2@host/d"} {
		lines := [][]string{{url}}
		for _, cmd := range commands() {
			if cmd.operand.isPath() {
				lines = append(lines, []string{cmd.name, url}, []string{cmd.name, "a", "b", "c", url})
			}
			for _, f := range cmd.rows() {
				if f.value.isPath() {
					lines = append(lines, []string{cmd.name, "--" + f.name, url},
						[]string{cmd.name, "--" + f.name + "=" + url})
				}
			}
		}
		for _, args := range lines {
			c := &call{stdout: &results{w: io.Discard}, log: &log{w: io.Discard}}
			cmd, words, err := choose(newFlags(&c.options).scan(args))
			if err == nil {
				err = c.parse(cmd, words)
			}
			if err == nil || strings.Contains(err.Error(), "hunter2") || exitCode(err) != exit.Usage {
				t.Errorf("%q: %v", args, err)
			}
		}
	}
}

// TestScan splits command lines into words. Each is shown as its name and value.
func TestScan(t *testing.T) {
	for given, want := range map[string]string{
		"inspect -n5 a":             `"inspect" n:"5" "a"`,
		"-j4 x.yaml":                `j:"4" "x.yaml"`,
		"inspect -n 5 a":            `"inspect" n:"5" "a"`,
		"x.yaml -output -j4":        `"x.yaml" output:"-j4"`,
		"verify -quiet -j4 -- a -b": `"verify" quiet:"true" j:"4" "a" "-b"`,
		"verify -- -j4":             `"verify" "-j4"`,
		"-q5 -nx -n":                `q5:"" nx:"" n:""`,
		"--config=x.yaml -q=false":  `config:"x.yaml" q:"false"`,
		"-salvage= --deep true":     `salvage:"" deep:"true"`,
		"-h --version -no-sync - -": `h:"true" version:"true" no-sync:"true" "-" "-"`,
		"-unknown x y --":           `unknown:"x" "y"`,
		"-unknown -log-format json": `unknown:"" log-format:"json"`,
	} {
		var list []string
		for _, w := range newFlags(new(options)).scan(strings.Fields(given)) {
			text := strconv.Quote(w.value)
			if !w.isOperand() {
				text = w.name + ":" + text
			}
			list = append(list, text)
		}
		if got := strings.Join(list, " "); got != want {
			t.Errorf("%q is %s, want %s", given, got, want)
		}
	}
}
