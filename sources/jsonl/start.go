package jsonl

import (
	"bytes"
	"errors"
	"fmt"

	"tfr-build/schema"
	"tfr-build/sources/lines"
)

// Start checks the head of a file, before any row is parsed; 64 KiB are enough. If head is the
// complete file, atEOF is true. It returns the offset of the first line: 3 after a byte order mark,
// else 0. The error is a *schema.RowError if the file does not have one object per line in UTF-8.
//
// Start does not reject a file because of errors within its lines: those make single rows invalid.
func Start(head []byte, atEOF bool) (first int, err error) {
	if first, err = Encoding(head, "one JSON object per line"); err != nil {
		return first, err
	}
	return first, checkFirstValue(head, first, atEOF)
}

// Encoding checks by the head of a file that it is UTF-8, and not in another known format. The text
// expected is for the error message. first is the offset of the text: 3 after a byte order mark,
// else 0. The error is a *schema.RowError.
func Encoding(head []byte, expected string) (first int, err error) {
	if name := detectEncoding(head); name != "" {
		bad := schema.RowErrorf("ENCODING", 0, "the file looks like %s; expected UTF-8", name)
		bad.Hint = fmt.Sprintf("iconv -f %s -t UTF-8 OLD > NEW", name)
		return 0, bad
	}
	first = lines.First(head)
	if what := lines.OtherFormat(head); what != "" {
		return first, schema.RowErrorf("FORMAT_MISMATCH", first, "the file looks like %s; expected %s", what, expected)
	}
	return first, nil
}

// detectEncoding returns the encoding of a head that is not UTF-8, or an empty string. It looks at
// the byte order mark and at NULs next to the first character, which JSON never begins with.
func detectEncoding(head []byte) string {
	has := func(prefix string) bool { return bytes.HasPrefix(head, []byte(prefix)) }
	nul := func(i int) bool { return i < len(head) && head[i] == 0 }
	switch {
	case has("\xff\xfe\x00\x00"), !nul(0) && nul(1) && nul(2) && nul(3):
		return "UTF-32LE"
	case has("\x00\x00\xfe\xff"), nul(0) && nul(1) && nul(2) && !nul(3):
		return "UTF-32BE"
	case has("\xff\xfe"), !nul(0) && nul(1) && !nul(2):
		return "UTF-16LE"
	case has("\xfe\xff"), nul(0) && !nul(1) && len(head) > 1:
		return "UTF-16BE"
	}
	return ""
}

// checkFirstValue returns an error if the file has its rows in another form. It does if the head
// begins with an array or with an object over several lines, or if CR alone separates the first
// objects.
func checkFirstValue(head []byte, first int, atEOF bool) error {
	s := grammar()
	p := s.skipSpace(head, first)
	c := at(head, p)
	if c != '{' && c != '[' {
		return nil
	}
	end, err := s.skip(head, p, 0)
	if err != nil && !endsInside(err, head) {
		return nil
	}
	value := head[p:]
	if err == nil {
		value = head[p:end]
	}
	line, rest, more := bytes.Cut(value, []byte("\n"))
	more = more && len(bytes.TrimSpace(rest)) > 0
	switch {
	case c == '[' && err == nil && at(bytes.TrimSpace(head[end:]), 0) == '[':
		return notRows(p, "the file has arrays; expected one object per line", "jq -c '{value: .}' OLD > NEW")
	case c == '[' && (more || err == nil && !objectFollows(head[end:]) || err != nil && !atEOF):
		return notRows(p, "the file begins with an array; expected one object per line",
			"json: {files: …}, for documents")
	case c == '{' && more && err == nil:
		return documentError(p+len(line), value, head[end:], atEOF)
	case c == '{' && more:
		return documentError(p+len(line), value, nil, false)
	case err == nil && atLoneCR(head, end):
		return &schema.RowError{Code: "JSONL_LONE_CR", At: end, Message: lines.CRAlone, Hint: lines.CRToLF}
	}
	return nil
}

// goesOn reports whether the value in the first line goes on in the next one, which does not begin with an
// object of its own, unless the value is an array.
func goesOn(text []byte) bool {
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	s := grammar()
	p, next := s.skipSpace(line, 0), at(bytes.TrimSpace(rest), 0)
	_, err := s.skip(line, p, 0)
	return endsInside(err, line) && next != 0 && (at(line, p) == '[' || next != '{')
}

// grammar returns a scanner that reads no columns.
func grammar() *Scanner {
	s := &Scanner{paths: &Paths{}, multiline: true, grammarOnly: true}
	s.paths.limits.Depth = 1000
	return s
}

// endsInside reports whether err only says that the head ends within the value.
func endsInside(err error, head []byte) bool {
	var e *schema.RowError
	return errors.As(err, &e) && e.At == len(head)
}

func notRows(p int, message, hint string) *schema.RowError {
	return &schema.RowError{Code: "JSONL_NOT_ONE_OBJECT_PER_LINE", At: p, Message: message, Hint: hint}
}

// objectFollows reports whether the next line that is not blank begins an object.
func objectFollows(rest []byte) bool {
	line, rest, _ := bytes.Cut(rest, []byte("\n"))
	return len(bytes.TrimSpace(line)) == 0 && at(bytes.TrimSpace(rest), 0) == '{'
}

// atLoneCR reports whether another object follows at p, after a CR without an LF.
func atLoneCR(head []byte, p int) bool {
	lone := false
	for ; isSpace(at(head, p)); p++ {
		lone = lone || head[p] == '\r'
	}
	return lone && at(head, p) == '{'
}

// space is the white space around values, besides line feeds.
const space = " \t\r"

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// rule returns which lines are rows: those that are not only white space.
func rule(limit int) lines.Rule { return lines.Rule{Limit: limit, Space: space} }
