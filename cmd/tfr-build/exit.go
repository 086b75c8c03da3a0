package main

import (
	"errors"
	"fmt"

	"tfr-build/internal/exit"
)

// exitCode is the exit code of a command that ended with err.
func exitCode(err error) int {
	var stop *interrupted
	switch {
	case errors.As(err, &stop):
		return stop.code()
	case is[*usageError](err):
		return exit.Usage
	case is[*inWayError](err):
		return exit.InWay
	}
	code := exit.Code(err)
	switch {
	case code != exit.Failed:
		return code
	case is[*asideError](err):
		return exit.Output
	case is[*damaged](err):
		return exit.Damage
	case is[*differs](err):
		return exit.Differs
	}
	return exit.Failed
}

// is reports whether err is, or holds, an E.
func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}

// A usageError says that the command line cannot be understood.
type usageError struct{ text, hint string }

func (e *usageError) Error() string { return e.text }

func usagef(hint, format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...), hint}
}

// damaged says that verify found damage, which is reported already.
type damaged struct{ count int64 }

func (e *damaged) Error() string { return fmt.Sprintf("%d damages", e.count) }
