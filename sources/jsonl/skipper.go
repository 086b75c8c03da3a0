package jsonl

import (
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/sources/lines"
)

// A Skipper checks the grammar of one JSON value that comes in pieces, such as one
// that is longer than memory, and finds its end. What scanning a row checks beside
// the grammar it leaves alone: keys that come twice and lone halves of surrogate
// pairs.
//
//	s.Begin(0)
//	n, done, err := s.Skip(piece, 0, false)   // of piece[n:] and what follows it is the next piece made
type Skipper struct {
	Depth int  // how deep values are nested at most
	UTF8  bool // strings are checked to be UTF-8

	state  skipState
	nest   []byte // the brackets that are open, as they close
	depth  int    // of those around the value
	inKey  bool   // the string at hand is a key
	faults Scanner
}

// A skipState is what comes next.
type skipState uint8

const (
	skipValue   skipState = iota // a value
	skipElement                  // the first element of an array, or its end
	skipMember                   // the first key of an object, or its end
	skipKey                      // a key
	skipColon
	skipNext   // a comma, or the end of what is open
	skipString // more of a string
)

// Begin begins a value inside depth objects and arrays.
func (s *Skipper) Begin(depth int) {
	s.state, s.nest, s.depth = skipValue, s.nest[:0], depth
	s.faults.multiline = true
}

// BeginMember begins a key and its value, likewise.
func (s *Skipper) BeginMember(depth int) {
	s.Begin(depth)
	s.state = skipKey
}

// Skip goes on with the value at p of text, until it is done, at end. Else end is how
// much of text was checked, up to a token that text may not have all of; atEOF says
// that nothing follows. The error is a *schema.RowError, whose At is in text.
func (s *Skipper) Skip(text []byte, p int, atEOF bool) (end int, done bool, err error) {
	for {
		if s.state != skipString {
			p = s.faults.space(text, p)
		}
		if p == len(text) {
			return p, false, s.cut(text, atEOF)
		}
		from := p
		p, err = s.token(text, p, text[p], atEOF)
		switch {
		case err != nil:
			return from, false, err
		case s.state == skipNext && len(s.nest) == 0:
			return p, true, nil
		case p == from || s.state == skipString:
			return p, false, s.cut(text, atEOF)
		}
	}
}

// token passes what begins with c at p. It stays there, or within a string, where text
// may not have all of it.
func (s *Skipper) token(text []byte, p int, c byte, atEOF bool) (int, error) {
	switch s.state {
	case skipString:
		return s.text(text, p, atEOF)
	case skipNext:
		return s.next(text, p, c)
	case skipColon:
		if c != ':' {
			return p, s.faults.syntax(text, p, "a colon after the key")
		}
		s.state = skipValue
		return p + 1, nil
	case skipMember, skipKey:
		switch {
		case c == '"':
			s.state, s.inKey = skipString, true
			return s.text(text, p+1, atEOF)
		case c == '}' && s.state == skipMember:
			return s.close(p), nil
		}
		return p, s.faults.syntax(text, p, "a key in quotes")
	}
	return s.value(text, p, c, atEOF)
}

// cut is the fault that the text ends within the value; nil where more follows.
func (s *Skipper) cut(text []byte, atEOF bool) error {
	if !atEOF {
		return nil
	}
	expected := "a value"
	switch {
	case s.state == skipString:
		expected = "a closing quote"
	case s.state == skipMember || s.state == skipKey:
		expected = "a key in quotes"
	case s.state == skipColon:
		expected = "a colon after the key"
	case s.state == skipNext && s.nest[len(s.nest)-1] == '}':
		expected = "a comma or }"
	case s.state == skipNext:
		expected = "a comma or ]"
	}
	return s.faults.syntax(text, len(text), expected)
}

// value goes on with a value, or with the end of an array, that begins with c at p.
func (s *Skipper) value(text []byte, p int, c byte, atEOF bool) (int, error) {
	switch {
	case c == '"':
		s.state, s.inKey = skipString, false
		return s.text(text, p+1, atEOF)
	case c == '{' || c == '[':
		if s.depth+len(s.nest) >= s.Depth {
			return p, tooDeep(p, s.Depth)
		}
		s.nest = append(s.nest, c+2) // } and ] come two after { and [
		if s.state = skipElement; c == '{' {
			s.state = skipMember
		}
		return p + 1, nil
	case c == ']' && s.state == skipElement:
		return s.close(p), nil
	case c == '-' || c-'0' <= 9:
		return s.numbers(text, p, atEOF)
	}
	for _, word := range [...]string{"true", "false", "null"} {
		if hasWord(text, p, word) {
			s.state = skipNext
			return p + len(word), nil
		}
		if rest := text[p:]; !atEOF && len(rest) < len(word) && word[:len(rest)] == string(rest) {
			return p, nil // the rest of the word may follow
		}
	}
	return p, s.faults.syntax(text, p, "a value")
}

