package main

import (
	"cmp"
	"io"
	"os"

	"golang.org/x/sys/unix"
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

// terminalColumns returns the width of the terminal that w is, 0 if unknown. ok is false if w is not a terminal.
func terminalColumns(w io.Writer) (n int, ok bool) {
	f, ok := w.(*os.File)
	if !ok {
		return 0, false
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, false
	}
	return int(size.Col), true
}

// widthOf returns the width of the terminal that w is, or another width if w is not a terminal or its width is
// unknown.
func widthOf(w io.Writer, otherwise int) int {
	n, _ := terminalColumns(w)
	return cmp.Or(n, otherwise)
}

func isTerminal(w io.Writer) bool {
	_, ok := terminalColumns(w)
	return ok
}

// isColored reports whether w is a terminal whose user wants colors (https://no-color.org).
func isColored(w io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(w)
}
