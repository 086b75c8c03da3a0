package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// interrupted says that a signal ended a command.
type interrupted struct {
	signal syscall.Signal
	writes bool  // the command would have written a dataset
	err    error // what went wrong on the way out; nil where all went well
}

func (e *interrupted) Error() string {
	text := "interrupted by " + unix.SignalName(e.signal)
	if e.writes {
		text += ": nothing of this run is in sight; the same command starts again"
	}
	return text
}

// after is e of a command that ended with err.
func (e *interrupted) after(err error) *interrupted {
	if !errors.Is(err, context.Canceled) && !errors.Is(err, e) {
		e.err = err
	}
	return e
}

// code is what a shell says of a process that the signal ended.
func (e *interrupted) code() int { return 128 + int(e.signal) }

// onSignals calls first at the first of the signals that ask a program to end,
// and exit at the second. A program that nohup started goes on ignoring SIGHUP.
func onSignals(first func(syscall.Signal), exit func(code int)) (stop func()) {
	caught := make(chan os.Signal, 2)
	signal.Notify(caught, syscall.SIGINT, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(caught, syscall.SIGHUP)
	}
	done := make(chan struct{})
	go relay(caught, done, first, exit)
	return func() {
		signal.Stop(caught)
		close(done)
	}
}

func relay(caught <-chan os.Signal, done <-chan struct{}, first func(syscall.Signal), exit func(code int)) {
	for n := 0; ; n++ {
		select {
		case s := <-caught:
			if n == 0 {
				first(s.(syscall.Signal))
				continue
			}
			exit((&interrupted{signal: s.(syscall.Signal)}).code())
		case <-done:
			return
		}
	}
}
