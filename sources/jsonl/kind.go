package jsonl

import (
	"context"

	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
	"tfr-build/sources/table"
)

// Options are the config keys of the source type `jsonl`, for a source or a lookup table.
type Options struct {
	input.Files `yaml:"files" required:"yes" doc:"File, pattern, or list of patterns." example:"'data/*.jsonl'"`
	input.Rooted
	input.MayBeEmpty
}

// Known returns an open set without columns: only rows have them, and each may be a list.
func (o *Options) Known() *column.Set {
	set := column.NewSet(column.Column{})
	set.Open, set.Nested, set.Lists = true, true, true
	return set
}

// Open lists the files and returns them as an input.
func (o *Options) Open(ctx context.Context, env *input.Env) (input.Input, error) {
	in := &jsonInput{limits: Limits{Limits: env.Limits}, Lines: table.Lines{Rule: rule(env.Limits.Record)}}
	return in, in.List(ctx, o, env, in)
}

// A jsonInput reads files of JSON lines. It is also their table.Format.
type jsonInput struct {
	table.Files
	table.Lines
	limits Limits
}

// Head finds where the first line begins.
func (in *jsonInput) Head(text []byte, atEOF bool) (h table.Head, more bool, err error) {
	h.First, err = Start(text, atEOF)
	return h, false, err
}

// Names returns the keys of the first rows, sorted within each row, and whether it read all rows.
// It reads at most the given number of rows, or all if it is negative.
func (in *jsonInput) Names(ctx context.Context, most int) (names []string, all bool, err error) {
	return input.RowNames(ctx, in, most, nil, func(rec *input.Record) []string { return input.ObjectKeys(rec.Raw) })
}

// CompileColumns compiles the paths of the columns of an input.
func CompileColumns(in input.Lister, columns []input.Bound, limits Limits) (*Paths, error) {
	paths, err := Compile(columns, limits)
	if err != nil {
		return nil, &input.MismatchError{Path: in.Listing().Label, Text: err.Error()}
	}
	return paths, nil
}

// Bind compiles the paths of the columns.
func (in *jsonInput) Bind(columns []input.Bound) (input.Layout, error) {
	paths, err := CompileColumns(in, columns, in.limits)
	if err != nil {
		return nil, err
	}
	return func(*input.Observations, bool) input.Scanner {
		return &rowScanner{in, paths.NewScanner()}
	}, nil
}

// A rowScanner checks the rows of some files for UTF-8.
type rowScanner struct {
	in      *jsonInput
	scanner *Scanner
}

func (s *rowScanner) Scan(file int, _ int64, data []byte, vals []schema.Value) (int, error) {
	return s.scanner.Scan(data, vals, s.in.Check(file) != 0)
}
