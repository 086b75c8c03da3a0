// Package codes explains the error codes and the exit codes of tfr-build: the cause, the fix, and
// an example. They are in the tables of errors.md and exit-codes.md in docs/reference, and only there.
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

// Exits are all exit codes.
var Exits = parseExits(reference.ExitCodes)

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
		cells := cellsOf(line)
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

// parseExits returns the rows of the table:
//
//	| 3 | cause | fix |
func parseExits(page string) (list []Exit) {
	for line := range strings.Lines(page) {
		if cells := cellsOf(line); len(cells) == 3 && strings.ContainsAny(cells[0], "0123456789") {
			list = append(list, Exit{cells[0], cells[1], cells[2]})
		}
	}
	return list
}

func cellsOf(line string) []string {
	return strings.Split(strings.TrimPrefix(strings.TrimSuffix(line, " |\n"), "| "), " | ")
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
