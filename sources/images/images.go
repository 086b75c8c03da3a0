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
	Dir        string           `yaml:"dir" is:"path" required:"yes" doc:"Directory of the files. Symbolic links to directories work." example:"photos"`
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

// Directory returns the directory of the files.
func (o *Options) Directory() string { return o.Dir }

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
	spec := &tree.Spec{Dir: env.Resolve(o.Dir), Extensions: o.Extensions, Selection: o.Selection, Links: o.Links}
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

// Columns returns the columns of every image.
func (in *imagesInput) Columns() *column.Set { return in.options.Known() }

// Bind returns the layout of the columns.
func (in *imagesInput) Bind(columns []input.Bound) (input.Layout, error) {
	columns, transforms := input.CutTransforms(columns)
	var ofImage []string
	for _, c := range columns {
		if name, is := imageColumn(c.Name); is {
			ofImage = append(ofImage, name)
		}
	}
	return func(observed *input.Observations, namesOnly bool) input.Scanner {
		examiner := in.options.examiner()
		examiner.Ask("image", in.limits, observed, ofImage, namesOnly)
		return &scanner{
			Reader: in.NewReader(), columns: columns, namesOnly: namesOnly && len(ofImage)+len(transforms) == 0,
			examiner: examiner, bytesOnly: !slices.ContainsFunc(ofImage, func(name string) bool { return name != "" }),
		}
	}, nil
}

// imageColumn returns a column's name without the prefix "image". is is false if the column is
// derived from the file name.
func imageColumn(column string) (name string, is bool) {
	return strings.CutPrefix(column, "image")
}

type scanner struct {
	*tree.Reader
	columns   []input.Bound
	namesOnly bool
	examiner  *Examiner
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

// Transform implements [Transformer].
func (s *scanner) Transform(string) *geometry.Transform { return s.examiner.Transform() }

// Size returns the size of the last row's image as its file says; 0 if the file is not read.
func (s *scanner) Size() (width, height int) { return s.examiner.Size() }

// KeepFiles implements [input.Converter].
func (s *scanner) KeepFiles() {
	s.keeps = true
	s.examiner.KeepFiles()
}

// Measure implements [Measurer].
func (s *scanner) Measure(m *convert.Meter) { s.examiner.Measure(m) }

func (s *scanner) Scan(file int, _ int64, _ []byte, vals []schema.Value) (n int, err error) {
	var content []byte
	var examined *Examined
	if s.namesOnly {
		err = s.Names(file)
	} else if content, err = s.Read(file); err == nil && !(s.keeps && s.bytesOnly) {
		if examined, err = s.examiner.Examine(content, s.Name(file)); err == nil {
			examined.digest = s.Digest
		}
	}
	if err != nil {
		return 0, err
	}
	for _, w := range s.columns {
		if name, is := imageColumn(w.Name); is && name == "" && s.keeps {
			vals[w.Slot] = schema.Value{Kind: schema.Bytes, Text: content}
		} else if is {
			s.Strings, vals[w.Slot] = examined.AppendColumn(s.Strings, name)
		} else {
			vals[w.Slot] = s.Column(w.Name, file)
		}
	}
	return 0, nil
}
