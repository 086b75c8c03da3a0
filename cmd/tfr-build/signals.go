package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// interrupted says that a signal ended a command.
type interrupted struct {
	signal syscall.Signal
	resume string // the command that resumes the build; empty where no dataset is written
	err    error  // what went wrong while the command stopped; nil where all went well
}

func (e *interrupted) Error() string {
	text := "interrupted by " + unix.SignalName(e.signal)
	if e.resume != "" {
		text += ": this run published nothing"
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

// resume is the command line that resumes what args began: the same but for
// -fresh, which would drop it. Only a build can be resumed.
func (c *command) resume(args []string) string {
	if c != buildCommand {
		return ""
	}
	words := []string{"tfr-build"}
	for _, arg := range args {
		if name, _ := flagOf(arg); name != "fresh" {
			words = append(words, shellWord(arg))
		}
	}
	return strings.Join(words, " ")
}

// shellWord is arg as a shell takes it.
func shellWord(arg string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:,+@%", r)
	}
	if arg != "" && !strings.ContainsFunc(arg, func(r rune) bool { return !plain(r) }) {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

// code is what a shell says of a process that the signal ended.
func (e *interrupted) code() int { return 128 + int(e.signal) }

// onSignals calls first at the first of the signals that ask a program to end,
// and exit at the second. A program that nohup started continues to ignore
// SIGHUP. After stop they are ignored: what is done is done, and the exit code
// says so.
func onSignals(first func(syscall.Signal), exit func(code int)) (stop func()) {
	caught := make(chan os.Signal, 2) // one that comes while first runs is not lost
	signal.Notify(caught, syscall.SIGINT, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(caught, syscall.SIGHUP)
	}
	done := make(chan struct{})
	go relay(caught, done, first, exit)
	return func() {
		signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
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
