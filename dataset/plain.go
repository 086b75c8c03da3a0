package dataset

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode"
	"unicode/utf8"

	"tfr-build/message"
	"tfr-build/schema"
)

// printPlain prints the parsed payload as a JSON object.
func (s *printer) printPlain(payload []byte) (err error) {
	isJSON := s.message == schema.JSONMessage || s.message == schema.JSONExampleMessage
	switch {
	case s.kind == message.ListWithContext:
		err = s.printPlainExamples(payload)
	case isJSON && isObject(payload):
		err = s.printPlainObject(payload)
	default:
		err = s.read.WritePlain(s.w, s.style)
	}
	if err == nil {
		err = s.w.WriteByte('\n')
	}
	return err
}

// printPlainExamples prints a list of Examples and their context. If there are several contexts,
// the last one counts.
func (s *printer) printPlainExamples(payload []byte) (err error) {
	put := func(text string) {
		if err == nil {
			_, err = s.w.WriteString(text)
		}
	}
	show := func(example []byte) {
		if err == nil {
			err = s.read.Read(message.Example, example)
		}
		if err == nil {
			err = s.read.WritePlain(s.w, s.style)
		}
	}
	var context []byte
	message.EachExample(payload, func(isContext bool, example []byte) {
		if isContext {
			context = example
		}
	})
	put(`{"context":`)
	show(context)
	put(`,"examples":[`)
	n := 0
	message.EachExample(payload, func(isContext bool, example []byte) {
		if isContext {
			return
		}
		if n++; n > 1 {
			put(",")
		}
		show(example)
	})
	put("]}")
	return err
}

// isObject reports whether a payload is a JSON object.
func isObject(payload []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(payload, " \t\r\n"), []byte("{")) && utf8.Valid(payload) && json.Valid(payload)
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
