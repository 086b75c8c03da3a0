package arrays

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"tfr-build/sources/column"
	"tfr-build/sources/input"
)

// Options are the keys of the kind `arrays`.
type Options struct {
	Columns input.ColumnFiles `yaml:"columns" required:"yes" doc:"columns and their files; of an .npz one of several members behind a #"`
	Rows    input.RowRange    `yaml:"rows" doc:"the first row, and the one after the last: [0, 5000]"`
}

// Known are the columns by name. Their files tell the rest.
func (o *Options) Known() *column.Set {
	set := column.NewSet(column.Column{From: "arrays"})
	for _, c := range o.Columns {
		set.Add(column.Column{From: "arrays", Array: true}, c.Column)
	}
	return set
}

// Patterns are the paths of the files.
func (o *Options) Patterns() []string {
	var list []string
	for _, c := range o.Columns {
		path, _ := cutMember(c.File)
		list = append(list, path)
	}
	return list
}

// cutMember cuts the name of a member from a path. What follows the last # is one;
// a path that holds a # itself ends with another.
func cutMember(path string) (file, member string) {
	if i := strings.LastIndexByte(path, '#'); i >= 0 {
		return path[:i], path[i+1:]
	}
	return path, ""
}

// Open lists the files: that of the first column, whose rows are all rows, then
// the others.
func (o *Options) Open(_ context.Context, env *input.Env) (input.Input, error) {
	in := &arraysInput{options: o, limit: env.Limits.Record}
	in.sound = sync.OnceValue(in.checkStored)
	for _, c := range o.Columns {
		path, member := cutMember(c.File)
		path = env.Resolve(path)
		file := slices.IndexFunc(in.files, func(f file) bool { return f.path == path })
		if file < 0 {
			file = len(in.files)
			in.files = append(in.files, newFile(path))
		}
		in.arrays = append(in.arrays, array{column: c.Column, file: file, member: member})
	}
	if env.Listed != nil {
		in.listing = *env.Listed
		return in, nil
	}
	return in, in.list()
}

// list looks at the files, and reads nothing of them.
func (in *arraysInput) list() error {
	var denied []error
	for i := range in.files {
		path := in.files[i].path
		f, _, err := input.StatReadable(filepath.Base(path), path)
		if err != nil {
			denied = append(denied, &input.Error{Path: path, Err: err})
			continue
		}
		in.listing.Files, in.listing.Paths = append(in.listing.Files, f), append(in.listing.Paths, path)
	}
	if len(denied) > 0 {
		return input.Denied(denied)
	}
	in.listing.Label, in.listing.Inputs = in.files[0].path, in.listing.Paths
	return nil
}
