package arrays

import (
	"context"
	"slices"
	"strings"
	"sync"

	"tfr-build/sources/column"
	"tfr-build/sources/input"
)

// Options are the config keys of the source type `arrays`.
type Options struct {
	Columns input.ColumnFiles `yaml:"columns" required:"yes" doc:"Columns and their .npy, .npz, or IDX files. A member of an .npz follows a #." example:"{image: 'mnist.npz#x_train', label: 'mnist.npz#y_train'}"`
	Rows    input.RowRange    `yaml:"rows" doc:"First row and the row after the last one. Default: all rows." example:"[0, 5000]"`
}

// Known returns the columns by name. Their types and shapes are in the files.
func (o *Options) Known() *column.Set {
	set := column.NewSet(column.Column{From: "arrays"})
	for _, c := range o.Columns {
		set.Add(column.Column{From: "arrays", Array: true}, c.Column)
	}
	return set
}

// FilePatterns returns the paths of the files.
func (o *Options) FilePatterns() []string {
	var list []string
	for _, c := range o.Columns {
		path, _ := cutMember(c.File)
		list = append(list, path)
	}
	return list
}

// cutMember splits off the name of a member. It follows the # after `.npz`, or else the last #. If
// a path has a # itself, another # at its end marks that it has no member.
func cutMember(path string) (file, member string) {
	const archive = ".npz#" // a member's name after it may contain a #
	if i := strings.LastIndex(path, archive); i >= 0 && !strings.HasSuffix(path, "#") {
		return path[:i+len(archive)-1], path[i+len(archive):]
	}
	if i := strings.LastIndexByte(path, '#'); i >= 0 {
		return path[:i], path[i+1:]
	}
	return path, ""
}

// Open lists the files and returns them as an input. The first column's file, which has all rows,
// comes first.
func (o *Options) Open(_ context.Context, env *input.Env) (input.Input, error) {
	in := &arraysInput{options: o, limit: env.Limits.Record}
	in.verifyStored = sync.OnceValue(in.checkStored)
	var paths []string
	for _, c := range o.Columns {
		path, member := cutMember(c.File)
		path = env.Resolve(path)
		k := slices.Index(paths, path)
		if k < 0 {
			k = len(paths)
			paths = append(paths, path)
		}
		in.arrays = append(in.arrays, array{column: c.Column, file: k, member: member})
	}
	in.files = make([]file, len(paths))
	return in, in.ListPaths(paths, env)
}
