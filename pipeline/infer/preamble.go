package infer

import (
	"bytes"
	"fmt"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/sources/input"
)

// commentMarks are the characters that may begin the lines of a preamble.
const commentMarks = "#%;!*"

// skippedMost is the largest number of lines that are skipped before a header.
const skippedMost = 100

// skipPreamble finds a table after lines that are not part of it: comments, or other lines before
// the header.
func (d *dialect) skipPreamble(text []byte, ext string) {
	plain := *d
	if first := bytes.TrimLeft(text, "\r\n"); len(first) > 0 && strings.IndexByte(commentMarks, first[0]) >= 0 {
		d.comment = string(first[:1])
		if d.chooseDelimiter(text, ext) > 0 {
			if number, _ := d.headless(); number == "" {
				return
			}
		}
	}
	commented := *d
	if *d = plain; d.skipTo(text, ext) || commented.columns == plain.columns {
		return
	}
	*d = commented
}

// skipTo finds a header below the first lines: the first line with as many cells as all rows after
// it. It reports whether it found one.
func (d *dialect) skipTo(text []byte, ext string) bool {
	const several = 3 // rows: two lines may be alike by chance
	rest := text
	for skip := 1; skip <= skippedMost; skip++ {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			return false
		}
		rest = rest[end+1:]
		next, _, _ := bytes.Cut(rest, []byte("\n"))
		if !bytes.ContainsAny(next, strings.Join(delimiters, "")) {
			continue
		}
		t := *d
		if t.chooseDelimiter(rest, ext) > 0 && t.good == t.rows && t.good >= min(triedRows, max(several, skip)) {
			t.skip = skip
			*d = t
			return true
		}
	}
	return false
}

// mostUnreadable is the largest percentage of rows that may be unreadable.
const mostUnreadable = 5

// unreadableError returns the error of an input with too many unreadable rows.
func (s *summary) unreadableError() error {
	percent := min(100, 100*s.invalid/s.rows+1)
	hint := fmt.Sprintf("on_error: quarantine and max_errors: %d%%, in a config of your own, build the other rows", percent)
	if s.kind == "csv" {
		hint = fmt.Sprintf("init tried the delimiters , tab ; and |, quotes as syntax and as data, lines of comments, and a header below up to %d lines; ", skippedMost) + hint
	}
	return &input.FitError{
		Path: s.label,
		Text: fmt.Sprintf("found %d of %s that cannot be read, expected at most %d %%; the first: %s: %s", s.invalid, plural.Of(s.rows, "row"), mostUnreadable, s.where, s.first.Message),
		Code: s.first.Code, Hint: hint,
	}
}
