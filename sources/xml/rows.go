package xml

import (
	"context"
	"strings"
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/sources/charset"
	"tfr-build/sources/input"
	"tfr-build/sources/lines"
	"tfr-build/sources/table"
)

// elements are the elements of documents at a path, each a row. They are an input.Input, and their table.Format.
type elements struct {
	table.Files
	table.Document
	options *Options
	limits  input.Limits
	path    []string
}

// openRows lists the files whose elements are rows.
func (o *Options) openRows(ctx context.Context, env *input.Env) (input.Input, error) {
	in := &elements{options: o, limits: env.Limits, path: strings.Split(o.Rows, ".")}
	in.New = func() table.FileCutter { return in.newCutter() }
	return in, in.List(ctx, o, env, in)
}

// Head finds where the document begins. Documents are UTF-8, so that their rows can be read in place.
func (in *elements) Head(text []byte, _ bool) (h table.Head, more bool, err error) {
	h.First = lines.First(text)
	name := declared(text[h.First:])
	encoding, known := encodings[strings.ToLower(name)]
	bad := charset.UTF8.Mismatch(text)
	if bad == nil && name != "" && (!known || encoding != charset.UTF8) {
		bad = rowError("ENCODING", 0, "the document declares the encoding %s; expected UTF-8",
			schema.Quote(name))
	}
	if bad != nil {
		bad.Hint = "xmllint --encode UTF-8 --output NEW OLD"
		return h, false, bad
	}
	return h, false, nil
}

// Names returns the name of the elements, with which all columns begin.
func (in *elements) Names(context.Context, int) (names []string, all bool, err error) {
	return in.path[len(in.path)-1:], true, nil
}

// Bind compiles the paths of the columns.
func (in *elements) Bind(columns []input.Bound) (input.Layout, error) {
	paths, err := compileColumns(in, columns)
	if err != nil {
		return nil, err
	}
	return func(*input.Observations, bool) input.Scanner {
		s := &rowScanner{in, newParser(paths, in.limits, in.options.Trim)}
		s.parser.inRow = true
		return s
	}, nil
}

// A rowScanner reads the values of elements.
type rowScanner struct {
	in     *elements
	parser *parser
}

func (s *rowScanner) Scan(_ int, _ int64, data []byte, vals []schema.Value) (int, error) {
	limit := s.in.limits.Record
	data = data[:min(len(data), limit+1)]
	err := s.parser.parse(data, vals)
	n := s.parser.size
	if err == nil && n <= limit && utf8.Valid(data[:n]) {
		return n, nil
	}
	n, bad := s.in.measure(data) // it may be longer than limits.record, or have no end
	if bad == nil && !utf8.Valid(data[:n]) {
		bad = charset.UTF8.Invalid(data[:n], lines.FirstInvalid(data[:n]))
		bad.Hint = ""
	}
	if bad != nil {
		return n, bad
	}
	return n, err
}
