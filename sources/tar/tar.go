package tar

import (
	"context"
	"sync"

	"tfr-build/sources/column"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/sources/table"
)

// Options are the keys of the source type `tar`, for a source or a lookup table.
type Options struct {
	Files      input.Files `yaml:"files" required:"yes" doc:"File, pattern, or list of patterns." example:"'shards/*.tar'"`
	Root       string      `yaml:"root" is:"path" doc:"Directory that row addresses are relative to. Default: the part of the pattern before its first wildcard." example:"data"`
	AllowEmpty bool        `yaml:"allow_empty" default:"false" doc:"Accepts a source without rows. Default: false."`
}

// Patterns returns the patterns of the files.
func (o *Options) Patterns() []string { return o.Files.Patterns }

// EmptyAllowed reports whether the input may have no rows.
func (o *Options) EmptyAllowed() bool { return o.AllowEmpty }

// Known returns the columns of a row's key. Only members have the others, except for what their
// extensions show.
func (o *Options) Known() *column.Set {
	set := column.NewSet(column.Column{From: "the archives"})
	set.Add(column.Column{From: "the key", Origin: true}, keyColumn, stemColumn).
		Add(column.Column{From: "the key", Weak: true}, classColumn)
	set.Open, set.Nested, set.Lists, set.Like = true, true, true, likelyColumn
	return set
}

// Open lists the files.
func (o *Options) Open(ctx context.Context, env *input.Env) (input.Input, error) {
	in := &tarInput{sys: env.Files, options: o, limits: env.Limits}
	var err error
	in.Files, err = table.List(ctx, &table.Spec{Files: o.Files, Root: o.Root, AllowEmpty: o.AllowEmpty}, env, in)
	return in, err
}

// A tarInput is an opened input of archives. It is also their table.Finder.
type tarInput struct {
	*table.Files
	sys     *files.System
	options *Options
	limits  input.Limits
	read    bool      // ReadHeads is done
	texts   sync.Pool // *[]byte: memory for the texts of rows, from readers that are closed
}

// Columns returns the columns that are known without reading members.
func (in *tarInput) Columns() *column.Set { return in.options.Known() }

// Remarks returns sentences about the listing, and about members that are in no row.
func (in *tarInput) Remarks(skipped int64) []string {
	return input.AppendRemark(in.Files.Remarks(0), int(skipped), "member", "without a key or an extension, in no row")
}
