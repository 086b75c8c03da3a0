package jsonl

import (
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/sources/lines"
)

// A Skipper checks the grammar of one JSON value that comes in pieces, for example because it is
// larger than memory, and finds its end. Only in a row, which is complete, it checks for duplicate keys
// and lone halves of surrogate pairs.
//
//	s.Begin(0)
//	n, done, err := s.Skip(piece, 0, false)   // the next piece is piece[n:] and what follows it
type Skipper struct {
	Depth int  // maximum nesting of values
	UTF8  bool // check that strings are UTF-8

	state   skipState
	nest    []int    // of the open arrays and objects: inArray, or the index of the object's first key in keys
	depth   int      // number of arrays and objects around the value
	inKey   bool     // the current string is a key
	isRow   bool     // the value is in a row of the scanner
	scanner *Scanner // makes error messages, and skips white space
}

const inArray = -1

// A skipState says what comes next in the text.
type skipState uint8

const (
	skipValue   skipState = iota // a value
	skipElement                  // the first element of an array, or its end
	skipMember                   // the first key of an object, or its end
	skipKey                      // a key
	skipColon
	skipNext   // a comma, or the end of the innermost array or object
	skipString // the rest of a string
)

// Begin starts a value that is nested in depth objects and arrays.
func (s *Skipper) Begin(depth int) {
	s.state, s.nest, s.depth = skipValue, s.nest[:0], depth
	if s.scanner == nil {
		s.scanner = &Scanner{multiline: true}
	}
}

// BeginMember starts an object member, a key and its value, that is nested in depth objects and
// arrays.
func (s *Skipper) BeginMember(depth int) {
	s.Begin(depth)
	s.state = skipKey
}

// Skip continues the value at offset p of text. If the value ends in text, done is true and end is
// the offset after it. Otherwise end is how much of text was checked, up to a token that may be
// incomplete. atEOF says that nothing follows text. The error is a *schema.RowError whose At is an
// offset in text.
func (s *Skipper) Skip(text []byte, p int, atEOF bool) (end int, done bool, err error) {
	for {
		if s.state != skipString {
			p = s.scanner.skipSpace(text, p)
		}
		if p == len(text) {
			return p, false, s.truncatedError(text, atEOF)
		}
		from := p
		p, err = s.skipToken(text, p, text[p], atEOF)
		switch {
		case err != nil:
			return from, false, err
		case s.state == skipNext && len(s.nest) == 0:
			return p, true, nil
		case p == from || s.state == skipString:
			return p, false, s.truncatedError(text, atEOF)
		}
	}
}

// skipToken skips the token at p, which begins with c. If the token may be incomplete, it returns p
// or an offset within the string.
func (s *Skipper) skipToken(text []byte, p int, c byte, atEOF bool) (int, error) {
	switch s.state {
	case skipString:
		return s.continueString(text, p, atEOF)
	case skipNext:
		return s.skipSeparator(text, p, c)
	case skipColon:
		if c != ':' {
			return p, s.scanner.syntaxError(text, p, "a colon after the key")
		}
		s.state = skipValue
		return p + 1, nil
	case skipMember, skipKey:
		switch {
		case c == '"' && s.isRow:
			s.state = skipValue
			_, p, err := s.scanner.scanKey(text, p)
			return p, err
		case c == '"':
			s.state, s.inKey = skipString, true
			return s.continueString(text, p+1, atEOF)
		case c == '}' && s.state == skipMember:
			return s.closeBracket(text, p)
		}
		return p, s.scanner.syntaxError(text, p, "a key in quotes")
	}
	return s.startValue(text, p, c, atEOF)
}

// truncatedError returns the error of text that ends within the value, or nil if more text
// follows.
func (s *Skipper) truncatedError(text []byte, atEOF bool) error {
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
	case s.state == skipNext:
		_, expected = s.closer()
	}
	return s.scanner.syntaxError(text, len(text), expected)
}

