package xml

import (
	"context"
	"encoding/xml"
	"slices"

	"tfr-build/schema"
	"tfr-build/sources/input"
	"tfr-build/sources/tree"
)

// Bind compiles the paths of the columns.
func (in *documents) Bind(columns []input.Bound) (input.Layout, error) {
	var ofName, inside []input.Bound
	for _, c := range columns {
		if slices.Contains(tree.NameColumns, c.Name) {
			ofName = append(ofName, c)
		} else {
			inside = append(inside, c)
		}
	}
	paths, err := compileColumns(in, inside)
	if err != nil {
		return nil, err
	}
	return func(_ *input.Observations, namesOnly bool) input.Scanner {
		return &scanner{
			Reader: in.NewReader(), in: in, ofName: ofName, namesOnly: namesOnly && inside == nil,
			parser: newParser(paths, in.limits, in.options.Trim),
		}
	}, nil
}

// compileColumns returns the paths of the columns of an input.
func compileColumns(in input.Lister, columns []input.Bound) (*paths, error) {
	paths, err := compile(columns)
	if err != nil {
		return nil, &input.MismatchError{Path: in.Listing().Label, Text: err.Error()}
	}
	return paths, nil
}

type scanner struct {
	*tree.Reader
	in        *documents
	ofName    []input.Bound
	namesOnly bool
	parser    *parser
	text      []byte // of the current file, if it is not UTF-8
}

// Scan reads the document in data, which is UTF-8. Without data, it reads the file.
func (s *scanner) Scan(file int, _ int64, data []byte, vals []schema.Value) (n int, err error) {
	switch {
	case s.namesOnly || data != nil:
		err = s.Names(file)
	default:
		data, err = s.read(file)
	}
	if err == nil && !s.namesOnly {
		n, err = len(data), s.parser.parse(data, vals)
	}
	if err != nil {
		return n, err
	}
	for _, c := range s.ofName {
		vals[c.Slot] = s.Column(c.Name, file)
	}
	return n, nil
}

// read returns the document of a file in UTF-8.
func (s *scanner) read(file int) ([]byte, error) {
	content, err := s.Read(file)
	if err != nil {
		return nil, err
	}
	text, bad := decode(s.text[:0], content, s.in.limits.Record)
	if bad != nil {
		return nil, bad
	}
	return text, nil
}

// Names returns the columns of the file's name, and the names of the first documents' roots. It
// reads at most the given number of rows, or all if it is negative.
func (in *documents) Names(ctx context.Context, most int) (names []string, all bool, err error) {
	return input.RowNames(ctx, in, most, tree.NameColumns, func(rec *input.Record) []string {
		t := newTokens(rec.Raw, in.limits.Columns, nil)
		for {
			switch token, err := t.next(); token := token.(type) {
			case xml.StartElement:
				return []string{written(token.Name)}
			default:
				if err != nil {
					return nil
				}
			}
		}
	})
}
