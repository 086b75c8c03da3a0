package parquet

import (
	"context"
	"slices"

	"tfr-build/pixels/convert"
	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/images"
	"tfr-build/sources/input"
)

// Options are the keys of the source type `parquet`, in a source or a lookup table.
type Options struct {
	input.Files `yaml:"files" required:"yes" doc:"File, pattern, or list of patterns." example:"'data/*.parquet'"`
	input.Rooted
	Image   string        `yaml:"image" is:"column" doc:"Column of encoded images: bytes, or a struct with bytes and path." example:"image"`
	Convert *convert.Spec `yaml:"convert" doc:"Conversion of the images in image. Default: bytes are kept." example:"{resize: {short: 256}, format: jpeg}"`
	input.MayBeEmpty
}

// Check reports combinations of keys that are invalid. See [convert.Spec.Check] for valid and
// report.
func (o *Options) Check(valid func(keys ...string) bool, report func(key, hint, text string)) {
	if o.Convert != nil && o.Image == "" && valid("convert", "image") {
		report("convert", "image: COLUMN", "convert is for the images in image; expected image")
		return
	}
	images.CheckConvert("convert", o.Convert, valid, report)
}

// Conversions returns the conversion of the images, if there is one.
func (o *Options) Conversions() []images.Conversion { return images.ConversionOf("image", o.Convert) }

// Known returns the columns that are known without reading a file: the columns of the image. The
// set is open, because only the files have the other columns and their types.
func (o *Options) Known() *column.Set {
	set := column.NewSet(column.Column{})
	o.addImage(set, false)
	set.Open, set.Nested, set.Lists, set.Typed = true, true, true, true
	return set
}

// addImage adds the columns that are derived from the image column, if there is one. Only the files tell whether rows
// have lists of images, so they give the shape, as of an array.
func (o *Options) addImage(set *column.Set, isList bool) {
	if o.Image == "" {
		return
	}
	for _, c := range images.Columns(o.Convert) {
		if c.From, c.Array = "images", true; isList {
			c = c.InList()
		}
		set.Add(c, "image"+c.Name)
	}
}

// Open lists the files.
func (o *Options) Open(ctx context.Context, env *input.Env) (input.Input, error) {
	in := &parquetInput{options: o, limits: env.Limits}
	return in, in.List(ctx, o, env, nil)
}

// imageLeaves returns the leaves with the image's bytes and with its path, or the leaves of a list of images. path is
// -1 if the files do not store one.
func (o *Options) imageLeaves(s *shape) (bytes, path int, err *input.MismatchError) {
	isBytes := func(i int, ok bool) bool { return ok && len(s.leaves[i].lists) <= 1 && s.leaves[i].isBytes() }
	if i, ok := s.byName[o.Image]; isBytes(i, ok) {
		return i, -1, nil
	}
	for _, of := range []string{o.Image, o.Image + ".*"} {
		i, ok := s.byName[of+".bytes"]
		if !isBytes(i, ok) {
			continue
		}
		if path, ok = s.byName[of+".path"]; !ok || s.leaves[path].kind != utf8String {
			path = -1
		}
		return i, path, nil
	}
	return 0, 0, input.Mismatch(input.MissingColumn,
		"no column %s of images; expected bytes, a struct of bytes and path, or a list of these",
		schema.Quote(o.Image))
}

// hasList reports whether the image column has lists.
func (o *Options) hasList(s *shape) bool {
	bytes, _, err := o.imageLeaves(s)
	return err == nil && len(s.leaves[bytes].lists) > 0
}

// isBytes reports whether the values are byte arrays or strings.
func (f *leaf) isBytes() bool { return f.kind == rawBytes || f.kind == utf8String }

// Columns returns the columns of all files, with their types.
func (in *parquetInput) Columns() *column.Set {
	set := column.NewSet(column.Column{})
	in.options.addImage(set, slices.ContainsFunc(in.shapes, in.options.hasList))
	set.Nested, set.Lists, set.Typed = true, true, true
	for _, s := range in.shapes {
		for i := range s.leaves {
			f := &s.leaves[i]
			if _, there := set.Known(f.name); !there {
				set.Add(in.describe(f), f.name)
			}
		}
	}
	set.Advise = in.advise
	return set
}

// describe returns the properties of a column. Its type and shape are set only if they are equal
// in all files.
func (in *parquetInput) describe(f *leaf) column.Column {
	c := column.Column{From: "parquet", Type: f.typ, Depth: len(f.lists), Array: len(f.lists) < 2}
	if len(f.lists) > 0 {
		c.Shape, c.List = []int{-1}, true
	}
	for _, s := range in.shapes {
		i, ok := s.byName[f.name]
		if ok && (s.leaves[i].typ != f.typ || len(s.leaves[i].lists) != len(f.lists)) {
			c.Type, c.Shape, c.Array = "", nil, false
		}
		c.Again = c.Again || ok && s.leaves[i].again
	}
	return c
}

// advise explains that a name is not a column because it is a struct, and lists the struct's
// fields.
func (in *parquetInput) advise(name string) (text, hint string) {
	for _, s := range in.shapes {
		if !s.groups[name] {
			continue
		}
		var fields []string
		for i := range s.leaves {
			if f := s.leaves[i].name; len(f) > len(name) && f[:len(name)+1] == name+"." {
				fields = append(fields, f)
			}
		}
		slices.Sort(fields)
		return "it is a struct; its fields: " + input.NameList(fields), in.structHint(name, fields)
	}
	return "", ""
}

// structHint returns the key that reads a struct: of an image, or of a single field.
func (in *parquetInput) structHint(name string, fields []string) string {
	switch {
	case in.options.Image == "" && slices.Contains(fields, name+".bytes") && name == "image":
		return "image: image in source.parquet"
	case in.options.Image == "" && slices.Contains(fields, name+".bytes"):
		return "image: " + name + " in source.parquet, and from: image"
	case len(fields) == 1:
		return "from: " + fields[0]
	}
	return ""
}
