package tar

import (
	"context"
	"sync"

	"tfr-build/sources/column"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
	"tfr-build/sources/table"
)

// Options are the keys of the kind `tar`, of a source or a side table.
type Options struct {
	Files      input.Files `yaml:"files" required:"yes" doc:"File, pattern, or list of patterns." example:"'shards/*.tar'"`
	Root       string      `yaml:"root" is:"path" doc:"Directory that row addresses are relative to. Default: the part of the pattern before its first wildcard." example:"data"`
	AllowEmpty bool        `yaml:"allow_empty" default:"false" doc:"Accepts a source without rows. Default: false."`
}

// Patterns are those of the files.
func (o *Options) Patterns() []string { return o.Files.Patterns }

// EmptyAllowed reports whether no row at all is no fault.
func (o *Options) EmptyAllowed() bool { return o.AllowEmpty }

// Known are the columns of a row's key. Others only members tell, but for what their
// extensions say.
func (o *Options) Known() *column.Set {
	set := column.NewSet(column.Column{From: "the archives"})
	set.Add(column.Column{From: "the key", Origin: true}, keyColumn, stemColumn).
		Add(column.Column{From: "the key", Weak: true}, classColumn)
	set.Open, set.Nested, set.Lists, set.Like = true, true, true, like
	return set
}

// Open lists the files.
func (o *Options) Open(ctx context.Context, env *input.Env) (input.Input, error) {
	in := &tarInput{sys: env.Files, options: o, limits: env.Limits}
	var err error
	in.Files, err = table.List(ctx, &table.Spec{Files: o.Files, Root: o.Root, AllowEmpty: o.AllowEmpty}, env, in)
	return in, err
}

// A tarInput is archives. It is their table.Finder, too.
type tarInput struct {
	*table.Files
	sys     *files.System
	options *Options
	limits  input.Limits
	read    bool      // the heads
	texts   sync.Pool // of *[]byte: memory for the texts of rows, of readers that are closed
}

// Columns are those that members turn out to have.
func (in *tarInput) Columns() *column.Set { return in.options.Known() }

// Remarks are sentences about the listing, and about members that are in no row.
func (in *tarInput) Remarks(skipped int64) []string {
	return input.AppendRemark(in.Files.Remarks(0), int(skipped), "member", "without a key or an extension, in no row")
}
