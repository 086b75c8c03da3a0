package xml

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
	"tfr-build/sources/tree"
)

// Options are the config keys of the source type `xml`, for a source or a lookup table: dir for documents that are
// rows, or files and rows for elements that are.
type Options struct {
	Dir        string           `yaml:"dir" is:"path" doc:"Directory of documents, each a row. Symbolic links to directories work." example:"Annotations"`
	Extensions input.Extensions `yaml:"extensions" default:"[xml]" doc:"File name extensions that are read, in any case; any reads all files." example:"[xml]"`
	input.Selection
	Trim bool `yaml:"trim" default:"false" doc:"Removes white space around the text of elements. Default: false."`
	input.Links
	input.Files `yaml:"files" doc:"File, pattern, or list of patterns of documents with rows, in place of dir." example:"annotations.xml"`
	Rows        string `yaml:"rows" is:"line" doc:"Path to the elements that are rows: names from the root on. Required with files." example:"annotations.image"`
	input.Rooted
	AllowEmpty bool `yaml:"allow_empty" default:"false" canonical:"set" doc:"Accepts a source without rows, and files without such elements. Default: false."`
}

// Trims reports whether white space around the text of elements is removed.
func (o *Options) Trims() bool { return o.Trim }

// Directory returns the directory of the documents; empty if rows are elements.
func (o *Options) Directory() string { return o.Dir }

// EmptyAllowed reports whether a source without rows is accepted.
func (o *Options) EmptyAllowed() bool { return o.AllowEmpty }

// Check reports conflicts between keys by calling report.
func (o *Options) Check(valid func(keys ...string) bool, report func(key, hint, text string)) {
	inFiles := o.Files.Patterns != nil
	ownExtensions := !slices.Equal(o.Extensions.List, []string{"xml"})
	const example = "expected names from the root on, such as annotations.image"
	switch {
	case !valid("dir", "files", "rows"):
	case inFiles && slices.ContainsFunc(strings.Split(o.Rows, "."), func(step string) bool { return !isName(step) }):
		report("rows", "", "rows is the path to the elements that are rows; "+example)
	case !inFiles && o.Rows != "":
		report("rows", "files: "+path.Join(o.Dir, "*.xml"),
			"rows are elements of files; expected files in place of dir")
	case inFiles == (o.Dir != ""):
		report("dir", "", "expected dir, whose files are rows, or files and rows")
	case inFiles && (o.Include != nil || o.Exclude != nil || o.FollowLinks || ownExtensions):
		report("files", "", "include, exclude, extensions, and follow_links need dir")
	}
}

// Known returns an open set with the columns of the file's name, if each file is a row. Only documents have other
// columns, and each may be a list.
func (o *Options) Known() *column.Set {
	set := column.NewSet(column.Column{From: "xml"})
	if o.Rows == "" {
		set = tree.AddNames(set)
	}
	set.Open, set.Nested, set.Lists, set.Repeated = true, true, true, true
	return set
}

// Open lists the files and returns them as an input.
func (o *Options) Open(ctx context.Context, env *input.Env) (input.Input, error) {
	if o.Rows != "" {
		return o.openRows(ctx, env)
	}
	spec := &tree.Spec{Options: o, Dir: env.Resolve(o.Dir), Extensions: o.Extensions, Selection: o.Selection,
		Links: o.Links}
	in := &documents{options: o, limits: env.Limits}
	var err error
	in.Files, err = tree.List(ctx, spec, env)
	return in, err
}

// documents are the files of a directory, each with a document. They are an input.Input.
type documents struct {
	*tree.Files
	options *Options
	limits  input.Limits
}

// Rows returns the single row of a file. Its text is the document in UTF-8, if it can be read, so
// that errors have a line.
func (in *documents) Rows(file int) (input.Rows, error) {
	r := in.NewReader()
	defer r.Close()
	row := &tree.OneRow{}
	content, err := r.Read(file)
	if _, ok := errors.AsType[*schema.RowError](err); ok {
		return row, nil // the scanner returns the error, too
	}
	if err != nil {
		return nil, err
	}
	if text, bad := decode(nil, content, in.limits.Record); len(text) > 0 {
		row.Record = input.Record{Line: 1, Raw: text, Judged: text, Bad: bad}
	}
	return row, nil
}
