package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"tfr-build/internal/exit"
	"tfr-build/pipeline/config"
)

func main() {
	abortBySignal()
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run runs the command in args and returns the exit code.
func run(args []string, stdout, stderr *os.File) int {
	signal.Ignore(syscall.SIGPIPE) // the end of the reader must not end a job
	c := &call{record: runRecord{began: time.Now()}, stdout: &results{w: stdout}}
	c.words = newFlags(&c.options).scan(args)
	c.log = newLog(stderr, asksForJSON(c.words))
	cmd, words, err := choose(c.words)
	if err == nil {
		err = c.parse(cmd, words)
	}
	if err == nil {
		err = c.checkWorkingDirectory(words)
	}
	if err == nil {
		err = c.perform()
	}
	return c.conclude(err)
}

// A call is one run of a command. Its options are the parsed flags.
type call struct {
	options
	cmd      *command
	words    []word // the command line
	operands []string
	stdout   *results
	log      *log
	prints   bool           // the command prints records, not a result
	loaded   *config.Config // nil if no config was loaded
	outcome  facts          // result of the command, for JSON
	last     facts          // last object that -quiet suppressed

	record runRecord
}

// checkWorkingDirectory returns an error for relative paths if the working directory was deleted.
// The system then finds no file, and its error would be about the file.
func (c *call) checkWorkingDirectory(words []word) error {
	if _, err := os.Getwd(); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, w := range words {
		isPath := w.flag != nil && w.flag.value.isPath() || w.isOperand() && c.cmd.operand.isPath() &&
			!slices.Contains(c.cmd.words, w.value)
		if isPath && w.value != standard && !filepath.IsAbs(w.value) {
			return usagef("cd to a directory that exists, or use absolute paths",
				"the working directory was deleted; %q cannot be found", w.value)
		}
	}
	return nil
}

// perform runs the command. Signals end it.
func (c *call) perform() error {
	limitMemory()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	first := func(s syscall.Signal) { cancel(&interrupted{signal: s, resume: c.resume()}) }
	if !c.cmd.writes { // nothing needs to be cleaned up
		first = func(s syscall.Signal) { os.Exit(c.conclude(&interrupted{signal: s})) }
	}
	late := func(s syscall.Signal) { // a build that is ended at any time resumes
		os.Exit(c.conclude(&interrupted{signal: s, resume: c.resume(), late: true}))
	}
	defer onSignals(first, late, os.Exit)()
	err := recoverPanics(func() error { return withFeatures(ctx, c, c.cmd.run(ctx, c)) })
	if stop := new(interrupted); err != nil && errors.As(context.Cause(ctx), &stop) {
		return stop.after(err)
	}
	return err
}

// conclude reports err and returns the exit code.
func (c *call) conclude(err error) int {
	if help := new(helpRequest); errors.As(err, &help) {
		fmt.Fprint(c.stdout, help.text)
		err = nil
	}
	if err == nil {
		err = c.stdout.err
	}
	if out := new(resultError); errors.As(err, &out) && errors.Is(out, syscall.EPIPE) {
		err = nil // the reader has what it needs
	}
	code := exitCode(err)
	if c.cmd == taskCommand && exit.Hopeless(err) { // job engines then do not retry the task
		code = exit.NoRetry
	}
	if failed := c.record.write(c.metrics, err, code); failed != nil {
		err = errors.Join(err, failed)
		code = cmp.Or(code, exitCode(failed))
	}
	for _, m := range messages(err) {
		m.Exit = code
		c.log.write(m)
	}
	c.printOutcome(err, code)
	return code
}

// results is standard output. It keeps the first error, and then writes nothing more. So commands
// need not check each line.
type results struct {
	w   io.Writer
	err error
}

func (r *results) Write(p []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.w.Write(p)
	if err != nil {
		r.err = &resultError{err}
	}
	return n, r.err
}

// A resultError says that standard output could not be written.
type resultError struct{ err error }

func (e *resultError) Error() string { return "standard output: " + cause(e.err).Error() }
func (e *resultError) Unwrap() error { return e.err }
