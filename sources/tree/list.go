package tree

import (
	"strings"

	"tfr-build/sources/files"
)

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
