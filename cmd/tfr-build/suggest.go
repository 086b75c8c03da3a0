package main

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"strings"

	"tfr-build/internal/nearest"
)

// meantCommands are words that users of other tools type, and the command that they mean.
var meantCommands = map[string]string{
	"validate": "check", "lint": "check", "test": "check",
	"run": "build", "make": "build", "convert": "build", "create": "build", "start": "build",
	"list": "inspect", "ls": "inspect", "cat": "inspect", "head": "inspect", "show": "inspect", "print": "inspect", "dump": "inspect", "view": "inspect",
	"preview": "try", "sample": "try",
	"dry-run": "plan", "dryrun": "plan",
	"new": "init", "infer": "init", "generate": "init",
	"compare": "diff",
	"find":    "locate", "search": "locate", "grep": "locate", "where": "locate",
	"fsck": "verify", "checksum": "verify",
	"describe": "stats", "summary": "stats", "count": "stats",
	"html": "report", "why": "explain",
}

// meantFlags are flags that users of other tools type, and the flags that they mean. The first one
// that the command has is suggested.
var meantFlags = map[string][]string{
	"force": {"overwrite"}, "overwrite": {"force"}, "replace": {"overwrite", "force"}, "y": {"overwrite", "force"}, "clobber": {"overwrite", "force"},
	"dryrun":  {"dry-run"},
	"threads": {"workers"}, "jobs": {"workers"}, "processes": {"workers"}, "num-workers": {"workers"}, "parallel": {"workers"},
	"out": {"output"}, "output-dir": {"output"}, "outdir": {"output"}, "out-dir": {"output"}, "dest": {"output"}, "dir": {"output"},
	"limit": {"records"}, "count": {"records"}, "rows": {"records"}, "num": {"records"}, "head": {"records"}, "lines": {"records"},
	"offset": {"skip"},
	"cfg":    {"config"}, "conf": {"config"}, "c": {"config"},
	"silent": {"quiet"}, "s": {"quiet"},
	"mem": {"memory"}, "ram": {"memory"}, "max-memory": {"memory"},
	"tmp": {"scratch"}, "tmpdir": {"scratch"}, "temp": {"scratch"}, "cache": {"scratch"},
	"nosync": {"sync"}, "no-fsync": {"sync"}, "fsync": {"sync"},
	"log": {"log-format"}, "logformat": {"log-format"},
	"no-resume": {"fresh"}, "restart": {"fresh"}, "clean": {"fresh"},
	"checksum": {"hash-inputs"}, "hash": {"hash-inputs"},
	"full": {"deep"}, "parse": {"deep"},
	"timeout": {"wait", "retry"}, "retries": {"retry"},
}

// unknownCommand returns the error for an operand that is not a command and does not look like a
// config; nil if it looks like one.
func unknownCommand(name string) error {
	if strings.ContainsAny(name, "./") { // a config, even if it does not exist: build reports that
		return nil
	}
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	meant := cmp.Or(meantCommands[strings.ToLower(name)], nearest.Of(name, commandNames(commands())))
	return usagef(cmp.Or(nearest.DidYouMean(meant), "tfr-build help"), "unknown command %q", name)
}

// flagHint returns the hint for a flag that the command does not have: the flag that was meant, or
// the help command.
func (c *command) flagHint(name string) string {
	if name == "v" || name == "verbose" || name == "debug" {
		return "messages are already complete; --log-format json prints all fields"
	}
	var spellings []string
	for _, f := range c.rows() {
		for _, meant := range meantFlags[strings.ToLower(name)] {
			if f.name == meant {
				return nearest.DidYouMean(f.long())
			}
		}
		spellings = append(spellings, f.spellings()...)
	}
	if flagNamed(name) == nil { // otherwise it is a flag of another command, and not misspelled
		if near := nearest.Of(name, spellings); near != "" && len(near) > 1 {
			return nearest.DidYouMean("--" + near)
		}
	}
	return c.help()
}
