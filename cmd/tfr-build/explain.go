package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"tfr-build/internal/codes"
	"tfr-build/internal/nearest"
)

var explainCommand = &command{
	name: "explain", meant: "why", group: otherGroup, about: "explain an error code or an exit code",
	most: 1, operand: value{"CODE", wordValue, codes.Names()}, prints: true, run: explain,
	flags:    "log-format",
	synopsis: []string{"explain [flags] [CODE]"},
	text: `Prints the cause, the fix, and an example of an error code, such as INT_SYNTAX,
or the meaning of an exit code, such as 3. Without CODE it lists all codes by
exit code.`,
}

func explain(_ context.Context, c *call) error {
	if len(c.operands) == 0 {
		listCodes(c)
		return nil
	}
	name := strings.ToUpper(strings.Trim(c.operands[0], "[]"))
	if e, found := codes.ExitNamed(name); found {
		explainExit(c, e)
		return nil
	}
	rows := codes.Named(name)
	if len(rows) == 0 {
		hint := nearest.Hint(name, codes.Names())
		return usagef(cmp.Or(hint, "tfr-build explain"), "unknown code %q", c.operands[0])
	}
	for i, row := range rows {
		if i > 0 && !c.log.asJSON {
			fmt.Fprintln(c.stdout)
		}
		explainCode(c, row)
	}
	return nil
}

func explainCode(c *call, row codes.Code) {
	if c.log.asJSON {
		printObject(c.stdout, facts{"code": row.Code, "exit": row.Exit, "cause": row.Cause, "fix": row.Fix,
			"example": row.Example})
		return
	}
	printEntries(c.stdout, row.Code, [][2]string{{"exit", exitText(row.Exit)}, {"cause", row.Cause}, {"fix", row.Fix},
		{"example", row.Example}})
}

func explainExit(c *call, e codes.Exit) {
	if c.log.asJSON {
		printObject(c.stdout, facts{"exit": e.Names, "cause": e.Cause, "fix": e.Fix})
		return
	}
	printEntries(c.stdout, "exit code "+e.Names, [][2]string{{"cause", e.Cause}, {"fix", e.Fix}})
}

// printEntries prints a title and, below it, entries with their names.
func printEntries(w io.Writer, title string, texts [][2]string) {
	fmt.Fprintln(w, title)
	for _, t := range texts {
		printEntry(w, 10, t[0]+":", t[1])
	}
}

// listCodes prints all codes with their causes, by exit code.
func listCodes(c *call) {
	exit := -1
	for _, row := range codes.All {
		if c.log.asJSON {
			explainCode(c, row)
			continue
		}
		if row.Exit != exit {
			if exit >= 0 {
				fmt.Fprintln(c.stdout)
			}
			exit = row.Exit
			fmt.Fprintln(c.stdout, "exit code "+exitText(exit))
		}
		printEntry(c.stdout, 24, row.Code, row.Cause)
	}
}

func exitText(code int) string {
	if code == 0 {
		return "0 (warning)"
	}
	e, _ := codes.ExitNamed(strconv.Itoa(code))
	return fmt.Sprintf("%d: %s", code, e.Cause)
}
