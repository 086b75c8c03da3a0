package csv

import (
	"bytes"

	"tfr-build/schema"
)

// scanCells parses a record of any format, byte by byte. If a quote is illegal, n is the complement of its
// offset.
func (s *Scanner) scanCells(data []byte, cells []int32, vals []schema.Value) (n, count int) {
	f := &s.cutter.format
	for i := f.firstCell(data); ; count++ {
		if f.endsRecord(data[i:]) {
			return i + lineEnd(data[i:]), count
		}
		if i < len(data) && data[i] == '"' && f.Quotes {
			next, last := s.scanQuoted(data, i, count, cells, vals)
			if last {
				return next, count + 1
			}
			i = next
			continue
		}
		end := s.cellEnd(data, i, f.Rest && count+1 >= len(cells))
		if end < len(data) && data[end] == '"' && s.quote == '"' {
			return ^end, count
		}
		start, next := i, end
		last := end == len(data) || data[end] == '\n'
		switch {
		case end == len(data):
		case last:
			if end > start && data[end-1] == '\r' {
				end--
			}
			next++
		default:
			next += f.delimiterAt(data[end:])
		}
		if count < len(cells) && cells[count] >= 0 {
			v := &vals[cells[count]]
			if put(v, data[start:end], start); s.trims {
				trim(v)
			}
		}
		if last {
			return next, count + 1
		}
		i = next
	}
}

// cellEnd returns the offset where the cell that begins at the offset from ends: of a delimiter, an
// LF, an illegal quote, or the end of data. A cell that takes the rest has no delimiter or quote.
func (s *Scanner) cellEnd(data []byte, from int, rest bool) int {
	if rest {
		if i := bytes.IndexByte(data[from:], '\n'); i >= 0 {
			return from + i
		}
		return len(data)
	}
	first, second := s.delim, s.delim
	if s.cutter.format.Delimiter == Whitespace {
		first, second = ' ', '\t'
	}
	for i := from; i < len(data); i++ {
		switch c := data[i]; {
		case c == '\n' || c == s.quote:
			return i
		case (c == first || c == second) && s.cutter.format.delimiterAt(data[i:]) > 0:
			return i
		}
	}
	return len(data)
}

// firstCell returns the offset of the first cell of a record.
func (f *Format) firstCell(rec []byte) int {
	if f.Delimiter == Whitespace {
		return blanks(rec)
	}
	return 0
}

// endsRecord reports whether b, after a delimiter, has no more cells of the record.
func (f *Format) endsRecord(b []byte) bool {
	return f.Delimiter == Whitespace && (len(b) == 0 || lineEnd(b) > 0)
}
