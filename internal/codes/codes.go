// Package codes explains the error codes and the exit codes of tfr-build: the cause, the fix, and
// an example. The error codes are in the tables of docs/reference/errors.md, and only there.
//
//	for _, c := range codes.Named("INT_SYNTAX") { … c.Cause, c.Fix … }
package codes

import (
	"slices"
	"strconv"
	"strings"

	"tfr-build/docs/reference"
)

// A Code is an error code with one of its exit codes. An error code may have several exit codes: an
// invalid row has another one than a config that does not fit the input. Backticks in strings mark
// text to type.
type Code struct {
	Code    string `json:"code"`
	Exit    int    `json:"exit"` // 0: a warning, which does not end a build
	Cause   string `json:"cause"`
	Fix     string `json:"fix"`
	Example string `json:"example"` // input that causes it, or its description
}

// An Exit is an exit code, or several with the same cause.
type Exit struct {
	Names string `json:"exit"` // 3, or several: 129, 130, 143
	Cause string `json:"cause"`
	Fix   string `json:"fix"`
}

// All are the codes that tfr-build reports, in the order of the page: by exit code and subject.
var All = parse(reference.Errors)

// parse returns the rows of the tables below headings with an exit code:
//
//	## Warnings (exit code 0)
//	| <a id="img_mpo"></a>`IMG_MPO` | cause | fix | example, or `input` |
func parse(page string) (list []Code) {
	exit := 0
	for line := range strings.Lines(page) {
		if _, of, found := strings.Cut(line, "(exit code "); found && strings.HasPrefix(line, "## ") {
			exit, _ = strconv.Atoi(strings.TrimRight(of, ")\n"))
		}
		cells := strings.Split(strings.TrimSuffix(line, " |\n"), " | ")
		if _, code, found := strings.Cut(cells[0], "`"); found && len(cells) == 4 {
			for i := range cells {
				cells[i] = strings.ReplaceAll(cells[i], `\|`, "|")
			}
			if example := strings.Split(cells[3], "`"); len(example) == 3 && example[0]+example[2] == "" {
				cells[3] = example[1]
			}
			list = append(list, Code{strings.TrimSuffix(code, "`"), exit, cells[1], cells[2], cells[3]})
		}
	}
	return list
}

// Named returns the entries of a code, in the order of their exit codes. The result is empty for an
// unknown code.
func Named(code string) (list []Code) {
	for _, c := range All {
		if c.Code == code {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b Code) int { return a.Exit - b.Exit })
	return list
}

// ExitNamed returns the entry of an exit code, such as 3, and whether it exists.
func ExitNamed(name string) (Exit, bool) {
	i := slices.IndexFunc(Exits, func(e Exit) bool { return slices.Contains(strings.Split(e.Names, ", "), name) })
	if i < 0 {
		return Exit{}, false
	}
	return Exits[i], true
}

// Names returns each code of All once, in the order of All.
func Names() (list []string) {
	for _, c := range All {
		if !slices.Contains(list, c.Code) {
			list = append(list, c.Code)
		}
	}
	return list
}

// Exits are all exit codes.
var Exits = []Exit{
	{"0", "done, or up to date", "Nothing to do: the dataset is complete."},
	{"1", "another failure", "Read the message. After `locate` it means that no record was found. Run again with " +
		"`--log-format json` for all fields."},
	{"2", "a usage error, a config error, or input that does not fit the config",
		"Fix the command or the config that the message names; `tfr-build check CONFIG` finds all errors of a config at " +
			"once."},
	{"3", "invalid rows", "Fix the rows, or change the feature as the message suggests. `on_error: quarantine` with " +
		"`max_errors: 1%` skips and stores up to 1% of the rows."},
	{"4", "the output could not be written",
		"Check free space, permissions, and quotas, then run again: finished shards are reused."},
	{"5", "an input is missing, has changed, or cannot be read or decompressed",
		"Restore or download the file again, then run again: finished shards are reused."},
	{"6", "the output is locked by another run, or tasks are building it",
		"Wait for the other run. `tfr-build task status CONFIG` shows tasks, and `tfr-build task clean CONFIG` gives them " +
			"up."},
	{"7", "verify found damage",
		"Build the dataset again with `--overwrite`. `tfr-build verify --salvage DIR` copies the intact records."},
	{"8", "the output path is occupied by another dataset or unknown files",
		"Choose another path with `--output`, or replace a dataset of tfr-build with `--overwrite`."},
	{"9", "data checks failed", "Open the report that the message names, then fix the data or the limits under `checks`."},
	{"10", "diff found a difference", "Nothing to fix: the output of `tfr-build diff` lists the differences."},
	{"42", "a task failed permanently; do not retry",
		"Fix the config, the rows, or the input that the message names, run `tfr-build task clean CONFIG`, and plan again."},
	{"75", "a task is not ready yet; retry later", "Start the same command again later, or let it wait with `--wait 2h`."},
	{"129, 130, 143", "interrupted by SIGHUP, SIGINT, or SIGTERM",
		"Run the same command again: it resumes with the finished shards."},
	{"134", "aborted by SIGABRT: out of memory, or a bug in tfr-build",
		"Set a lower `--memory` or fewer `--workers`. If memory suffices, report the message as a bug."},
}
