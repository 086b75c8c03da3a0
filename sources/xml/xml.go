package markup

import (
	"context"
	"errors"
	"io"

	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
	"tfr-build/sources/tree"
)

// Options are the config keys of the source type `xml`, for a source or a lookup table.
type Options struct {
	Dir         string           `yaml:"dir" is:"path" required:"yes" doc:"Directory of the files. Symbolic links to directories work." example:"Annotations"`
	Extensions  input.Extensions `yaml:"extensions" default:"[xml]" doc:"File name extensions that are read, in any case; any reads all files." example:"[xml]"`
	Include     input.Patterns   `yaml:"include" doc:"Patterns of the relative paths that are read. Default: all." example:"['2024/**']"`
	Exclude     input.Patterns   `yaml:"exclude" doc:"Patterns of the relative paths that are skipped." example:"['**/thumbs/*']"`
	Trim        bool             `yaml:"trim" default:"false" doc:"Removes white space around the text of elements. Default: false."`
	FollowLinks bool             `yaml:"follow_links" default:"false" doc:"Follows symbolic links below the directory. Default: false."`
}

// Trims reports whether white space around the text of elements is removed.
func (o *Options) Trims() bool { return o.Trim }

// Directory returns the directory of the files.
func (o *Options) Directory() string { return o.Dir }

// Known returns an open set with the columns of the file's name. Only documents have other columns,
// and each may be a list.
func (o *Options) Known() *column.Set {
	set := tree.AddNames(column.NewSet(column.Column{From: "xml"}))
	set.Open, set.Nested, set.Lists, set.Repeated = true, true, true, true
	return set
}

// Open lists the files and returns them as an input.
func (o *Options) Open(ctx context.Context, env *input.Env) (input.Input, error) {
	spec := &tree.Spec{Dir: env.Resolve(o.Dir), Extensions: o.Extensions, Include: o.Include, Exclude: o.Exclude, FollowLinks: o.FollowLinks}
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

// Columns returns an open set: documents decide which columns exist.
func (in *documents) Columns() *column.Set { return in.options.Known() }

// Rows returns the single row of a file. Its text is the document in UTF-8, if it can be read, so
// that errors have a line.
func (in *documents) Rows(file int) (input.Rows, error) {
	return &oneRow{in: in, file: file}, nil
}

// A oneRow reads the document of a file.
type oneRow struct {
	in   *documents
	file int
	rec  input.Record
	read bool
}

func (r *oneRow) Next() (*input.Record, error) {
	if r.read {
		return nil, io.EOF
	}
	r.read = true
	files := r.in.NewReader()
	defer files.Close()
	content, err := files.Read(r.file)
	if _, ok := errors.AsType[*schema.RowError](err); ok {
		return &r.rec, nil // the scanner returns the error, too
	}
	if err != nil {
		return nil, err
	}
	if text, bad := decode(nil, content, r.in.limits.Record); len(text) > 0 {
		r.rec = input.Record{Line: 1, Raw: text, Judged: text, Bad: bad}
	}
	return &r.rec, nil
}

func (r *oneRow) Blank() int   { return 0 }
func (r *oneRow) Close() error { return nil }
