package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"tfr-build/dataset"
	"tfr-build/internal/exit"
	"tfr-build/internal/store"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
	"tfr-build/sink"
	"tfr-build/sources/input"
	"tfr-build/tfrecord"
)

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
	}{
		{nil, 0},
		{errors.New("anything else"), 1},
		{&resultError{syscall.ENOSPC}, 1},
		{usagef("", "nothing to do"), 2},
		{&config.Problems{}, 2},
		{&input.MismatchError{}, 2},
		{&pipeline.BadPathError{}, 2},
		{fmt.Errorf("out: %w", sink.ErrMountPoint), 2},
		{fmt.Errorf("out: %w", sink.ErrName), 2},
		{&pipeline.RowsError{}, 3},
		{&pipeline.RowsError{Damage: true}, 5},
		{errors.Join(&pipeline.RowsError{}, &pipeline.RowsError{Damage: true}), 5},
		{errors.Join(&pipeline.TooManyError{}, &pipeline.RowsError{Damage: true}), 3},
		{&dataset.LineError{}, 3},
		{&sink.OutputError{Err: syscall.ENOSPC}, 4},
		{&store.WriteError{Err: syscall.ENOSPC}, 4},
		{fmt.Errorf("train-0: %w", sink.ErrDiffers), 4},
		{&dataset.SalvageError{Err: syscall.ENOSPC}, 4},
		{&input.Error{Err: fs.ErrNotExist}, 5},
		{errors.Join(errors.New("two"), &input.Error{Err: fs.ErrPermission}), 5},
		{&tfrecord.CorruptError{}, 5},
		{&sink.LockedError{}, 6},
		{&store.WriteError{Err: store.ErrLocked}, 6},
		{&commandError{exit: exit.Damage}, 7},
		{fmt.Errorf("out: %w", sink.ErrInTheWay), 8},
		{fmt.Errorf("out: %w", sink.ErrUnknownStage), 8},
		{fmt.Errorf("out: %w", sink.ErrDataset), 8},
		{&dataset.SalvageError{Err: dataset.ErrSalvageInUse}, 8},
		{&commandError{exit.InWay, "a", "it already exists", ""}, 8},
		{&interrupted{signal: syscall.SIGHUP}, 129},
		{&interrupted{signal: syscall.SIGINT}, 130},
		{&interrupted{signal: syscall.SIGTERM}, 143},
		{(&interrupted{signal: syscall.SIGINT}).after(&sink.OutputError{Err: syscall.EIO}), 130},
		{fmt.Errorf("in a wrapper: %w", &pipeline.RowsError{}), 3},
	} {
		if code := exitCode(c.err); code != c.code {
			t.Errorf("%T %v: exit code %d, want %d", c.err, c.err, code, c.code)
		}
	}
}

// An error while an interrupted run stops is reported, unless it is the interruption itself.
func TestInterruptedReportsOtherErrors(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{context.Canceled, 1},
		{fmt.Errorf("reading: %w", context.Canceled), 1},
		{&interrupted{signal: syscall.SIGINT}, 2}, // another one than the cause
		{&sink.OutputError{Op: "removing", Path: "out", Offset: -1, Err: syscall.EIO}, 2},
	} {
		stop := &interrupted{signal: syscall.SIGINT}
		if got := messages(stop.after(c.err)); len(got) != c.want {
			t.Errorf("%v: %d messages, want %d", c.err, len(got), c.want)
		}
	}
}
