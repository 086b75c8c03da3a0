package csv

import "tfr-build/schema"

// scanMultibyte is scanWords for a delimiter of several bytes. It advances one byte at a time.
func (s *Scanner) scanMultibyte(data []byte, cells []int32, vals []schema.Value) (n, count int) {
	delim := s.cutter.format.delimiter()
	for i := 0; ; count++ {
		if i < len(data) && data[i] == byte(s.quote) && s.cutter.format.Quotes {
			next, last := s.scanQuoted(data, i, count, cells, vals)
			if last {
				return next, count + 1
			}
			i = next
			continue
		}
		start := i
		for i < len(data) && data[i] != '\n' && data[i] != byte(s.quote) && !hasPrefix(data[i:], delim) {
			i++
		}
		if i < len(data) && data[i] == '"' && s.cutter.format.Quotes {
			return -1, count
		}
		end := i
		last := i == len(data) || data[i] == '\n'
		switch {
		case i == len(data):
		case last:
			if end > start && data[end-1] == '\r' {
				end--
			}
			i++
		default:
			i += len(delim)
		}
		if count < len(cells) && cells[count] >= 0 {
			if s.cutter.format.Trim {
				start, end = trim(data, start, end)
			}
			put(&vals[cells[count]], data, start, end)
		}
		if last {
			return i, count + 1
		}
	}
}
