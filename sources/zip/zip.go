package zip

import (
	"context"

	"tfr-build/pixels/convert"
	"tfr-build/sources/column"
	"tfr-build/sources/files"
	"tfr-build/sources/images"
	"tfr-build/sources/input"
	"tfr-build/sources/table"
	"tfr-build/sources/tree"
)

// Options are the keys of the source type `zip`, for a source or a lookup table.
type Options struct {
	input.Files `yaml:"files" required:"yes" doc:"File, pattern, or list of patterns." example:"photos.zip"`
	input.Rooted
	Extensions input.Extensions `yaml:"extensions" default:"any" doc:"File name extensions that are read, in any case. Default: any." example:"[wav, mp3]"`
	input.Selection
	Convert *convert.Spec `yaml:"convert" doc:"Conversion of members that are images. Default: bytes are kept." example:"{resize: {short: 256}, format: jpeg}"`
	input.MayBeEmpty
}

// Check reports combinations of keys that are invalid. See [convert.Spec.Check] for valid and
// report.
func (o *Options) Check(valid func(keys ...string) bool, report func(key, hint, text string)) {
	images.CheckConvert("convert", o.Convert, valid, report)
}

// Conversions returns the conversion of members, if there is one.
func (o *Options) Conversions() []images.Conversion {
	return images.ConversionOf(imageColumn, o.Convert)
}

// contentColumn has all bytes of a member.
const contentColumn = "content"

// Known returns the columns of every member, and the columns of an image.
func (o *Options) Known() *column.Set {
	set := column.NewSet(column.Column{From: "the archive", Type: "bytes", Content: true}, contentColumn)
	for _, c := range images.Columns(o.Convert) {
		c.From = "the archive"
		set.Add(c, imageColumn+c.Name)
	}
	return tree.AddNames(set)
}

// Open lists the files.
func (o *Options) Open(ctx context.Context, env *input.Env) (input.Input, error) {
	in := &zipInput{options: o, limits: env.Limits}
	return in, in.List(ctx, o, env, nil)
}

// A zipInput is an opened input of archives.
type zipInput struct {
	table.Files
	options  *Options
	limits   input.Limits
	archives [][]member // by file: the members that are rows, sorted by offset; nil before ReadHeads
	skipped  files.Skipped
}

// Remarks returns warnings about the listing, and about members that are not rows.
func (in *zipInput) Remarks(int64) []input.Warning {
	members := input.Listing{Skipped: in.skipped}
	list := input.AppendRemark(in.Files.Remarks(0), in.skipped.Hidden, "hidden file", "skipped", "")
	return append(list, members.Skips()...)
}
