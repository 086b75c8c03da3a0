package input

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode"

	"tfr-build/internal/excerpt"
	"tfr-build/schema"
	"tfr-build/sources/files"
)

// An Error says that an input does not exist, cannot be read or decompressed, or changed while it
// was read.
type Error struct {
	Path   string // empty if Err has it
	Err    error
	Advice string // the hint if Err has none; may be empty
}

func (e *Error) Error() string {
	if e.Path == "" {
		return e.Err.Error()
	}
	// Without this the path would be in the message twice.
	var p *fs.PathError
	if errors.As(e.Err, &p) && p.Path == e.Path {
		return fmt.Sprintf("%s: %v", e.Path, p.Err)
	}
	return fmt.Sprintf("%s: %v", e.Path, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Of returns an *fs.PathError as an Error of its file. It returns other errors unchanged.
func Of(err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return &Error{Path: failed.Path, Err: failed.Err}
	}
	return err
}

// Code returns the stable error code of the cause. It is empty if the cause has none.
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

// Hint returns a hint how to fix the cause. It may be empty.
func (e *Error) Hint() string {
	var hinted interface{ Hint() string }
	if errors.As(e.Err, &hinted) {
		return cmp.Or(hinted.Hint(), e.Advice)
	}
	return e.Advice
}

// A Damage is the cause of an Error: a file violates its format.
type Damage struct{ code, text string }

// Damaged returns the Damage with a stable error code.
func Damaged(code, format string, args ...any) *Damage {
	return &Damage{code, fmt.Sprintf(format, args...)}
}

func (d *Damage) Error() string { return d.text }

// Code returns the stable error code.
func (d *Damage) Code() string { return d.code }

// In returns the Damage of a part of the file, which the prefix of its message names.
func (d *Damage) In(prefix string) *Damage { return &Damage{d.code, prefix + d.text} }

// A MismatchError says that an input differs from its description in the config. For example, a column
// is missing, a header name occurs twice, or the format or encoding is another one.
type MismatchError struct {
	Path            string // of the input; may be empty
	Line            int    // from 1; 0 if unknown
	Col             int
	Excerpt         excerpt.Excerpt
	Text            string
	Hint            string
	Code            string      // stable, such as SCHEMA_MISSING_COLUMN; may be empty
	Column, Feature string      // the missing column, and the feature that uses it; may be empty
	Key             string      // path of the config's key with the error, if no feature has it; may be empty
	Config          KeyPosition // of that feature or key; may be zero
	All             bool        // the cause concerns the complete input, so other columns are missing too
}

// Mismatch returns a MismatchError without a path.
func Mismatch(code, format string, args ...any) *MismatchError {
	return &MismatchError{Code: code, Text: fmt.Sprintf(format, args...)}
}

// In returns the MismatchError of a file, or of a part of it, which the prefix of its message names.
func (e *MismatchError) In(path, prefix string) *MismatchError {
	named := *e
	named.Path, named.Text = path, prefix+e.Text
	return &named
}

// InFile returns an error as one of the file at path, or of a part of it, which the prefix of its message names. It
// returns an *Error, which has its own path, and nil unchanged.
func InFile(path, prefix string, err error) error {
	var fit *MismatchError
	var damage *Damage
	switch _, known := errors.AsType[*Error](err); {
	case err == nil || known:
		return err
	case errors.As(err, &fit):
		return fit.In(path, prefix)
	case errors.As(err, &damage):
		err = damage.In(prefix)
	}
	return &Error{Path: path, Err: err}
}

// MissingColumn is the code of a column that an input does not have.
const MissingColumn = "SCHEMA_MISSING_COLUMN"

// A KeyPosition is the position of a key in a config.
type KeyPosition struct {
	Path      string
	Line, Col int // from 1
	Excerpt   excerpt.Excerpt
}

func (e *MismatchError) Error() string {
	prefix := ""
	switch {
	case e.Path != "" && e.Line > 0:
		prefix = fmt.Sprintf("%s:%d:%d: ", e.Path, e.Line, e.Col)
	case e.Path != "":
		prefix = e.Path + ": "
	}
	code := ""
	if e.Code != "" {
		code = " [" + e.Code + "]"
	}
	if e.Feature != "" {
		prefix += "feature " + schema.Quote(e.Feature) + ": "
	}
	return prefix + e.Text + code
}

// NameList formats names for a message. It quotes names that are long, have unusual characters,
// or need quotes in the config.
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
