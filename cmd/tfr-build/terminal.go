package main

import (
	"io"
	"os"
)

// A color is an escape sequence that changes how a terminal shows text.
type color string

const (
	bold   color = "\x1b[1m"
	red    color = "\x1b[1;31m"
	yellow color = "\x1b[1;33m"
	cyan   color = "\x1b[1;36m"
	plain  color = "\x1b[0m"
)

// paint colors s if the log goes to a terminal.
func (l *log) paint(c color, s string) string {
	if !l.colored {
		return s
	}
	return string(c) + s + string(plain)
}

// columns returns the width of the terminal that the log goes to.
func (l *log) columns() int {
	if f, ok := l.w.(*os.File); ok {
		if n, _ := terminalColumns(f); n > 0 {
			return n
		}
	}
	return unknownColumns
}

// isColored reports whether w is a terminal whose user wants colors (https://no-color.org).
func isColored(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(f)
}
