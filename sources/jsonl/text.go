package jsonl

import (
	"unicode/utf16"
	"unicode/utf8"
)

// text is the string whose first byte, after its opening quote, is at p: a view
// of data, or, if it has escapes, of scratch that holds until the next row. end
// is after the closing quote.
func (s *Scanner) text(data []byte, p int) (text []byte, end int, err error) {
	q := special(data, p)
	if at(data, q) == '"' {
		return data[p:q], q + 1, nil
	}
	from := len(s.scratch)
	for at(data, q) == '\\' {
		s.scratch = append(s.scratch, data[p:q]...)
		if p, err = s.escape(data, q); err != nil {
			return nil, 0, err
		}
		q = special(data, p)
	}
	if at(data, q) != '"' {
		return nil, 0, s.control(data, q)
	}
	s.scratch = append(s.scratch, data[p:q]...)
	return s.scratch[from:len(s.scratch):len(s.scratch)], q + 1, nil
}

// escape decodes the escape whose backslash is at p into scratch, with the
// second half of a surrogate pair, and returns where it ends.
func (s *Scanner) escape(data []byte, p int) (int, error) {
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
		return s.unicode(data, p)
	default:
		return 0, s.syntax(data, p+1, `one of "\/bfnrtu after a backslash`)
	}
	s.scratch = append(s.scratch, c)
	return p + 2, nil
}

func (s *Scanner) unicode(data []byte, p int) (int, error) {
	r, bad := hex4(data, p+2)
	if bad >= 0 {
		return 0, s.syntax(data, bad, `four hexadecimal digits after \u`)
	}
	end := p + 6
	if utf16.IsSurrogate(r) {
		low := rune(-1)
		if at(data, end) == '\\' && at(data, end+1) == 'u' {
			if low, bad = hex4(data, end+2); bad >= 0 {
				return 0, s.syntax(data, bad, `four hexadecimal digits after \u`)
			}
		}
		pair := utf16.DecodeRune(r, low)
		if pair == utf8.RuneError {
			return 0, rowError("JSON_LONE_SURROGATE", p, `%s is half of a surrogate pair without its other half`, data[p:end])
		}
		r, end = pair, end+6
	}
	s.scratch = utf8.AppendRune(s.scratch, r)
	return end, nil
}

// hex4 reads four hexadecimal digits at p; bad is the place of the first byte
// that is none, else -1.
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
