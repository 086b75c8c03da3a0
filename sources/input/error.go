package input

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode"

	"tfr-build/internal/excerpt"
	"tfr-build/schema"
	"tfr-build/sources/files"
)

// An Error says that an input is missing, cannot be read or
// decompressed, or changed while it was being read.
type Error struct {
	Path string // empty where Err names it
	Err  error
}

func (e *Error) Error() string {
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

func (e *Error) Unwrap() error { return e.Err }

// Of is err as an Error of the file that it names; an error that names none it leaves
// alone.
func Of(err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return &Error{failed.Path, failed.Err}
	}
	return err
}

// Code is the stable code of the cause; empty where it has none.
func (e *Error) Code() string {
	var coded interface{ Code() string }
	switch {
	case errors.As(e.Err, &coded):
		return coded.Code()
	case errors.Is(e.Err, files.ErrChanged):
		return "INPUT_CHANGED"
	case errors.Is(e.Err, files.ErrNotRegular):
		return "NOT_REGULAR"
	case errors.Is(e.Err, fs.ErrNotExist):
		return "NOT_FOUND"
	case errors.Is(e.Err, fs.ErrPermission):
		return "NOT_READABLE"
	}
	return ""
}

// Hint is what helps against the cause; empty where it knows nothing.
func (e *Error) Hint() string {
	var hinted interface{ Hint() string }
	if errors.As(e.Err, &hinted) {
		return hinted.Hint()
	}
	return ""
}

// A FitError says that an input is not what the config says of it: a missing
// column, a doubled header, another format or encoding.
type FitError struct {
	Path            string // of the input; empty where there is none
	Line            int    // from 1; 0 where there is none
	Col             int
	Excerpt         excerpt.Excerpt
	Text            string
	Hint            string
	Code            string // stable, such as SCHEMA_MISSING_COLUMN; may be empty
	Column, Feature string // of a missing column, and of the feature that is made of it; may be empty
	Config          Place  // of that feature; the zero Place for none
	Whole           bool   // the input is another than the config says: other columns are missing, too
}

// MissingColumn is the code of a column that an input does not have.
const MissingColumn = "SCHEMA_MISSING_COLUMN"

// A Place is a key of a config.
type Place struct {
	Path      string
	Line, Col int // from 1
	Excerpt   excerpt.Excerpt
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
		place += "feature " + schema.Quote(e.Feature) + ": "
	}
	return place + e.Text + code
}

// NameList writes names for a message; those that would not be seen for what
// they are, are long, or need quotes in the config stand in quotes.
func NameList(names []string) string {
	const most, long = 60, 40
	list := make([]string, 0, most)
	for _, n := range names[:min(most, len(names))] {
		odd := func(r rune) bool { return r == ',' || r == '"' || !unicode.IsPrint(r) }
		if len(n) > long || n == "" || n[0] == '@' || strings.TrimSpace(n) != n || strings.ContainsFunc(n, odd) {
			n = schema.Quote(n)
		}
		list = append(list, n)
	}
	text := strings.Join(list, ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return text
}
