package main

import (
	"errors"
	"fmt"

	"tfr-build/dataset"
	"tfr-build/internal/vfs"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
	"tfr-build/sink"
	"tfr-build/sources/input"
	"tfr-build/tfrecord"
)

// Exit codes, besides 128 and the number of the signal that ended the run; that of
// SIGABRT is the Go runtime's, see abortBySignal.
const (
	exitDone    = 0  // done, or up to date
	exitFailed  = 1  // failed otherwise
	exitUsage   = 2  // usage, config, or an input that does not fit it
	exitRows    = 3  // rows that cannot be used
	exitOutput  = 4  // the output could not be written
	exitInput   = 5  // an input is missing, cannot be read, or changed
	exitLocked  = 6  // locked by another run
	exitDamage  = 7  // verify found damage
	exitInWay   = 8  // the output is in the way
	exitChecks  = 9  // the data is not as the config's checks say
	exitDiffers = 10 // diff found a difference

	exitHopeless = 42 // a task ended with what no retry mends
	exitNotYet   = 75 // a task was asked for before its time
)

// exitCode is the exit code of a command that ended with err.
func exitCode(err error) int {
	var stop *interrupted
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &stop):
		return stop.code()
	case is[*usageError](err), is[*config.Problems](err), is[*input.FitError](err), is[*pipeline.PlaceError](err),
		errors.Is(err, sink.ErrMountPoint), errors.Is(err, sink.ErrName):
		return exitUsage
	case errors.Is(err, pipeline.ErrDamage) && !is[*pipeline.TooManyError](err):
		return exitInput
	case is[*pipeline.RowsError](err), is[*pipeline.TooManyError](err), is[*dataset.LineError](err):
		return exitRows
	case errors.Is(err, dataset.ErrSalvageInUse), is[*inWayError](err): // before SalvageError, which holds the first
		return exitInWay
	case is[*pipeline.NotYetError](err):
		return exitNotYet
	case is[*sink.LockedError](err), is[*sink.TakenError](err), is[*pipeline.TasksError](err), errors.Is(err, vfs.ErrLocked): // before WriteError, which holds the second
		return exitLocked
	case is[*sink.OutputError](err), errors.Is(err, sink.ErrDiffers), is[*asideError](err), is[*dataset.SalvageError](err), is[*vfs.WriteError](err):
		return exitOutput
	case is[*input.Error](err), is[*tfrecord.CorruptError](err):
		return exitInput
	case is[*damaged](err):
		return exitDamage
	case is[*pipeline.ChecksError](err):
		return exitChecks
	case is[*differs](err):
		return exitDiffers
	case errors.Is(err, sink.ErrInTheWay), errors.Is(err, sink.ErrForeign), errors.Is(err, sink.ErrNotOurs), errors.Is(err, sink.ErrDataset), errors.Is(err, sink.ErrStranger):
		return exitInWay
	}
	return exitFailed
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
