package infer

import (
	"cmp"
	"fmt"
	"strings"

	"tfr-build/sources/input"
)

// mostUnreadable is the largest percentage of rows that may be unreadable, and mostBelow if these are notes below a
// table.
const mostUnreadable, mostBelow = 5, 20

// rowsError returns the error of an input without valid rows, or with too many invalid ones; nil for others.
func (s *summary) rowsError() error {
	if s.First != nil && s.First.Code == "UTF8_INVALID" && s.Wide {
		s.First.Hint = "iconv for these rows alone, as others are UTF-8"
	}
	if s.Rows == 0 && s.typ.Rows != input.FileRows {
		e := &input.MismatchError{Path: s.label, Text: "it has no rows"}
		if s.typ.NullWords {
			e.Hint = "if its first line is a row, write a config with header: false, and columns"
		}
		return e
	}
	if 100*s.Invalid <= mostUnreadable*s.Rows || s.typ.Tried != "" && s.footer == s.Invalid &&
		100*s.Invalid <= mostBelow*s.Rows {
		return nil
	}
	e := &input.MismatchError{Path: s.label, Text: "no row can be read", Code: s.First.Code, Hint: s.First.Hint}
	switch {
	case strings.HasPrefix(s.First.Message, `found "'`):
		e.Hint = "python3 -c 'import ast, json, sys; [print(json.dumps(ast.literal_eval(s))) for s in sys.stdin]' " +
			"< OLD > NEW reads such lines of Python"
	case s.typ.Images:
		e.Hint = cmp.Or(e.Hint, explained(e.Code)) + "; " + s.types.directoryType(false).name + ": {dir: " +
			scalar(s.label) + "} keeps them as bytes"
	case s.typ.Tried != "":
		e.Hint = joinNotes(e.Hint, "init tried "+s.typ.Tried+"; rows must have equal numbers of cells: quote cells "+
			"with delimiters, add empty ones to short rows, and remove lines that are not rows")
	}
	if s.Invalid < s.Rows {
		e.Text = fmt.Sprintf("found %s that cannot be read, expected at most %d %%",
			share(s.Invalid, s.Rows, "row"), mostUnreadable)
		if s.typ.Tried == "" || 2*s.Invalid <= s.Rows {
			e.Hint = joinNotes(e.Hint, fmt.Sprintf("to build the other rows, write a config with on_error: quarantine "+
				"and max_errors: %d%%", 100*s.Invalid/s.Rows+1))
		}
	}
	e.Text += "; the first: " + s.Where + ": " + s.First.Message
	return e
}

// A loss is rows that a build cannot use.
type loss struct {
	n, all int
	noun   string
	why    string
}

func (l loss) String() string { return share(l.n, l.all, l.noun) + l.why }

// allowErrors makes a build skip invalid rows, with a limit based on their share among the
// inspected rows.
func (d *draft) allowErrors(of loss) {
	note := of.String()
	if len(d.onError) > 0 {
		note = joinNotes(d.onError[0].note, note)
	}
	d.onError = []line{entry("on_error: quarantine", note)}
	if d.lost += 100 * of.n / of.all; d.lost > 0 {
		d.onError = append(d.onError, bare(maxErrors(d.lost)))
	}
}

// maxErrors returns the key for a percentage of the inspected rows; others may have more.
func maxErrors(percent int) string { return fmt.Sprintf("max_errors: %d%%", min(100, 2*percent+1)) }
