package main

import (
	"errors"
	"fmt"
	"strings"

	"tfr-build/internal/exit"
)

// exitCode returns the exit code of a command that returned err.
func exitCode(err error) int {
	if stop, ok := errors.AsType[*interrupted](err); ok {
		return stop.code()
	}
	if e, ok := errors.AsType[*commandError](err); ok {
		return e.exit
	}
	return exit.Code(err)
}

// is reports whether err is an E, or wraps one.
func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

// A commandError is an error of this package. It has no text if the command has reported it.
type commandError struct {
	exit       int
	path       string // empty if the error is not about a file
	text, hint string
}

func (e *commandError) Error() string { return strings.TrimPrefix(e.path+": "+e.text, ": ") }

// usagef returns an error of the command line.
func usagef(hint, format string, args ...any) error {
	return &commandError{exit.Usage, "", fmt.Sprintf(format, args...), hint}
}
