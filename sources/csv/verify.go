package csv

import (
	"bytes"
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/sources/lines"
)

// checkRecord decides about a record that may be invalid. The arguments n and count are its length
// and number of cells as record found them. Errors of Cutter come first, then invalid bytes, then a
// wrong number of cells.
func (s *Scanner) checkRecord(data []byte, n, count, columns int, check Check) (int, error) {
	s.Cell = -1
	f := &s.cutter.format
	if end := f.blankLine(data, true); end > 0 && columns == 1 && (end <= s.limit || lineEnd(data) > 0) {
		return end, blankRow()
	}
	if n < 0 || n > s.limit {
		quote := ^n
		var bad *schema.RowError
		n, bad, _ = s.cutter.cutRecord(data, true)
		if bad == nil && quote >= 0 {
			bad = bareQuote(quote)
			if f.Unquoted {
				bad.Message = "quote in a cell before the rest of the line"
			}
		}
		if bad != nil {
			if bad.At < s.limit {
				s.setCell(data, bad.At, columns)
			}
			return n, bad
		}
	}
	rec := data[:n]
	if bad := f.checkBytes(rec, check); bad != nil {
		s.setCell(rec, bad.At, columns)
		return n, bad
	}
	if isCtrlZ(rec) {
		return n, ctrlZ()
	}
	if count == columns {
		return n, nil
	}
	at := f.cellStart(rec, columns)
	if at < 0 {
		at = len(bytes.TrimSuffix(bytes.TrimSuffix(rec, []byte{'\n'}), []byte{'\r'}))
	}
	return n, ragged(at, count, *f, columns)
}

// isCtrlZ reports whether a record is the end mark that old systems write after text.
func isCtrlZ(rec []byte) bool {
	return len(rec) > 0 && rec[0] == endOfText && lineEnd(rec[1:]) == len(rec)-1
}

func (s *Scanner) setCell(rec []byte, at, columns int) {
	if i := s.cutter.format.cellAt(rec, at); i < columns || s.cutter.format.Rest {
		i = min(i, columns-1)
		s.Cell = i
	}
}

// checkBytes returns an error if a record has invalid bytes.
func (f Format) checkBytes(rec []byte, check Check) *schema.RowError {
	if check&CheckNUL != 0 {
		if at := bytes.IndexByte(rec, 0); at >= 0 {
			return nul(at)
		}
	}
	if check&CheckUTF8 != 0 && !utf8.Valid(rec) {
		return f.Encoding.Invalid(rec, lines.FirstInvalid(rec))
	}
	if check&CheckCR != 0 {
		if at := f.findLoneCR(rec, true); at >= 0 {
			return loneCR(f, rec, at)
		}
	}
	return nil
}

// findLoneCR returns the offset of the first CR outside quotes that no LF follows, or -1. If b may
// be continued, complete is false, and a CR at the end of b does not count.
func (f Format) findLoneCR(b []byte, complete bool) int {
	if !hasLoneCR(b, 0, len(b)) {
		return -1
	}
	quoted := false
	for i, x := range b {
		switch {
		case x == '"' && f.Quotes:
			quoted = !quoted
		case x == '\r' && !quoted && lineEnd(b[i:]) == 0 && (complete || i+1 < len(b)):
			return i
		}
	}
	return -1
}

// endsWithCR reports whether the CR at the offset of a record ends a line. It does if the record
// has no LF, and the next line has as many cells.
func endsWithCR(f Format, rec []byte, at int) bool {
	if bytes.IndexByte(rec, '\n') >= 0 {
		return false
	}
	next := rec[at+1:]
	if end := f.findLoneCR(next, true); end >= 0 {
		next = next[:end]
	}
	return len(next) == 0 || f.cellAt(next, len(next)) == f.cellAt(rec, at)
}

// cellAt returns the index of the cell that contains the offset or ends there.
func (f Format) cellAt(rec []byte, at int) int {
	cell := 0
	f.eachDelimiter(rec, func(end int) bool {
		if end <= at {
			cell++
		}
		return end < at
	})
	return cell
}

// cellStart returns the offset of a cell, or -1 if the record has fewer cells.
func (f Format) cellStart(rec []byte, cell int) int {
	start := -1
	f.eachDelimiter(rec, func(end int) bool {
		cell--
		if cell == 0 {
			start = end
		}
		return cell > 0
	})
	return start
}

// eachDelimiter calls visit with the end of each delimiter outside quotes, until visit returns
// false.
func (f *Format) eachDelimiter(rec []byte, visit func(end int) bool) {
	quoted := false
	for i := f.firstCell(rec); i < len(rec); i++ {
		if rec[i] == '"' && f.Quotes {
			quoted = !quoted
			continue
		}
		if n := f.delimiterAt(rec[i:]); n > 0 && !quoted {
			i += n
			if f.endsRecord(rec[i:]) || !visit(i) {
				return
			}
			i--
		}
	}
}