// numberMost is how long a number may be: one that is longer than a window has no end
// that could be found.
const numberMost = 64 << 10

// numbers passes a number, and within an array those that follow it: lists of
// numbers are most of many documents.
func (s *Skipper) numbers(text []byte, p int, atEOF bool) (int, error) {
	inArray := len(s.nest) > 0 && s.nest[len(s.nest)-1] == ']'
	for {
		end, ok := likelyNumber(text, p)
		if !ok {
			var expected string
			end, expected, ok = number(text, p)
			if end-p > numberMost {
				return p, rowError("LIMIT_RECORD", p, "a number of more than %d characters", numberMost)
			}
			if end == len(text) && !atEOF {
				return p, nil // more of it may follow
			}
			if !ok {
				return p, s.faults.syntax(text, end, expected)
			}
		}
		s.state = skipNext
		if !inArray || len(text)-end < 3 || text[end] != ',' {
			return end, nil
		}
		next := end + 1
		if text[next] == ' ' {
			next++
		}
		if c := text[next]; c-'0' > 9 && c != '-' {
			return end, nil
		}
		p, s.state = next, skipValue
	}
}

// next goes on after a value.
func (s *Skipper) next(text []byte, p int, c byte) (int, error) {
	closer := s.nest[len(s.nest)-1]
	switch {
	case c == closer:
		return s.close(p), nil
	case c == ',' && closer == '}':
		s.state = skipKey
	case c == ',':
		s.state = skipValue
	case closer == '}':
		return p, s.faults.syntax(text, p, "a comma or }")
	default:
		return p, s.faults.syntax(text, p, "a comma or ]")
	}
	return p + 1, nil
}

// close closes the bracket at p.
func (s *Skipper) close(p int) int {
	s.nest = s.nest[:len(s.nest)-1]
	s.state = skipNext
	return p + 1
}

// text goes on with a string from p on, to its end or that of what text has of it.
func (s *Skipper) text(text []byte, p int, atEOF bool) (int, error) {
	for {
		q := special(text, p)
		if q == len(text) && !atEOF {
			q -= s.splitRune(text[p:])
		}
		if s.UTF8 && !utf8.Valid(text[p:q]) {
			return p, notUTF8(text, p)
		}
		if p = q; p == len(text) || at(text, p) >= ' ' && text[p] != '"' && text[p] != '\\' {
			return p, nil
		}
		switch {
		case text[p] == '"':
			if s.state = skipNext; s.inKey {
				s.state = skipColon
			}
			return p + 1, nil
		case text[p] != '\\':
			return p, s.faults.control(text, p)
		}
		size, err := s.escape(text, p, atEOF)
		if err != nil || size == 0 {
			return p, err
		}
		p += size
	}
}

// splitRune is how many bytes the beginning of a rune has that text ends with and
// that may go on.
func (s *Skipper) splitRune(text []byte) int {
	for n := 1; s.UTF8 && n < utf8.UTFMax && n <= len(text); n++ {
		if last := text[len(text)-n:]; utf8.RuneStart(last[0]) {
			if utf8.FullRune(last) {
				return 0
			}
			return n
		}
	}
	return 0
}

// escape is how long the escape at p is; 0 where text may not have all of it.
func (s *Skipper) escape(text []byte, p int, atEOF bool) (size int, err error) {
	size = 2
	if at(text, p+1) == 'u' {
		size = 6
	}
	if !atEOF && len(text)-p < size {
		return 0, nil
	}
	switch at(text, p+1) {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, nil
	case 'u':
		if _, bad := hex4(text, p+2); bad >= 0 {
			return 0, s.faults.syntax(text, bad, `four hexadecimal digits after \u`)
		}
		return 6, nil
	}
	return 0, s.faults.syntax(text, p+1, `one of "\/bfnrtu after a backslash`)
}

// notUTF8 is the fault of the first byte of text from p on that is none.
func notUTF8(text []byte, p int) error {
	p += lines.FirstInvalid(text[p:])
	return rowError("UTF8_INVALID", p, "found %s; expected UTF-8", schema.Quote(text[p:p+1]))
}
