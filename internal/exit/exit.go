// Package exit maps errors to the exit codes of the project's programs. It covers the errors that
// all programs may return. Each program handles its own errors, such as errors of its flags.
//
//	os.Exit(exit.Code(err))
//	retry := !exit.Hopeless(err) // for a task that an engine would retry
package exit

import (
	"errors"

	"tfr-build/arrayrecord"
	"tfr-build/dataset"
	"tfr-build/internal/bug"
	"tfr-build/internal/store"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
	"tfr-build/sink"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/tfrecord"
)

// Exit codes. A signal ends a run with 128 plus its number; for SIGABRT, the Go runtime does.
const (
	Done    = 0  // done, or up to date
	Failed  = 1  // other errors
	Usage   = 2  // usage, config, or an input that does not fit the config
	Rows    = 3  // invalid rows
	Output  = 4  // the output could not be written, or the work directory of tasks not read or written
	Input   = 5  // an input is missing, cannot be read, or changed
	Locked  = 6  // locked by another run
	Damage  = 7  // verify found damage
	InWay   = 8  // unknown files or another dataset are at the output path
	Checks  = 9  // checks of the config failed
	Differs = 10 // diff found a difference

	NoRetry = 42 // a task failed permanently
	NotYet  = 75 // a task is not ready yet
)

// Code returns the exit code for err.
func Code(err error) int {
	switch {
	case err == nil:
		return Done
	case is[*bug.Error](err): // before input.Error, which names the file that was read
		return Failed
	case is[*pipeline.RebuildError](err): // which wraps the next ones
		return Damage
	case is[*config.Problems](err), is[*input.MismatchError](err), is[*pipeline.BadPathError](err),
		errors.Is(err, sink.ErrMountPoint), errors.Is(err, sink.ErrName):
		return Usage
	case errors.Is(err, pipeline.ErrDamage) && !is[*pipeline.TooManyError](err):
		return Input
	case is[*pipeline.RowsError](err), is[*pipeline.TooManyError](err), is[*dataset.LineError](err):
		return Rows
	case errors.Is(err, dataset.ErrSalvageInUse): // before SalvageError, which wraps it
		return InWay
	case is[*pipeline.NotYetError](err):
		return NotYet
	case is[*sink.LockedError](err), is[*sink.TakenError](err), is[*pipeline.TasksError](err), errors.Is(err,
		store.ErrLocked): // before WriteError, which wraps the last one
		return Locked
	case is[*sink.OutputError](err), errors.Is(err,
		sink.ErrDiffers), is[*dataset.SalvageError](err), is[*store.WriteError](err):
		return Output
	case is[*input.Error](err), is[*tfrecord.CorruptError](err), is[*arrayrecord.RefusedError](err):
		return Input
	case is[*pipeline.ChecksError](err):
		return Checks
	case errors.Is(err, sink.ErrInTheWay), errors.Is(err, sink.ErrUnknownStage), errors.Is(err,
		sink.ErrNotOwned), errors.Is(err, sink.ErrDataset), errors.Is(err, sink.ErrUnknownFile):
		return InWay
	}
	return Failed
}

// Hopeless reports whether retrying a task that ended with err is pointless: the config is wrong,
// rows are invalid, an input changed, the plan is damaged, or the program has a bug.
func Hopeless(err error) bool {
	if is[*pipeline.BrokenError](err) || is[*bug.Error](err) {
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

// is reports whether err is or wraps an E.
func is[E error](err error) bool {
	var e E
	return errors.As(err, &e)
}
