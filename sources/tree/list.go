package tree

import (
	"context"
	"strings"

	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// list lists the files below spec.Dir in byte order of their names.
func list(ctx context.Context, spec *Spec, env *input.Env) (*files.Tree, error) {
	walk := spec.Walk()
	walk.Workers = env.Workers
	return input.Walk(ctx, env.Files, walk)
}

// Walk returns the selection of files of spec.
func (s *Spec) Walk() *files.Walk {
	walk := &files.Walk{Dir: s.Dir, Include: s.Include, Exclude: s.Exclude, FollowLinks: s.FollowLinks}
	if !s.Extensions.Any {
		walk.Extensions = map[string]bool{}
		for _, e := range s.Extensions.List {
			walk.Extensions[strings.ToLower(strings.TrimPrefix(e, "."))] = true
		}
	}
	return walk
}
