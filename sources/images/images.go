// Package images implements the source type `images`, whose rows are the image files below a
// directory:
//
//	source:
//	  images: {dir: train}
//
// A row has the columns image, image.format, image.height, …, and path, filename, stem, and
// class. Metadata is read from the file's header, not from its name. An [Examiner] also reads the
// metadata of images that rows of other sources refer to.
package images

import (
	"context"
	"slices"
	"strings"

	"tfr-build/pixels/convert"
	"tfr-build/pixels/geometry"
	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/input"
	"tfr-build/sources/tree"
)

// Options are the keys of the source type `images`.
type Options struct {
	input.Below
	Extensions input.Extensions `yaml:"extensions" default:"[jpg, jpeg, png, gif, bmp, webp]" doc:"File name extensions that are read, in any case; any reads all files." example:"[png, jpg]"`
	input.Selection
	ClassPerFile string `yaml:"class_per_file" is:"path" doc:"File with one class name per line, in the order of the sorted image paths." example:"labels.txt"`
	input.Links
	Checked          string           `yaml:"check" default:"structure" enum:"header structure decode" doc:"Depth of the check of each image: header, structure, or decode. Default: structure."`
	FormatMismatch   string           `yaml:"format_mismatch" default:"accept" enum:"accept error" doc:"Action for an image whose content does not match its extension. Default: accept."`
	AllowUnsupported bool             `yaml:"allow_unsupported" default:"false" doc:"Accepts images of unsupported formats as bytes. Default: false."`
	Convert          *convert.Spec    `yaml:"convert" doc:"Conversion of the images. Default: bytes are kept." example:"{resize: {short: 256}, format: jpeg}"`
	Minimum          *convert.Minimum `yaml:"minimum" doc:"Smallest size of an image, in pixels." example:"{width: 32, height: 32}"`
	Maximum          *convert.Maximum `yaml:"maximum" doc:"Largest size of an image." example:"{pixels: 100000000, aspect: 10}"`
	Frame            string           `yaml:"frame" default:"first" enum:"first error" canonical:"set" doc:"Action for an image with several frames: first takes the first one. Default: first."`
}

// Check reports combinations of keys that are invalid. See [convert.Spec.Check] for valid and
// report.
func (o *Options) Check(valid func(keys ...string) bool, report func(key, hint, text string)) {
	if o.Frame == "error" && o.Checked == "header" && valid("frame", "check") {
		report("frame", "check: structure", "frame: error counts the images of a file, which check: header does not")
	}
	CheckConvert("convert", o.Convert, valid, report)
}

// CheckConvert reports invalid combinations of the keys of a conversion, which is the value of key.
// s may be nil.
func CheckConvert(key string, s *convert.Spec, valid func(keys ...string) bool, report func(key, hint, text string)) {
	if s == nil || !valid(key) {
		return
	}
	inside := func(sub string) string { return key + "." + sub }
	s.Check(func(keys ...string) bool {
		return !slices.ContainsFunc(keys, func(key string) bool { return !valid(inside(key)) })
	}, func(key, hint, text string) { report(inside(key), hint, text) })
}

// A Conversion is the conversion of the images in a column of a source type.
type Conversion struct {
	Key    string // path of its key below the options
	Column string
	Spec   *convert.Spec
}

// Conversions returns the conversion of the images, if there is one.
func (o *Options) Conversions() []Conversion { return ConversionOf("image", o.Convert) }

// ConversionOf returns the conversion of the only images of a source type. spec may be nil.
func ConversionOf(column string, spec *convert.Spec) []Conversion {
	if spec == nil {
		return nil
	}
	return []Conversion{{"convert", column, spec}}
}

// ClassFile returns the path of class_per_file, whose content is a part of the dataset's
// description.
func (o *Options) ClassFile() string { return o.ClassPerFile }

// Known returns the columns of every image.
func (o *Options) Known() *column.Set {
	set := column.NewSet(column.Column{})
	for _, c := range Columns(o.Convert) {
		c.From = "images"
		set.Add(c, "image"+c.Name)
	}
	return tree.AddNames(set)
}

// Columns returns the columns of an image. Their names are without the image's own name. s is the
// conversion of the image, or nil.
func Columns(s *convert.Spec) []column.Column {
	if s == nil {
		return column.Image([]int{-1}, false)
	}
	return column.Image(s.Shape(), true)
}

// Open lists the files.
func (o *Options) Open(ctx context.Context, env *input.Env) (input.Input, error) {
	spec := &tree.Spec{Options: o, Dir: env.Resolve(o.Dir), Extensions: o.Extensions, Selection: o.Selection,
		Links: o.Links}
	in := &imagesInput{options: o, limits: env.Limits}
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
	limits  input.Limits
}

// Bind returns the layout of the columns.
func (in *imagesInput) Bind(columns []input.Bound) (input.Layout, error) {
	columns, transforms := input.CutTransforms(columns)
	ofImage, others := CutColumns("image", columns)
	return func(observed *input.Observations, namesOnly bool) input.Scanner {
		return &scanner{
			Reader: in.NewReader(), names: others, namesOnly: namesOnly && len(ofImage)+len(transforms) == 0,
			Filler:    NewFiller(in.options.examiner(), "image", ofImage, in.limits, observed, namesOnly),
			bytesOnly: !slices.ContainsFunc(ofImage, func(c input.Bound) bool { return c.Name != "" }),
		}
	}, nil
}

// CutColumns returns the columns of images, by what their names have after the name of the images, and other columns.
func CutColumns(image string, columns []input.Bound) (ofImage, others []input.Bound) {
	for _, c := range columns {
		if name, is := strings.CutPrefix(c.Name, image); is {
			ofImage = append(ofImage, input.Bound{Name: name, Slot: c.Slot})
		} else {
			others = append(others, c)
		}
	}
	return ofImage, others
}

type scanner struct {
	*tree.Reader
	Filler
	names     []input.Bound // columns of the file's name
	namesOnly bool
	keeps     bool // images are as their files have them
	bytesOnly bool // no column needs more of an image than its bytes
}

// A Transformer is a scanner of images to which coordinates are moved.
type Transformer interface {
	// Transform returns where coordinates of the last row's image move. It is nil if the row has
	// no image in the column.
	Transform(column string) *geometry.Transform
}

// A Measurer is a scanner of images that are decoded.
type Measurer interface {
	// Measure makes it count the pixels of its images in m before it decodes them.
	Measure(m *convert.Meter)
}

// KeepFiles implements [input.Converter].
func (s *scanner) KeepFiles() {
	s.keeps = true
	s.Filler.KeepFiles()
}

func (s *scanner) Scan(file int, _ int64, _ []byte, vals []schema.Value) (n int, err error) {
	var content []byte
	if s.namesOnly {
		err = s.Names(file)
	} else {
		content, err = s.Read(file)
	}
	switch {
	case err != nil:
		return 0, err
	case s.keeps && s.bytesOnly:
		for _, c := range s.Columns {
			vals[c.Slot] = schema.Value{Kind: schema.Bytes, Text: content}
		}
	case !s.namesOnly:
		if err := s.FillOne(vals, content, s.Digest, s.Name(file)); err != nil {
			return 0, err
		}
	}
	for _, w := range s.names {
		vals[w.Slot] = s.Column(w.Name, file)
	}
	return 0, nil
}
