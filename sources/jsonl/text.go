package jsonl

import (
	"unicode/utf16"
	"unicode/utf8"
)

// parseString returns the string whose opening quote is before p. It is a view of data or, if the
// string has escapes, of scratch. That view is valid until the next row; without keep, until the
// next string. end is the offset after the closing quote.
func (s *Scanner) parseString(data []byte, p int, keep bool) (text []byte, end int, err error) {
	q := special(data, p)
	if at(data, q) == '"' {
		return data[p:q], q + 1, nil
	}
	s.makeRoom(stringEnd(data, q) - p)
	from := len(s.scratch)
	s.scratch, end, err = s.decode(s.scratch, data, p, q)
	text = s.scratch[from:len(s.scratch):len(s.scratch)]
	if !keep {
		s.scratch = s.scratch[:from]
	}
	return text, end, err
}

// makeRoom makes room in scratch for a string of n bytes. A string that does not fit into the rest
// of scratch gets new memory, and earlier strings keep theirs. Together they take about as much
// memory as they are long.
func (s *Scanner) makeRoom(n int) {
	if cap(s.scratch)-len(s.scratch) < n {
		s.scratch = make([]byte, 0, max(n, minScratch))
	}
}

// minScratch is the minimum size of scratch in bytes.
const minScratch = 4 << 10

// stringEnd returns the offset of the closing quote of a string that continues at p.
func stringEnd(data []byte, p int) int {
	for at(data, p) == '\\' {
		p = special(data, min(p+2, len(data)))
	}
	return p
}

// decode appends the string from p on, whose first escape or error is at q. end is the offset after
// its closing quote.
func (s *Scanner) decode(dst, data []byte, p, q int) (text []byte, end int, err error) {
	for at(data, q) == '\\' {
		dst = append(dst, data[p:q]...)
		if dst, p, err = s.decodeEscape(dst, data, q); err != nil {
			return dst, 0, err
		}
		q = special(data, p)
	}
	if at(data, q) != '"' {
		return dst, 0, s.stringError(data, q)
	}
	return append(dst, data[p:q]...), q + 1, nil
}

// decodeEscape decodes the escape whose backslash is at p, with the second half of a surrogate
// pair. It returns the offset after it.
func (s *Scanner) decodeEscape(dst, data []byte, p int) ([]byte, int, error) {
	c := at(data, p+1)
	switch c {
	case '"', '\\', '/':
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	case 'u':
		return s.decodeUnicode(dst, data, p)
	default:
		return dst, 0, s.syntaxError(data, p+1, `one of "\/bfnrtu after a backslash`)
	}
	return append(dst, c), p + 2, nil
}

func (s *Scanner) decodeUnicode(dst, data []byte, p int) ([]byte, int, error) {
	r, bad := hex4(data, p+2)
	if bad >= 0 {
		return dst, 0, s.syntaxError(data, bad, `four hexadecimal digits after \u`)
	}
	end := p + 6
	if utf16.IsSurrogate(r) {
		low := rune(-1)
		if at(data, end) == '\\' && at(data, end+1) == 'u' {
			if low, bad = hex4(data, end+2); bad >= 0 {
				return dst, 0, s.syntaxError(data, bad, `four hexadecimal digits after \u`)
			}
		}
		pair := utf16.DecodeRune(r, low)
		if pair == utf8.RuneError {
			return dst, 0, rowError("JSON_LONE_SURROGATE", p, `%s is half of a surrogate pair without its other half`,
				data[p:end])
		}
		r, end = pair, end+6
	}
	return utf8.AppendRune(dst, r), end, nil
}

// hex4 parses four hexadecimal digits at p. The offset of the first other byte is bad, or -1.
func hex4(data []byte, p int) (r rune, bad int) {
	for end := p + 4; p < end; p++ {
		c := at(data, p)
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, p
		}
		r = r<<4 | rune(c)
	}
	return r, -1
}
