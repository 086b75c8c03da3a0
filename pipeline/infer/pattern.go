package infer

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/internal/store"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// bySplit groups files by the splits in their names: train comes first, test last.
func bySplit(all []found) (groups [][]found) {
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b found) int { return a.order() - b.order() })
	for i, f := range sorted {
		if i == 0 || f.split != sorted[i-1].split {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], f)
	}
	return groups
}

// pathsOf returns the paths of files.
func pathsOf(all []found) (paths []string) {
	for _, f := range all {
		paths = append(paths, f.path)
	}
	return paths
}

// matchesOf returns what files are.
func matchesOf(all []found) (list []input.Match) {
	for _, f := range all {
		list = append(list, f.match)
	}
	return list
}

// order returns the position of the split among all.
func (f found) order() int { return slices.Index(splitWords, f.split) }

// byForm divides files into groups that one source can read: each is of one split, and written in one way.
func byForm(typ *sourceType, all []found) (list [][]found) {
	switch {
	case typ.Parts != nil:
		for _, g := range bySplit(all) {
			list = append(list, byFile(g)...)
		}
		return list
	case typ.Divide == nil:
		return bySplit(all)
	}
	for _, same := range typ.Divide(matchesOf(all)) {
		var files []found
		for _, i := range same {
			files = append(files, all[i])
		}
		list = append(list, bySplit(files)...)
	}
	slices.SortStableFunc(list, func(a, b []found) int { return a[0].order() - b[0].order() })
	return list
}

// relative returns a path as it is written in the config.
func (d *draft) relative(path string) string {
	return store.Way(d.dir, path)
}

// checkNames returns an error for input whose name is not UTF-8: neither a config nor a feature of
// strings can have it.
func (d *draft) checkNames() error {
	paths := pathsOf(d.files)
	for _, t := range d.trees {
		paths = append(paths, t.paths()...)
	}
	for _, path := range paths {
		name := d.relative(path)
		if at := strings.IndexByte(strings.ToValidUTF8(name, "\x00"), 0); at >= 0 {
			return &input.MismatchError{
				Path: path, Code: "UTF8_INVALID",
				Text: fmt.Sprintf("found byte 0x%02x in the name, expected UTF-8", name[at]),
				Hint: "rename it; convmv -f latin1 -t utf8 --notest does so for names in Latin-1",
			}
		}
	}
	return nil
}

// filePattern returns the key `files`: one path, a pattern that matches no other files, or a list
// of all files.
func (d *draft) filePattern(ctx context.Context, all []found) ([]line, error) {
	paths, wildcard := pathsOf(all), "" // a path that is a pattern to a config
	for _, p := range paths {
		if files.HasWildcard(p) {
			wildcard = p
		}
	}
	if len(paths) == 1 && wildcard == "" {
		return []line{bare("files: " + scalar(d.relative(paths[0])))}, nil
	}
	for _, pattern := range patternsOf(paths) {
		found, _, err := d.Expand(ctx, pattern)
		if err != nil {
			return nil, err
		}
		fits := func(f files.Found, path string) bool { return f.Path == path }
		if slices.Sort(paths); slices.EqualFunc(found, paths, fits) {
			return []line{entry("files: "+scalar(d.relative(pattern)), plural.Of(len(paths), "file"))}, nil
		}
	}
	if wildcard != "" {
		return nil, &input.MismatchError{Path: wildcard, Hint: "rename it",
			Text: "a name with *, ? or [ is a pattern to a config"}
	}
	lines := []line{bare("files:")}
	for _, p := range paths {
		lines[0].items = append(lines[0].items, []line{bare(scalar(d.relative(p)))})
	}
	if slices.ContainsFunc(paths, func(p string) bool { return strings.HasPrefix(d.relative(p), "../") }) {
		lines = append(lines, bare("root: "+scalar(d.relative(commonDir(paths)))))
	}
	return lines, nil
}

// partitionKeys returns the directories in the paths of all files, below one that all are in, that have the form
// KEY=VALUE, as Hive and Spark name partitions, with placeholders for the values; nil if they differ.
func partitionKeys(all []found) (keys []string) {
	var dirs []string
	for _, f := range all {
		dirs = append(dirs, store.Dir(f.path))
	}
	top := commonDir(dirs)
	for i, dir := range dirs {
		var own []string
		for _, level := range strings.Split(strings.TrimPrefix(dir, top), "/") {
			if key, _, is := strings.Cut(level, "="); is && input.Operand(key) == key {
				own = append(own, key+"={"+key+"}")
			}
		}
		if i > 0 && !slices.Equal(own, keys) || len(unique(own)) < len(own) {
			return nil
		}
		keys = own
	}
	return keys
}

// commentedPath begins the commented step that makes columns of paths.
const commentedPath = "# from_path: "

// namePattern returns a pattern of paths with columns for the directories in which files differ, and for names that
// differ in more than digits; empty if all are alike.
func namePattern(all []found) string {
	paths := pathsOf(all)
	dir, end := commonDir(paths)+"/", path.Ext(paths[0])
	levelsOf := func(p string) []string { return strings.Split(strings.TrimPrefix(p, dir), "/") }
	first := levelsOf(paths[0])
	last := len(first) - 1
	pattern := slices.Repeat([]string{"*"}, len(first))
	for _, p := range paths {
		levels := levelsOf(p)
		if len(levels) != len(first) {
			return "**/{from_directory}/*"
		}
		if path.Ext(p) != end {
			end = ""
		}
		for i := range last {
			if levels[i] != first[i] && pattern[i] == "*" {
				pattern[i] = directoryColumn("from_directory", i)
			}
		}
		if digits.ReplaceAllString(levels[last], "") != digits.ReplaceAllString(first[last], "") {
			pattern[last] = "{from_file}"
		}
	}
	if pattern[last] != "*" {
		pattern[last] += end
	}
	if joined := strings.Join(pattern, "/"); braces.MatchString(joined) {
		return "**/" + joined
	}
	return ""
}

// directoryColumn returns the column of a level of directories in a pattern.
func directoryColumn(name string, at int) string {
	if at > 0 {
		name += fmt.Sprint("_", at+1)
	}
	return "{" + name + "}"
}

// digits matches numbers in names.
var digits = regexp.MustCompile(`[0-9]+`)

// patternsOf returns patterns that may match exactly the paths, the best first.
func patternsOf(paths []string) []string {
	dir, ext := commonDir(paths), path.Ext(paths[0])
	begin, end := base(paths[0]), base(paths[0])
	for _, p := range paths[1:] {
		for !strings.HasPrefix(base(p), begin) {
			begin = begin[:len(begin)-1]
		}
		for !strings.HasSuffix(base(p), end) {
			end = end[1:]
		}
		if path.Ext(p) != ext {
			ext = ""
		}
	}
	begin, end = strings.TrimRight(begin, "0123456789"), strings.TrimLeft(end, "0123456789")
	if len(begin)+len(end) > len(base(paths[0])) {
		end = ""
	}
	within := dir + "/" // without **: the output must not be below that
	for range strings.Count(paths[0], "/") - strings.Count(within, "/") {
		within += "*/"
	}
	return []string{within + "*" + ext, within + begin + "*" + end}
}
