// Package folder is the kind of source whose rows are the files below a folder,
// whatever they hold:
//
//	source:
//	  folder: {dir: songs, extensions: [wav]}
//
// A row has the columns content, path, filename, stem and class.
package folder

import (
	"context"
	"slices"

	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
	"tfr-build/sources/tree"
)

// Options are the keys of the kind `folder`.
type Options struct {
	Dir         string           `yaml:"dir" is:"path" required:"yes" doc:"the folder"`
	Extensions  input.Extensions `yaml:"extensions" default:"any" doc:"of the files that are rows, in any case, or any"`
	Include     input.Patterns   `yaml:"include" doc:"patterns of the relative paths that are rows"`
	Exclude     input.Patterns   `yaml:"exclude" doc:"patterns of relative paths that are not"`
	FollowLinks bool             `yaml:"follow_links" default:"false" doc:"whether symbolic links below the folder are followed"`
}

// Known are the columns of every file.
func (o *Options) Known() *column.Set {
	return tree.AddNames(column.NewSet(column.Column{From: "folder", Type: "bytes", Content: true}, "content"))
}

// Open lists the files.
func (o *Options) Open(ctx context.Context, env *input.Env) (input.Input, error) {
	spec := &tree.Spec{Dir: env.Resolve(o.Dir), Extensions: o.Extensions, Include: o.Include, Exclude: o.Exclude, FollowLinks: o.FollowLinks}
	files, err := tree.List(ctx, spec, env)
	return &folderInput{files, o}, err
}

type folderInput struct {
	*tree.Files
	options *Options
}

// Columns are the columns of every file.
func (in *folderInput) Columns() *column.Set { return in.options.Known() }

// Bind notes the slots.
func (in *folderInput) Bind(columns []input.Bound) (input.Layout, error) {
	isContent := func(c input.Bound) bool { return c.Name == "content" }
	return func(_ *input.Facts, namesOnly bool) input.Scanner {
		return &scanner{in.NewReader(), columns, namesOnly && !slices.ContainsFunc(columns, isContent)}
	}, nil
}

type scanner struct {
	*tree.Reader
	columns   []input.Bound
	namesOnly bool
}

func (s *scanner) Scan(file int, _ int64, _ []byte, vals []schema.Value) (n int, err error) {
	var content []byte
	if s.namesOnly {
		err = s.Names(file)
	} else {
		content, err = s.Read(file)
	}
	if err != nil {
		return 0, err
	}
	for _, w := range s.columns {
		if w.Name == "content" {
			vals[w.Slot] = schema.Value{Kind: schema.Bytes, Text: content}
		} else {
			vals[w.Slot] = s.Column(w.Name, file)
		}
	}
	return 0, nil
}
