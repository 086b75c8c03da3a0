// Package folder implements the source type `folder`, whose rows are the files below a directory,
// with any content:
//
//	source:
//	  folder: {dir: songs, extensions: [wav]}
//
// A row has the columns content, path, filename, stem, and class. With the option encoding, content
// is text, decoded to UTF-8.
package folder

import (
	"context"
	"slices"

	"tfr-build/schema"
	"tfr-build/sources/charset"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
	"tfr-build/sources/tree"
)

// Options are the config keys of the source type `folder`.
type Options struct {
	input.Below
	Extensions input.Extensions `yaml:"extensions" default:"any" doc:"File name extensions that are read, in any case. Default: any." example:"[wav, mp3]"`
	input.Selection
	Encoding string `yaml:"encoding" enum:"utf-8 utf-16le utf-16be latin-1" doc:"Encoding of the files, which are text then|Encoding of text files; content is stored as UTF-8. Without it, content has the bytes of the file." example:"utf-8"`
	input.Links
}

// Known returns the columns, which are the same for every file.
func (o *Options) Known() *column.Set {
	content := column.Column{From: "folder", Type: "bytes", Content: true}
	if o.Encoding != "" {
		content.Type = "string"
	}
	return tree.AddNames(column.NewSet(content, "content"))
}

// Open lists the files and returns them as an input.
func (o *Options) Open(ctx context.Context, env *input.Env) (input.Input, error) {
	spec := &tree.Spec{Options: o, Dir: env.Resolve(o.Dir), Extensions: o.Extensions, Selection: o.Selection,
		Links: o.Links}
	files, err := tree.List(ctx, spec, env)
	in := &directoryInput{Files: files, limit: env.Limits.Record}
	in.encoding, in.isText = charset.Parse(o.Encoding)
	return in, err
}

type directoryInput struct {
	*tree.Files
	isText   bool // decoded from encoding
	encoding charset.Encoding
	limit    int // maximum length of content in bytes
}

// Bind records the slots of the columns.
func (in *directoryInput) Bind(columns []input.Bound) (input.Layout, error) {
	isContent := func(c input.Bound) bool { return c.Name == "content" }
	return func(_ *input.Observations, namesOnly bool) input.Scanner {
		return &scanner{Reader: in.NewReader(), in: in, columns: columns, namesOnly: namesOnly &&
			!slices.ContainsFunc(columns, isContent)}
	}, nil
}

type scanner struct {
	*tree.Reader
	in        *directoryInput
	columns   []input.Bound
	namesOnly bool
	text      []byte // of the current file, decoded
}

func (s *scanner) Scan(file int, _ int64, _ []byte, vals []schema.Value) (n int, err error) {
	content := schema.Value{Kind: schema.Bytes}
	if s.namesOnly {
		err = s.Names(file)
	} else {
		content.Text, err = s.Read(file)
	}
	if err != nil {
		return 0, err
	}
	if s.in.isText && !s.namesOnly {
		var bad *schema.RowError
		if s.text, bad = s.in.encoding.Decode(s.text[:0], content.Text, s.in.limit); bad != nil {
			bad.Column = "content"
			return 0, bad
		}
		content = schema.Value{Kind: schema.Text, Text: s.text}
	}
	for _, w := range s.columns {
		if w.Name == "content" {
			vals[w.Slot] = content
		} else {
			vals[w.Slot] = s.Column(w.Name, file)
		}
	}
	return 0, nil
}
