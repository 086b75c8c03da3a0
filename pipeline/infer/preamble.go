package infer

import (
	"bytes"
	"fmt"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/sources/input"
)

// commentMarks are the characters that a preamble may begin its lines with.
const commentMarks = "#%;!*"

// skippedMost is how many lines before a header are skipped at most.
const skippedMost = 100

// preamble looks for a table behind lines that are not part of it: lines of comments, or
// any lines before the header.
func (d *dialect) preamble(text []byte, ext string) {
	plain := *d
	if first := bytes.TrimLeft(text, "\r\n"); len(first) > 0 && strings.IndexByte(commentMarks, first[0]) >= 0 {
		d.comment = string(first[:1])
		if d.choose(text, ext) > 0 {
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

// skipTo looks for the header below the first lines: the first line with as many cells
// as all rows below it. It reports whether there is one.
func (d *dialect) skipTo(text []byte, ext string) bool {
	const several = 3 // rows, so that two lines which are alike by chance make no table
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
		if t.choose(rest, ext) > 0 && t.good == t.rows && t.good >= min(triedRows, max(several, skip)) {
			t.skip = skip
			*d = t
			return true
		}
	}
	return false
}

// mostUnreadable is the share of the rows, in percent, that may be unreadable at most.
const mostUnreadable = 5

// unreadable is the fault of an input of which too many rows cannot be read.
func (s *seen) unreadable() error {
	percent := min(100, 100*s.bad/s.rows+1)
	hint := fmt.Sprintf("on_error: quarantine and max_errors: %d%%, in a config of your own, build the other rows", percent)
	if s.kind == "csv" {
		hint = fmt.Sprintf("init tried the delimiters , tab ; and |, quotes as syntax and as data, lines of comments, and a header below up to %d lines; ", skippedMost) + hint
	}
	return &input.FitError{
		Path: s.label,
		Text: fmt.Sprintf("found %d of %s that cannot be read, expected at most %d %%; the first: %s: %s", s.bad, plural.Of(s.rows, "row"), mostUnreadable, s.where, s.first.Message),
		Code: s.first.Code, Hint: hint,
	}
}
