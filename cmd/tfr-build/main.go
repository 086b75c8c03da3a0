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
	"syscall"
	"time"

	"tfr-build/pipeline/config"
)

func main() {
	abortBySignal()
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run runs the command that args name and returns the exit code.
func run(args []string, stdout, stderr *os.File) int {
	signal.Ignore(syscall.SIGPIPE) // a reader that went away must not end a job
	c := &call{args: args, record: runRecord{began: time.Now()}, stdout: &results{w: stdout}, log: newLog(stderr, asksForJSON(args))}
	cmd, rest, err := choose(splitNumbers(args))
	if err == nil {
		c.prints, c.isTask = cmd.prints, cmd == taskCommand
		err = c.parse(cmd, rest)
	}
	if err == nil && cmd.operand.isPath() {
		err = c.leadSomewhere(cmd)
	}
	if err == nil {
		err = c.perform(cmd)
	}
	return c.conclude(err)
}

// A call is one run of a command: what it was given and where it writes.
type call struct {
	options
	args     []string // as they were given
	operands []string
	stdout   *results
	log      *log
	prints   bool           // records, which are the results
	isTask   bool           // of a build by several processes, which has exit codes of its own
	loaded   *config.Config // nil where none was
	came     facts          // what the command came to
	last     facts          // of the lines that -quiet held back

	record runRecord
}

// leadSomewhere refuses relative paths if the working directory was deleted: the
// system then finds no file, and its error would blame the file.
func (c *call) leadSomewhere(cmd *command) error {
	if _, err := os.Getwd(); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	operands := c.operands
	if cmd.words != nil && len(operands) > 0 { // the first is a word
		operands = operands[1:]
	}
	for _, path := range append([]string{c.config, c.output, c.scratch, c.depfile, c.metrics, c.runReport, c.salvage, c.against, c.work}, operands...) {
		if path != "" && path != standard && !filepath.IsAbs(path) {
			return usagef("cd to a directory that exists, or use absolute paths", "the working directory was deleted; %q cannot be found", path)
		}
	}
	return nil
}

// perform runs cmd and lets signals end it.
func (c *call) perform(cmd *command) error {
	limitMemory()
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	first := func(s syscall.Signal) { cancel(&interrupted{signal: s, resume: cmd.resume(c.args)}) }
	if !cmd.writes { // there is nothing to clean up
		first = func(s syscall.Signal) { os.Exit(c.conclude(&interrupted{signal: s})) }
	}
	defer onSignals(first, os.Exit)()
	err := guarded(func() error { return withFeatures(ctx, c, cmd.run(ctx, c)) })
	if stop := new(interrupted); err != nil && errors.As(context.Cause(ctx), &stop) {
		return stop.after(err)
	}
	return err
}

// conclude says what went wrong and returns the exit code.
func (c *call) conclude(err error) int {
	if help := new(helpRequest); errors.As(err, &help) {
		fmt.Fprint(c.stdout, help.text)
		err = nil
	}
	if err == nil {
		err = c.stdout.err
	}
	if out := new(resultError); errors.As(err, &out) && errors.Is(out, syscall.EPIPE) {
		err = nil // the reader has read what it needs
	}
	code := exitCode(err)
	if c.isTask {
		code = taskCode(err, code)
	}
	if failed := c.record.write(c.metrics, err, code); failed != nil {
		err = errors.Join(err, failed)
		code = cmp.Or(code, exitCode(failed))
	}
	for _, m := range messages(err) {
		m.Exit = code
		c.log.say(m)
	}
	c.conclusion(err, code)
	return code
}

// results is standard output. It keeps the first error and then writes nothing
// more, so that commands need not check each line.
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
