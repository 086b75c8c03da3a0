// Package text implements the source type `text`, whose rows are lines of text:
//
//	source:
//	  text: {files: "corpus/*.txt", skip_blank: true}
//
// A line ends with LF or CRLF. Its only column is text. The files are UTF-8 unless the option
// encoding says otherwise.
//
//	"one\r\n\ntwo\n"  ─►  "one"  ""  "two"       with skip_blank  "one"  "two"
package text

import (
	"bytes"
	"context"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/charset"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
	"tfr-build/sources/lines"
	"tfr-build/sources/table"
)

// Options are the config keys of the source type `text`.
type Options struct {
	input.Files `yaml:"files" required:"yes" doc:"File, pattern, or list of patterns." example:"'corpus/*.txt'"`
	input.Rooted
	Encoding  string `yaml:"encoding" default:"utf-8" enum:"utf-8 utf-16le utf-16be latin-1" doc:"Encoding of the files. Text is stored as UTF-8. Default: utf-8."`
	SkipBlank bool   `yaml:"skip_blank" default:"false" doc:"Skips empty lines. Default: false."`
	input.MayBeEmpty
}

// Known returns the only column, text.
func (o *Options) Known() *column.Set { return column.NewSet(column.Column{From: "text"}, "text") }

// Open lists the files and returns them as an input.
func (o *Options) Open(ctx context.Context, env *input.Env) (input.Input, error) {
	in := &textInput{Lines: table.Lines{Rule: lines.Rule{Limit: env.Limits.Record}}}
	in.Encoding, _ = charset.Parse(o.Encoding) // the config accepts only valid encodings
	if o.SkipBlank {
		in.Rule.Space = "\r"
	}
	return in, in.List(ctx, o, env, in)
}

// A textInput reads files of lines. It is also their table.Format.
type textInput struct {
	table.Files
	table.Lines
}

// Head finds a byte order mark. It returns an error if the file is not text in the encoding.
func (in *textInput) Head(head []byte, _ bool) (table.Head, bool, error) {
	if bad := in.Encoding.Mismatch(head); bad != nil {
		return table.Head{}, false, bad
	}
	if at := bytes.IndexByte(head, 0); at >= 0 {
		message := "a NUL byte: the file is not text in " + strings.ToUpper(in.Encoding.String())
		return table.Head{}, false, &schema.RowError{Code: "ENCODING", At: at, Message: message}
	}
	if in.Encoding != charset.UTF8 { // the decoder skips the mark
		return table.Head{}, false, nil
	}
	first := lines.First(head)
	return table.Head{First: first}, false, nil
}

// Bind records the slots that receive the text.
func (in *textInput) Bind(columns []input.Bound) (input.Layout, error) {
	return func(*input.Observations, bool) input.Scanner { return &scanner{in, columns} }, nil
}

type scanner struct {
	in      *textInput
	columns []input.Bound
}

func (s *scanner) Scan(file int, _ int64, data []byte, vals []schema.Value) (int, error) {
	n := bytes.IndexByte(data[:min(len(data), s.in.Rule.Limit+1)], '\n') + 1
	switch {
	case n == 0 && len(data) > s.in.Rule.Limit:
		return len(data), input.LongLine(s.in.Rule.Limit)
	case n == 0:
		n = len(data)
	}
	line := bytes.TrimSuffix(bytes.TrimSuffix(data[:n], []byte{'\n'}), []byte{'\r'})
	if s.in.Check(file) != 0 {
		if at := lines.FirstInvalid(line); at < len(line) {
			bad := s.in.Encoding.Invalid(line, at)
			bad.Column = "text"
			return n, bad
		}
	}
	for _, w := range s.columns {
		vals[w.Slot] = schema.Value{Kind: schema.Text, Text: line}
	}
	return n, nil
}
