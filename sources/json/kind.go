package json

import (
	"context"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
	"tfr-build/sources/jsonl"
	"tfr-build/sources/table"
)

// Options are the config keys of the source type `json`, for a source or a lookup table.
type Options struct {
	input.Files `yaml:"files" required:"yes" doc:"File, pattern, or list of patterns." example:"instances.json"`
	input.Rooted
	Rows  string `yaml:"rows" is:"column" default:"." doc:"Path to the array of rows; . is the document itself. Default: the document." example:"annotations"`
	Keys  string `yaml:"keys" is:"column" doc:"Name of the column for the keys, if the rows are the members of an object." example:"id"`
	Mixed string `yaml:"mixed" default:"error" enum:"error empty" doc:"Result of a path|="`
	input.MayBeEmpty
}

// RowsPath returns the path to the array of rows.
func (o *Options) RowsPath() string { return o.Rows }

// Known returns an open set with the column of the keys. Only rows have other columns, and each may
// be a list.
func (o *Options) Known() *column.Set {
	set := column.NewSet(column.Column{})
	if o.Keys != "" {
		set.Add(column.Column{From: "keys"}, o.Keys)
	}
	set.Open, set.Nested, set.Lists = true, true, true
	return set
}

// Check reports invalid values of keys by calling report.
func (o *Options) Check(_ func(keys ...string) bool, report func(key, hint, text string)) {
	if o.Rows != "." && strings.Contains("."+o.Rows+".", "..") {
		report("rows", `"." is the document itself`, "the path has an empty step; expected keys with a dot between")
	}
}

// Open lists the files and returns them as an input.
func (o *Options) Open(ctx context.Context, env *input.Env) (input.Input, error) {
	limits := jsonl.Limits{Limits: env.Limits, Mixed: o.Mixed == "empty",
		MixedHint: "mixed: empty makes the column missing there"}
	in := &documentInput{options: o, limits: limits}
	in.New = func() table.FileCutter { return in.newCutter() }
	if o.Rows != "." {
		in.path = strings.Split(o.Rows, ".")
	}
	return in, in.List(ctx, o, env, in)
}

// A documentInput reads JSON documents. It is also their table.Format.
type documentInput struct {
	table.Files
	table.Document
	options *Options
	limits  jsonl.Limits
	path    []string // keys and indices that lead to the rows
}

// RowsPath returns the path to the rows, with a point after it; "" if the document is the rows.
func (in *documentInput) RowsPath() string {
	if len(in.path) == 0 {
		return ""
	}
	return in.options.Rows + "."
}

// Head finds where the document begins.
func (in *documentInput) Head(text []byte, _ bool) (h table.Head, more bool, err error) {
	h.First, err = jsonl.Encoding(text, "a JSON document")
	return h, false, err
}

// Bind compiles the paths of the columns.
func (in *documentInput) Bind(columns []input.Bound) (input.Layout, error) {
	var others []input.Bound
	var keys []int
	for _, c := range columns {
		if in.options.Keys != "" && c.Name == in.options.Keys {
			keys = append(keys, c.Slot)
		} else {
			others = append(others, c)
		}
	}
	paths, err := jsonl.CompileColumns(in, others, in.limits)
	if err != nil {
		return nil, err
	}
	return func(*input.Observations, bool) input.Scanner {
		s := &scanner{in: in}
		if s.elements = paths.NewElementScanner(); in.options.Keys != "" {
			s.elements = paths.NewMemberScanner(keys)
		}
		return s
	}, nil
}

// A scanner parses elements.
type scanner struct {
	in       *documentInput
	elements *jsonl.ElementScanner
}

func (s *scanner) Scan(file int, _ int64, data []byte, vals []schema.Value) (int, error) {
	return s.elements.Scan(data, vals, s.in.Check(file) != 0)
}
