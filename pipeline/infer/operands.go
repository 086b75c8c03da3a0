package infer

import (
	"context"

	"tfr-build/internal/store"
	"tfr-build/pipeline/config"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// operands returns the absolute paths of inputs. It expands the patterns in paths, and ranges such as {000..010}, as
// the names of WebDataset's shards have. A path that exists is used as it is.
func operands(ctx context.Context, sys *files.System, paths []string) (list []string, err error) {
	for _, path := range paths {
		abs, err := store.Abs(path)
		if err != nil {
			return nil, &input.Error{Path: path, Err: err}
		}
		if _, err := sys.IsDir(abs); err == nil {
			list = append(list, abs)
			continue
		}
		names, problem := config.ExpandRange(abs)
		if problem != "" {
			return nil, &input.MismatchError{Path: path, Text: problem}
		}
		for _, name := range names {
			if !files.HasWildcard(name) {
				list = append(list, name)
				continue
			}
			matching, _, err := sys.Expand(ctx, name)
			switch {
			case err != nil:
				return nil, &input.Error{Path: name, Err: err}
			case len(matching) == 0:
				return nil, &input.MismatchError{Path: name,
					Text: "found no file that fits the pattern, expected at least one"}
			}
			for _, f := range matching {
				if f.Err != nil {
					return nil, &input.Error{Path: f.Path, Err: f.Err}
				}
				list = append(list, f.Path)
			}
		}
	}
	return list, nil
}
