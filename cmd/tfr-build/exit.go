package main

import (
	"errors"
	"fmt"

	"tfr-build/internal/exit"
)

// exitCode returns the exit code of a command that returned err.
func exitCode(err error) int {
	var stop *interrupted
	switch {
	case errors.As(err, &stop):
		return stop.code()
	case is[*usageError](err):
		return exit.Usage
	case is[*conflictError](err):
		return exit.InWay
	}
	code := exit.Code(err)
	switch {
	case code != exit.Failed:
		return code
	case is[*runFileError](err):
		return exit.Output
	case is[*damagedError](err):
		return exit.Damage
	case is[*differsError](err):
		return exit.Differs
	}
	return exit.Failed
}

// is reports whether err is an E, or wraps one.
func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

// A usageError says that the command line is invalid.
type usageError struct{ text, hint string }

func (e *usageError) Error() string { return e.text }

func usagef(hint, format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...), hint}
}

// A damagedError says that verify found damage, which is already reported.
type damagedError struct{ count int64 }

func (e *damagedError) Error() string { return fmt.Sprintf("%d damages", e.count) }
