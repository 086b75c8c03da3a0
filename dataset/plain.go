package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode"
	"unicode/utf8"

	"tfr-build/schema"
)

// printPlain prints the parsed payload as a JSON object.
func (s *printer) printPlain(payload []byte) (err error) {
	switch {
	case isExampleList(s.kind):
		err = s.printPlainExamples(payload)
	case s.message.Payload() == schema.JSONPayload && isObject(payload):
		err = s.printPlainObject(payload)
	default:
		err = s.read.WritePlain(s.w, s.style)
	}
	if err == nil {
		err = s.w.WriteByte('\n')
	}
	return err
}

// isObject reports whether a payload is a JSON object.
func isObject(payload []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(payload, " \t\r\n"), []byte("{")) && utf8.Valid(payload) &&
		json.Valid(payload)
}

// printPlainObject prints a JSON object on one line and without terminal control characters.
// Control characters of JSON are spaces between tokens, or are in strings, where they may be
// escaped.
func (s *printer) printPlainObject(payload []byte) (err error) {
	for rest := payload; len(rest) > 0 && err == nil; {
		r, size := utf8.DecodeRune(rest)
		switch {
		case r == '\n' || r == '\r':
			err = s.w.WriteByte(' ')
		case unicode.IsControl(r) && r != '\t':
			_, err = fmt.Fprintf(s.w, `\u%04x`, r)
		default:
			_, err = s.w.Write(rest[:size])
		}
		rest = rest[size:]
	}
	return err
}
