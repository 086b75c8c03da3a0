package tar

import (
	"context"
	"strconv"
	"strings"
	"sync"

	"tfr-build/internal/tarfile"
	"tfr-build/pixels/convert"
	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/images"
	"tfr-build/sources/input"
	"tfr-build/sources/table"
)

// Options are the keys of the source type `tar`, for a source or a lookup table.
type Options struct {
	input.Files `yaml:"files" required:"yes" doc:"File, pattern, or list of patterns." example:"'shards/*.tar'"`
	input.Rooted
	Convert Conversions `yaml:"convert" doc:"Conversions of members that are images, by their extensions. Default: bytes are kept." example:"{jpg: {resize: {short: 256}}}"`
	input.MayBeEmpty
}

// Conversions are conversions of images, in the order of the config.
type Conversions []Conversion

// A Conversion converts the images with an extension.
type Conversion struct {
	Extension string
	Spec      *convert.Spec
}

// key returns the path of the conversion's key below the options.
func (c *Conversion) key() string {
	if strings.Contains(c.Extension, ".") {
		return "convert[" + strconv.Quote(c.Extension) + "]"
	}
	return "convert." + c.Extension
}

// Check reports combinations of keys that are invalid. See [convert.Spec.Check] for valid and
// report.
func (o *Options) Check(valid func(keys ...string) bool, report func(key, hint, text string)) {
	for i := range o.Convert {
		c := &o.Convert[i]
		if !isImage(c.Extension) && valid("convert", c.key()) {
			report(c.key(), "", "found the extension "+strconv.Quote(
				c.Extension)+"; expected one of images, such as jpg or seg.png")
			continue
		}
		images.CheckConvert(c.key(), c.Spec, valid, report)
	}
}

// Conversions returns the conversion of the members with each extension.
func (o *Options) Conversions() (list []images.Conversion) {
	for i := range o.Convert {
		c := &o.Convert[i]
		list = append(list, images.Conversion{Key: c.key(), Column: c.Extension, Spec: c.Spec})
	}
	return list
}

// conversion returns the conversion of the members with an extension, or nil.
func (o *Options) conversion(ext string) *convert.Spec {
	for _, c := range o.Convert {
		if c.Extension == ext {
			return c.Spec
		}
	}
	return nil
}

// Known returns the columns of a row's key. Only members have the others, except for what their
// extensions show.
func (o *Options) Known() *column.Set {
	set := column.NewSet(column.Column{From: "the archives"})
	set.Add(column.Column{From: "the key", Origin: true}, keyColumn, stemColumn).
		Add(column.Column{From: "the key", Weak: true}, classColumn)
	set.Open, set.Nested, set.Lists, set.Like = true, true, true, o.likelyColumn
	return set
}

// Open lists the files.
func (o *Options) Open(ctx context.Context, env *input.Env) (input.Input, error) {
	in := &tarInput{options: o, limits: env.Limits}
	return in, in.List(ctx, o, env, in)
}

// A tarInput is an opened input of archives. It is also their table.Finder.
type tarInput struct {
	table.Files
	options *Options
	limits  input.Limits
	texts   sync.Pool // *[]byte: memory for the bytes of rows, from readers that are closed
}

// Remarks returns warnings about the listing, and about members that are in no row.
func (in *tarInput) Remarks(skipped int64) []input.Warning {
	return input.AppendRemark(in.Files.Remarks(0), int(skipped), "member", "without a key or an extension, in no row",
		"")
}

// newGrouper returns a grouper of the rows of an archive.
func newGrouper(limits input.Limits) tarfile.Grouper {
	return tarfile.Grouper{
		MaxBytes: int64(limits.Record), MaxMembers: limits.Columns,
		Long: func(bytes int64, members int) *schema.RowError {
			if bytes > int64(limits.Record) {
				return input.LongFile(bytes, limits.Record)
			}
			return schema.RowErrorf("LIMIT_COLUMNS", -1, "%d members of one key are more than limits.columns, %d",
				members, limits.Columns)
		},
	}
}
