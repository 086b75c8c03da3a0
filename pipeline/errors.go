package pipeline

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"tfr-build/schema"
	"tfr-build/sources"
)

// A RowsError says that rows cannot be used: the first of them, or a source
// that has none.
type RowsError struct {
	Path      string
	Line, Col int // from 1; 0 where there is no line
	Text      string
	Hint      string // a config line that helps; may be empty
	Code      string
	Column    string
	Feature   string
}

func (e *RowsError) Error() string {
	place := e.Path
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", e.Path, e.Line, e.Col)
	}
	bad := schema.RowError{Code: e.Code, Column: e.Column, Feature: e.Feature, Message: e.Text}
	return place + ": " + bad.Error()
}

// A TooManyError says that more rows cannot be used than the config allows.
type TooManyError struct {
	Text string
	File string // where they are; empty where they were not kept
}

func (e *TooManyError) Error() string { return e.Text + " [MAX_ERRORS]" }

// A PlaceError says that the output, or what the run keeps beside it, is at a
// place where it may not be.
type PlaceError struct{ Text string }

func (e *PlaceError) Error() string { return e.Text }

// guard turns a panic of a worker into an error. A fault in mapped memory means
// that a file was cut short under the mapping; anything else is a mistake of
// ours, which must not leave files behind. It is to be deferred by the goroutine
// and called at once:
//
//	defer j.guard(&err)()
func (j *job) guard(err *error) func() {
	old := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(old)
		switch r := recover().(type) {
		case nil:
		case interface {
			runtime.Error
			Addr() uintptr
		}:
			*err = j.changedInput()
		default:
			*err = fmt.Errorf("internal error: %v\n%s", r, debug.Stack())
		}
	}
}

// changedInput is the error of a run that found something else than was listed: of
// the first input that changed.
func (j *job) changedInput() error {
	return cmp.Or(j.changed(), error(&sources.InputError{Err: fmt.Errorf("the contents of an input: %w", sources.ErrChanged)}))
}

// changed is the error of the first input that is no longer what was listed; nil
// where all are.
func (j *job) changed() error {
	for _, f := range j.files {
		if err := f.source.Unchanged(f.local); err != nil {
			return err
		}
	}
	now, err := j.sideInputs()
	if err != nil {
		return err
	}
	for i := range max(len(now), len(j.side)) {
		switch {
		case i >= len(j.side):
			return &sources.InputError{Path: now[i].path, Err: sources.ErrChanged}
		case i >= len(now) || now[i] != j.side[i]:
			return &sources.InputError{Path: j.side[i].path, Err: sources.ErrChanged}
		}
	}
	return nil
}