// startValue skips the start of a value, or the end of an array, that begins with c at p.
func (s *Skipper) startValue(text []byte, p int, c byte, atEOF bool) (int, error) {
	switch {
	case c == '"' && s.isRow:
		s.state = skipNext
		_, p, err := s.scanner.parseString(text, p+1, false)
		return p, err
	case c == '"':
		s.state, s.inKey = skipString, false
		return s.continueString(text, p+1, atEOF)
	case c == '{' || c == '[':
		if s.depth+len(s.nest) >= s.Depth {
			return p, tooDeep(p, s.Depth)
		}
		opened := inArray
		if s.state = skipElement; c == '{' {
			s.state, opened = skipMember, len(s.scanner.keys)
		}
		s.nest = append(s.nest, opened)
		return p + 1, nil
	case c == ']' && s.state == skipElement:
		return s.closeBracket(text, p)
	case c-'0' <= 9, c == '-' && !beginsWord(text, p+1):
		return s.skipNumbers(text, p, atEOF)
	}
	for _, word := range [...]string{"true", "false", "null", "NaN", "Infinity", "-Infinity"} {
		if hasWord(text, p, word) {
			s.state = skipNext
			return p + len(word), nil
		}
		if rest := text[p:]; !atEOF && len(rest) < len(word) && word[:len(rest)] == string(rest) {
			return p, nil // the rest of the word may follow
		}
	}
	return p, s.scanner.wordError(text, p)
}

// maxNumber is the maximum length of a number in bytes. The end of a number that is longer than a
// window would never be found.
const maxNumber = 64 << 10

// skipNumbers skips a number and, in an array, the numbers that follow it. Many documents consist
// mostly of lists of numbers.
func (s *Skipper) skipNumbers(text []byte, p int, atEOF bool) (int, error) {
	isElement := len(s.nest) > 0 && s.nest[len(s.nest)-1] == inArray
	for {
		end, ok := likelyNumber(text, p)
		if !ok {
			var expected string
			end, expected, ok = number(text, p)
			if end-p > maxNumber && !s.isRow {
				return p, rowError("LIMIT_RECORD", p, "a number of more than %d characters", maxNumber)
			}
			if end == len(text) && !atEOF {
				return p, nil // more of it may follow
			}
			if !ok {
				return p, s.scanner.syntaxError(text, end, expected)
			}
		}
		s.state = skipNext
		if !isElement || len(text)-end < 3 || text[end] != ',' {
			return end, nil
		}
		next := end + 1
		if text[next] == ' ' {
			next++
		}
		if c := text[next]; c-'0' > 9 && (c != '-' || beginsWord(text, next+1)) {
			return end, nil
		}
		p, s.state = next, skipValue
	}
}

// skipSeparator skips the comma or closing bracket after a value.
func (s *Skipper) skipSeparator(text []byte, p int, c byte) (int, error) {
	closer, expected := s.closer()
	switch {
	case c == closer:
		return s.closeBracket(text, p)
	case c != ',':
		return p, s.scanner.syntaxError(text, p, expected)
	case closer == '}':
		s.state = skipKey
	default:
		s.state = skipValue
	}
	return p + 1, nil
}

// closer returns the closing bracket of the innermost array or object, and what is expected after a value in it.
func (s *Skipper) closer() (bracket byte, expected string) {
	if s.nest[len(s.nest)-1] == inArray {
		return ']', "a comma or ]"
	}
	return '}', "a comma or }"
}

// closeBracket leaves the array or object whose closing bracket is at p.
func (s *Skipper) closeBracket(text []byte, p int) (int, error) {
	opened := s.nest[len(s.nest)-1]
	s.nest, s.state = s.nest[:len(s.nest)-1], skipNext
	if opened == inArray {
		return p + 1, nil
	}
	return p + 1, s.scanner.closeObject(text, opened)
}

// continueString skips a string from p on, to its end or to the end of text.
func (s *Skipper) continueString(text []byte, p int, atEOF bool) (int, error) {
	for {
		q := special(text, p)
		if q == len(text) && !atEOF {
			q -= s.splitRune(text[p:])
		}
		if s.UTF8 && !utf8.Valid(text[p:q]) {
			return p, NotUTF8(text, p)
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
			return p, s.scanner.stringError(text, p)
		}
		size, err := s.escapeLen(text, p, atEOF)
		if err != nil || size == 0 {
			return p, err
		}
		p += size
	}
}

// splitRune returns the number of bytes at the end of text that begin a rune whose other bytes may
// follow.
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

// escapeLen returns the length of the escape at p, or 0 if it may be incomplete.
func (s *Skipper) escapeLen(text []byte, p int, atEOF bool) (size int, err error) {
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
			return 0, s.scanner.syntaxError(text, bad, `four hexadecimal digits after \u`)
		}
		return 6, nil
	}
	return 0, s.scanner.syntaxError(text, p+1, `one of "\/bfnrtu after a backslash`)
}

// NotUTF8 returns the error of the first byte from p on that is not UTF-8.
func NotUTF8(text []byte, p int) error {
	p += lines.FirstInvalid(text[p:])
	return rowError("UTF8_INVALID", p, "found %s; expected UTF-8", schema.Quote(text[p:p+1]))
}
