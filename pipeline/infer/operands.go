package infer

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"tfr-build/internal/store"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// mostOperands is how many files a range of names stands for at most.
const mostOperands = 100_000

// operandRange is a range in a name, as WebDataset writes its shards: {000..010}.
var operandRange = regexp.MustCompile(`\{([0-9]{1,9})\.\.([0-9]{1,9})\}`)

// operands are the paths with what their patterns and ranges stand for. A path that exists
// stands for itself.
func operands(ctx context.Context, sys *files.System, paths []string) (list []string, err error) {
	for _, path := range paths {
		abs, err := store.Abs(path)
		if err != nil {
			return nil, &input.Error{Path: path, Err: err}
		}
		if _, err := sys.IsDir(abs); err == nil || !files.HasWildcard(path) && !operandRange.MatchString(path) {
			list = append(list, path)
			continue
		}
		names, err := inRange(path, nil)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if list, err = appendFitting(ctx, sys, list, name); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// inRange appends the names that the ranges of a path stand for.
func inRange(path string, list []string) ([]string, error) {
	at := operandRange.FindStringSubmatchIndex(path)
	if at == nil {
		return append(list, path), nil
	}
	low, high := path[at[2]:at[3]], path[at[4]:at[5]]
	first, _ := strconv.Atoi(low) // which are digits, few enough
	last, _ := strconv.Atoi(high)
	if first > last || last-first >= mostOperands-len(list) {
		return nil, &input.FitError{Path: path, Text: fmt.Sprintf("found the range %s, expected an ascending one of at most %d names", path[at[0]:at[1]], mostOperands)}
	}
	width := 0
	if strings.HasPrefix(low, "0") {
		width = len(low)
	}
	for i := first; i <= last; i++ {
		var err error
		if list, err = inRange(path[:at[0]]+fmt.Sprintf("%0*d", width, i)+path[at[1]:], list); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// appendFitting appends the files that fit a pattern, or a path without a wildcard.
func appendFitting(ctx context.Context, sys *files.System, list []string, pattern string) ([]string, error) {
	if !files.HasWildcard(pattern) {
		return append(list, pattern), nil
	}
	abs, err := store.Abs(pattern)
	if err == nil {
		err = files.CheckPattern(abs)
	}
	if err != nil {
		return nil, &input.Error{Path: pattern, Err: err}
	}
	found, _, err := sys.Expand(ctx, abs)
	switch {
	case err != nil:
		return nil, &input.Error{Path: pattern, Err: err}
	case len(found) == 0:
		return nil, &input.FitError{Path: pattern, Text: "found no file that fits the pattern, expected at least one"}
	}
	for _, f := range found {
		if f.Err != nil {
			return nil, &input.Error{Path: f.Path, Err: f.Err}
		}
		list = append(list, f.Path)
	}
	return list, nil
}
