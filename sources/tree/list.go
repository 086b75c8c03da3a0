package tree

import (
	"context"
	"strings"

	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// list lists the files below spec.Dir in byte order of their names.
func list(ctx context.Context, spec *Spec, env *input.Env) (*files.Tree, error) {
	walk := &files.Walk{Dir: spec.Dir, Include: spec.Include, Exclude: spec.Exclude, FollowLinks: spec.FollowLinks, Workers: env.Workers}
	if !spec.Extensions.Any {
		walk.Extensions = map[string]bool{}
		for _, e := range spec.Extensions.List {
			walk.Extensions[strings.ToLower(strings.TrimPrefix(e, "."))] = true
		}
	}
	all, err := env.Files.Walk(ctx, walk)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, &input.Error{Path: spec.Dir, Err: err}
	case len(all.Denied) > 0:
		return nil, input.Denied(all.Denied)
	}
	return all, nil
}
