package sources

import (
	"errors"
	"fmt"
	"io/fs"
)

// An InputError says that an input is missing, cannot be read or
// decompressed, or changed while it was being read.
type InputError struct {
	Path string // empty where Err names it
	Err  error
}

func (e *InputError) Error() string {
	if e.Path == "" {
		return e.Err.Error()
	}
	// the path stands in front already: do not say it twice
	var p *fs.PathError
	if errors.As(e.Err, &p) && p.Path == e.Path {
		return fmt.Sprintf("%s: %v", e.Path, p.Err)
	}
	return fmt.Sprintf("%s: %v", e.Path, e.Err)
}

func (e *InputError) Unwrap() error { return e.Err }

// Code is the stable code of the cause; empty where it has none.
func (e *InputError) Code() string {
	var broken *codecError
	switch {
	case errors.As(e.Err, &broken):
		return broken.code()
	case errors.Is(e.Err, ErrChanged):
		return "INPUT_CHANGED"
	case errors.Is(e.Err, ErrNotRegular):
		return "NOT_REGULAR"
	case errors.Is(e.Err, fs.ErrNotExist):
		return "NOT_FOUND"
	case errors.Is(e.Err, fs.ErrPermission):
		return "NOT_READABLE"
	}
	return ""
}

// ErrChanged is the cause of an InputError whose file is not the one that was
// listed.
var ErrChanged = errors.New("the file changed while it was being read")

// ErrNotRegular is the cause of an InputError whose file is a folder, a pipe, a
// device, a socket, or of those that a kernel makes up while they are read.
var ErrNotRegular = errors.New("not a regular file")

// A FitError says that an input is not what the config says of it: a missing
// column, a doubled header, another format or encoding.
type FitError struct {
	Path            string // of the input; empty where there is none
	Line            int    // from 1; 0 where there is none
	Col             int
	Text            string
	Hint            string
	Code            string // stable, such as SCHEMA_MISSING_COLUMN; may be empty
	Column, Feature string // what a missing column is called, and who wants it; may be empty
}

func (e *FitError) Error() string {
	place := ""
	switch {
	case e.Path != "" && e.Line > 0:
		place = fmt.Sprintf("%s:%d:%d: ", e.Path, e.Line, e.Col)
	case e.Path != "":
		place = e.Path + ": "
	}
	code := ""
	if e.Code != "" {
		code = " [" + e.Code + "]"
	}
	if e.Feature != "" {
		place += fmt.Sprintf("feature %q: ", e.Feature)
	}
	return place + e.Text + code
}
