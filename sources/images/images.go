// Package images is the kind of source whose rows are the image files below a
// folder:
//
//	source:
//	  images: {dir: train}
//
// A row has the columns image, image.format, image.height … and path, filename,
// stem and class. Facts come from a walk over the file's header, never from its
// name. An [Examiner] learns them of images that rows name, too.
package images

import (
	"context"
	"slices"

	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/image"
	"tfr-build/sources/input"
	"tfr-build/sources/tree"
)

// Options are the keys of the kind `images`.
type Options struct {
	Dir              string           `yaml:"dir" is:"path" required:"yes" doc:"the folder"`
	Extensions       input.Extensions `yaml:"extensions" default:"[jpg, jpeg, png, gif, bmp, webp]" doc:"of the files that are rows, in any case, or any"`
	Include          input.Patterns   `yaml:"include" doc:"patterns of the relative paths that are rows"`
	Exclude          input.Patterns   `yaml:"exclude" doc:"patterns of relative paths that are not"`
	ClassPerFile     string           `yaml:"class_per_file" is:"path" doc:"a file with the class of each image, a line each"`
	FollowLinks      bool             `yaml:"follow_links" default:"false" doc:"whether symbolic links below the folder are followed"`
	Check            string           `yaml:"check" default:"structure" enum:"header structure decode" doc:"how far a file is checked"`
	FormatMismatch   string           `yaml:"format_mismatch" default:"accept" enum:"accept error" doc:"a file whose content is not what its extension says"`
	AllowUnsupported bool             `yaml:"allow_unsupported" default:"false" doc:"whether images of another format are taken"`
}

// ClassFile is the file of class_per_file, whose content describes the dataset.
func (o *Options) ClassFile() string { return o.ClassPerFile }

// Known are the columns of every image.
func (o *Options) Known() *column.Set {
	set := column.NewSet(column.Column{})
	for _, c := range column.Image("image", "images") {
		set.Add(c, c.Name)
	}
	return tree.AddNames(set)
}

// Open lists the files.
func (o *Options) Open(ctx context.Context, env *input.Env) (input.Input, error) {
	spec := &tree.Spec{Dir: env.Resolve(o.Dir), Extensions: o.Extensions, Include: o.Include, Exclude: o.Exclude, FollowLinks: o.FollowLinks}
	in := &imagesInput{options: o, limits: image.Limits{Pixels: env.Limits.Pixels}}
	var err error
	if o.ClassPerFile != "" {
		if spec.Classes, err = env.Names(o.ClassPerFile); err != nil {
			return nil, err
		}
	}
	in.Files, err = tree.List(ctx, spec, env)
	return in, err
}

type imagesInput struct {
	*tree.Files
	options *Options
	limits  image.Limits
}

// Columns are the columns of every image.
func (in *imagesInput) Columns() *column.Set { return in.options.Known() }

// Bind notes the slots.
func (in *imagesInput) Bind(columns []input.Bound) (input.Layout, error) {
	ofContent := func(c input.Bound) bool { return !slices.Contains(tree.NameColumns, c.Name) }
	return func(facts *input.Facts, namesOnly bool) input.Scanner {
		return &scanner{
			Reader: in.NewReader(), columns: columns, namesOnly: namesOnly && !slices.ContainsFunc(columns, ofContent),
			examiner: in.options.examiner(in.limits, facts),
		}
	}, nil
}

type scanner struct {
	*tree.Reader
	columns   []input.Bound
	namesOnly bool
	examiner  Examiner
}

func (s *scanner) Scan(file int, _ int64, _ []byte, vals []schema.Value) (n int, err error) {
	var content []byte
	var facts image.Facts
	if s.namesOnly {
		err = s.Names(file)
	} else if content, err = s.Read(file); err == nil {
		facts, err = s.examiner.Examine(content, s.Name(file))
	}
	if err != nil {
		return 0, err
	}
	for _, w := range s.columns {
		switch {
		case w.Name == "image":
			vals[w.Slot] = schema.Value{Kind: schema.Bytes, Text: content}
		case slices.Contains(tree.NameColumns, w.Name):
			vals[w.Slot] = s.Column(w.Name, file)
		default:
			s.Texts, vals[w.Slot] = AppendFact(s.Texts, w.Name[len("image."):], &facts)
		}
	}
	return 0, nil
}
