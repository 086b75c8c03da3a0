package document

import (
	"context"
	"errors"
	"io"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
	"tfr-build/sources/jsonl"
	"tfr-build/sources/table"
)

// Options are the keys of the kind `json`, of a source or a side table.
type Options struct {
	Files      input.Files `yaml:"files" required:"yes" doc:"File, pattern, or list of patterns." example:"instances.json"`
	Root       string      `yaml:"root" is:"path" doc:"Directory that row addresses are relative to. Default: the part of the pattern before its first wildcard." example:"data"`
	Rows       string      `yaml:"rows" is:"line" default:"." doc:"Path to the array of rows; . is the document itself. Default: the document." example:"annotations"`
	Keys       string      `yaml:"keys" is:"line" doc:"Name of the column for the keys, if the rows are the members of an object." example:"id"`
	Mixed      string      `yaml:"mixed" default:"error" enum:"error empty" doc:"Result of a path|="`
	AllowEmpty bool        `yaml:"allow_empty" default:"false" doc:"Accepts a source without rows. Default: false."`
}

// Patterns are those of the files.
func (o *Options) Patterns() []string { return o.Files.Patterns }

// EmptyAllowed reports whether no row at all is no fault.
func (o *Options) EmptyAllowed() bool { return o.AllowEmpty }

// Known is the column of the keys: others only rows tell, and each may be a list.
func (o *Options) Known() *column.Set {
	set := column.NewSet(column.Column{})
	if o.Keys != "" {
		set.Add(column.Column{From: "keys"}, o.Keys)
	}
	set.Open, set.Nested, set.Lists = true, true, true
	return set
}

// Check reports what the keys mean together and cannot.
func (o *Options) Check(_ func(keys ...string) bool, fault func(key, hint, text string)) {
	if o.Rows != "." && strings.Contains("."+o.Rows+".", "..") {
		fault("rows", `"." is the document itself`, "the path has an empty step; expected keys with a dot between")
	}
}

// Open lists the files.
func (o *Options) Open(ctx context.Context, env *input.Env) (input.Input, error) {
	limits := jsonl.Limits{Record: env.Limits.Record, Depth: env.Limits.Depth, Columns: env.Limits.Columns, Mixed: o.Mixed == "empty"}
	in := &documentInput{options: o, limits: limits}
	if o.Rows != "." {
		in.path = strings.Split(o.Rows, ".")
	}
	var err error
	in.Files, err = table.List(ctx, &table.Spec{Files: o.Files, Root: o.Root, AllowEmpty: o.AllowEmpty}, env, in)
	return in, err
}

// A documentInput is JSON documents. It is their table.Format, too.
type documentInput struct {
	*table.Files
	options *Options
	limits  jsonl.Limits
	path    []string // to the rows
}

// Head finds where the document begins.
func (in *documentInput) Head(text []byte, _ bool) (h table.Head, more bool, err error) {
	h.First, err = jsonl.Encoding(text, "a JSON document")
	h.BOM = h.First > 0
	if bad, ok := errors.AsType[*jsonl.FileError](err); ok {
		err = &schema.RowError{Code: bad.Code, At: int(bad.At), Message: bad.Message, Hint: bad.Hint}
	}
	return h, false, err
}

// NewDecoder is nil: documents are UTF-8.
func (in *documentInput) NewDecoder(io.Reader) table.Decoder { return nil }

// NewCutter cuts a stream into rows and what is around them.
func (in *documentInput) NewCutter(*table.Head) table.Cutter { return in.newCutter() }

// NewCandidates is nil: where rows are only the beginning of a document tells.
func (in *documentInput) NewCandidates(*table.Head) (c table.Candidates, lines bool) {
	return nil, false
}

// Columns are those that rows turn out to have.
func (in *documentInput) Columns() *column.Set { return in.options.Known() }

// Bind compiles the paths of the columns.
func (in *documentInput) Bind(columns []input.Bound) (input.Layout, error) {
	var names []string
	var slots, keys []int
	for _, c := range columns {
		if in.options.Keys != "" && c.Name == in.options.Keys {
			keys = append(keys, c.Slot)
			continue
		}
		names, slots = append(names, c.Name), append(slots, c.Slot)
	}
	paths, err := jsonl.Compile(names, slots, in.limits)
	if err != nil {
		return nil, &input.FitError{Path: in.Listing().Label, Text: err.Error()}
	}
	return func(*input.Facts, bool) input.Scanner {
		s := &scanner{in: in, file: -1}
		if s.elements = paths.NewElementScanner(); in.options.Keys != "" {
			s.elements = paths.NewMemberScanner(keys)
		}
		return s
	}, nil
}

// A scanner scans elements, and knows the files.
type scanner struct {
	in       *documentInput
	elements *jsonl.ElementScanner
	file     int
	check    bool // UTF-8, in the rows of the file
}

func (s *scanner) Close() {}

func (s *scanner) Scan(file int, _ int64, data []byte, vals []schema.Value) (int, error) {
	if file != s.file {
		s.file, s.check = file, s.in.Check(file) != 0
	}
	return s.elements.Scan(data, vals, s.check)
}
