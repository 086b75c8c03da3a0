// Package exit says how programs of the project end: the exit code that tells an error
// from others. The package has what is known of all of them; what only one of them can
// come to, such as a fault of its flags, that one knows.
//
//	os.Exit(exit.Code(err))
//	again := !exit.Hopeless(err) // of a task, which an engine would try again
package exit

import (
	"errors"

	"tfr-build/arrayrecord"
	"tfr-build/dataset"
	"tfr-build/internal/store"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
	"tfr-build/sink"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/tfrecord"
)

// Exit codes, besides 128 and the number of the signal that ended the run; that of
// SIGABRT is the Go runtime's.
const (
	Done    = 0  // done, or up to date
	Failed  = 1  // failed otherwise
	Usage   = 2  // usage, config, or an input that does not fit it
	Rows    = 3  // rows that cannot be used
	Output  = 4  // the output could not be written
	Input   = 5  // an input is missing, cannot be read, or changed
	Locked  = 6  // locked by another run
	Damage  = 7  // verify found damage
	InWay   = 8  // the output is in the way
	Checks  = 9  // the data is not as the config's checks say
	Differs = 10 // diff found a difference

	NoRetry = 42 // a task ended with what no retry mends
	NotYet  = 75 // a task was asked for before its time
)

// Code is the exit code of what ended with err.
func Code(err error) int {
	switch {
	case err == nil:
		return Done
	case is[*config.Problems](err), is[*input.FitError](err), is[*pipeline.PlaceError](err),
		errors.Is(err, sink.ErrMountPoint), errors.Is(err, sink.ErrName):
		return Usage
	case errors.Is(err, pipeline.ErrDamage) && !is[*pipeline.TooManyError](err):
		return Input
	case is[*pipeline.RowsError](err), is[*pipeline.TooManyError](err), is[*dataset.LineError](err):
		return Rows
	case errors.Is(err, dataset.ErrSalvageInUse): // before SalvageError, which holds it
		return InWay
	case is[*pipeline.NotYetError](err):
		return NotYet
	case is[*sink.LockedError](err), is[*sink.TakenError](err), is[*pipeline.TasksError](err), errors.Is(err, store.ErrLocked): // before WriteError, which holds the last
		return Locked
	case is[*sink.OutputError](err), errors.Is(err, sink.ErrDiffers), is[*dataset.SalvageError](err), is[*store.WriteError](err):
		return Output
	case is[*input.Error](err), is[*tfrecord.CorruptError](err), is[*arrayrecord.RefusedError](err):
		return Input
	case is[*pipeline.ChecksError](err):
		return Checks
	case errors.Is(err, sink.ErrInTheWay), errors.Is(err, sink.ErrForeign), errors.Is(err, sink.ErrNotOurs), errors.Is(err, sink.ErrDataset), errors.Is(err, sink.ErrStranger):
		return InWay
	}
	return Failed
}

// Hopeless reports whether a task that ended with err ends so however often it is tried:
// a fault of the config, rows that cannot be used, input that changed, a damaged plan.
func Hopeless(err error) bool {
	if is[*pipeline.BrokenError](err) {
		return true
	}
	switch Code(err) {
	case Usage, Rows, InWay, Checks:
		return true
	case Input:
		return errors.Is(err, files.ErrChanged)
	}
	return false
}

// is reports whether err is, or holds, an E.
func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}
