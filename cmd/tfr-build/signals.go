package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// interrupted is the error of a command that a signal ended.
type interrupted struct {
	signal syscall.Signal
	resume string // command that resumes the build; empty if the command does not write a dataset
	err    error  // error while the command stopped; may be nil
	late   bool   // the command did not end in time
}

// patience is how long a command may take to end after a signal.
const patience = 4 * time.Second

func (e *interrupted) Error() string {
	text := "interrupted by " + unix.SignalName(e.signal)
	switch {
	case e.late: // it may have published the dataset
		text += fmt.Sprintf(": the command did not end by itself within %v", patience)
	case e.resume != "":
		text += ": this run published nothing"
	}
	return text
}

// after returns e with the error err that the command returned, unless err is the interruption
// itself.
func (e *interrupted) after(err error) *interrupted {
	if !errors.Is(err, context.Canceled) && !errors.Is(err, e) {
		e.err = err
	}
	return e
}

// resume returns the command line that resumes a build. It has the same arguments except -fresh, which would
// discard the finished shards. It is empty for other commands.
func (c *call) resume() string {
	if c.cmd != buildCommand {
		return ""
	}
	return commandText(c.words, "fresh")
}

// code returns the exit code that a shell reports for a process ended by the signal.
func (e *interrupted) code() int { return 128 + int(e.signal) }

// onSignals calls first at the first of the signals that ask a program to end, and exit at the
// second. It calls late if the program has not ended some seconds after the first one. A program that
// nohup started continues to ignore SIGHUP. After stop they are ignored: the work is done, and the exit
// code says so.
func onSignals(first, late func(syscall.Signal), exit func(code int)) (stop func()) {
	caught := make(chan os.Signal, 2) // a signal that arrives while first runs is not lost
	signal.Notify(caught, syscall.SIGINT, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(caught, syscall.SIGHUP)
	}
	done := make(chan struct{})
	go relay(caught, done, first, late, exit)
	return func() {
		signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
		close(done)
	}
}

func relay(caught <-chan os.Signal, done <-chan struct{}, first, late func(syscall.Signal), exit func(code int)) {
	var asked syscall.Signal
	var timeout <-chan time.Time
	for {
		select {
		case s := <-caught:
			if asked != 0 {
				exit((&interrupted{signal: s.(syscall.Signal)}).code())
				continue
			}
			asked, timeout = s.(syscall.Signal), time.After(patience)
			first(asked)
		case <-timeout:
			go late(asked) // it may wait for standard error; another signal ends the program then
		case <-done:
			return
		}
	}
}
