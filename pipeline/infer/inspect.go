package infer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tfr-build/pipeline/config"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
)

// A summary has what the rows of a config's sources contain.
type summary struct {
	*findings
	coverage
	reading reading
	equal   equalRows
	columns []*columnSummary
	lacking []string          // columns that some files have, and others do not
	notes                     // comments at the top of the config
	keys    []line            // of the sources, that their rows show
	steps   []line            // of the sources, that their rows show
	payload string            // why records are used as they are; empty if they are not
	names   map[string]string // by column: what its strings name, image or file
	shared  *nameColumn       // names of files that rows repeat, and no owner keeps together; nil without
	label   string            // name of the input in messages
	tables  []string          // paths of its files, of the first source
	opened  []*sources.Source
	table   string            // a table in an archive; empty for none
	members []string          // paths of members of archives
	splits  map[string]string // by the names of their directories
}

// A columnSummary has the values of rows under one name.
type columnSummary struct {
	name       string
	profile    *profile      // nil if values are not looked at
	known      column.Column // what the headers say; zero if they say nothing
	nulls      [][]string    // by source, the strings that mean missing
	names      []string      // class names in the files, if the values are their numbers
	isImage    bool          // the values are images
	isClass    bool          // the values are classes of files
	isJSON     bool          // the strings may be objects of JSON
	isCell     bool          // the strings have no type
	isDerived  bool          // a source lacks a column with a type
	isPath     bool          // the strings are names of the images in the same rows
	isBytes    bool          // the strings are bytes, which may be text
	bytes      string        // why the values, which are bytes, are not looked at; empty if they are
	skipReason string        // why it cannot be a feature; empty if it can
}

// open opens the sources of a config and inspects their rows.
func (f *findings) open(ctx context.Context, cfg *config.Config) (*summary, error) {
	s := &summary{findings: f, names: map[string]string{}}
	for i := range cfg.Sources {
		if name := cfg.Sources[i].Kind.Name; name != s.typ.name {
			return nil, &input.MismatchError{Text: fmt.Sprintf("the sources are of the kinds %s and %s",
				s.typ.name, name)}
		}
		src, err := f.openSource(ctx, cfg, i)
		if err != nil {
			return nil, err
		}
		s.opened = append(s.opened, src)
	}
	first := s.opened[0].Listing()
	s.label, s.tables = first.Label, first.Paths
	var err error
	switch s.typ.Rows {
	case input.FileRows:
		return s, s.inspectFiles(ctx)
	case input.Objects:
		err = s.inspectObjects(ctx)
	default:
		err = s.inspectColumns(ctx)
	}
	if err != nil || s.typ.Rows == input.Lists || s.typ.Rows == input.Contents {
		return s, err
	}
	return s, s.findSeries(ctx)
}

// openSource opens a source as a build does.
func (f *findings) openSource(ctx context.Context, cfg *config.Config, i int) (*sources.Source, error) {
	env := &input.Env{
		Files:   f.System,
		Resolve: cfg.Resolve, Workers: max(1, f.workers),
		Names: func(path string) ([]string, error) {
			return nil, &input.MismatchError{Path: path, Text: "class_per_file is not looked at"}
		},
		Limits: input.Limits{Record: int(cfg.Limits.Record), Columns: cfg.Limits.Columns, Depth: cfg.Limits.Depth,
			Pixels: cfg.Limits.Pixels},
	}
	src, err := sources.Open(ctx, cfg.Sources[i].Spec(), env)
	if err != nil {
		return nil, err
	}
	return src, src.ReadHeads(ctx, nil)
}

// mostStored is the number of distinct strings that are kept for all columns together, and leastStored
// the number for each column.
const mostStored, leastStored = 400_000, mostClasses + 1

// namesOf returns the names of columns that the first rows of each source show.
func (s *summary) namesOf(ctx context.Context, rows int) (all []string, err error) {
	for _, src := range s.opened {
		names, err := src.SampleNames(ctx, rows)
		if err != nil {
			return nil, err
		}
		all = append(all, names...)
	}
	return unique(all), nil
}

// commonColumns adds the columns that every file has, and the others as skipped columns. It returns an error if the
// files have less than half of their columns in common.
func (s *summary) commonColumns(ctx context.Context) error {
	skipReasons := map[string]string{}
	all, err := s.namesOf(ctx, 0)
	if err != nil {
		return err
	}
	if slices.Contains(all, "@0") { // the first cell, which comes after those with names
		all = slices.Insert(slices.DeleteFunc(all, func(name string) bool { return name == "@0" }), 0, "@0")
	}
	for _, src := range s.opened {
		isReserved := func(name string) bool { return slices.Contains(column.Reserved, name) }
		all = unique(append(all, filter(src.Input.Columns().Names(), isReserved)...))
	}
	names := filter(all, func(name string) bool {
		skipReasons[name] = input.NameProblem(name)
		return skipReasons[name] == ""
	})
	var first *input.MismatchError
	for _, src := range s.opened {
		names, err = bindable(src, names, func(name string, fit *input.MismatchError) {
			if strings.HasSuffix(fit.Code, "_DUP_HEADER") {
				skipReasons[name] = "two columns have this name; @ and their position select them"
				return
			}
			skipReasons[name] = "not in " + base(fit.Path) + "; init without this file keeps it"
			first, s.lacking = cmp.Or(first, fit), append(s.lacking, name)
		})
		if err != nil {
			return err
		}
	}
	if first != nil && 2*len(names) < len(all) {
		hint := "name the files of one table; join adds the columns of another one"
		if s.typ.NullWords {
			hint += "; a file without names of columns is a source of its own, with header: false, and columns"
		}
		return &input.MismatchError{
			Path: first.Path, Code: input.MissingColumn,
			Text: fmt.Sprintf("no column %s: the files have %d of %d columns in common, and are not of one table",
				schema.Quote(first.Column), len(names), len(all)),
			Hint: hint,
		}
	}
	for _, name := range all {
		s.columns = append(s.columns, &columnSummary{name: name, skipReason: skipReasons[name]})
	}
	return nil
}

// bindable returns the names that a source has as columns in each of its files, and calls skip for
// the others. It searches by halving, as only few are missing.
func bindable(src *sources.Source, names []string, skip func(name string, fit *input.MismatchError)) ([]string, error) {
	slots := make([]schema.Column, len(names))
	for i, name := range names {
		slots[i].Name = name
	}
	_, err := src.Bind(slots)
	if err == nil {
		return names, nil
	}
	fit := new(input.MismatchError)
	if !errors.As(err, &fit) {
		return nil, err
	}
	if len(names) == 1 {
		skip(names[0], fit)
		return nil, nil
	}
	half := len(names) / 2
	one, err := bindable(src, names[:half], skip)
	if err != nil {
		return nil, err
	}
	two, err := bindable(src, names[half:], skip)
	return slices.Concat(one, two), err
}

// unique returns the strings without repetitions.
func unique(texts []string) (list []string) {
	seen := map[string]bool{}
	for _, s := range texts {
		if !seen[s] {
			seen[s] = true
			list = append(list, s)
		}
	}
	return list
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func base(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
