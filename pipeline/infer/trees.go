package infer

import (
	"maps"
	"slices"
	"strings"

	"tfr-build/internal/plural"
)

// addTreeSources adds the sources of directories whose files are rows.
func (d *draft) addTreeSources(f *findings) error {
	var all []tree
	for _, t := range f.trees {
		all = append(all, t.bySplit()...)
	}
	for _, t := range all {
		s := source{}
		if len(all) > 1 {
			s.split = splitOf(base(t.dir))
			s.name = d.nameOf(t.dir)
		}
		dir, names := t.strip()
		s.keys = append(s.keys, line{"dir: " + scalar(d.relative(dir)), plural.Of(len(names), "file")})
		if t.exts != "" {
			note := "most files are such"
			if len(f.typ.MoreExtensions) > 0 {
				note = "some are not in the default"
			}
			s.keys = append(s.keys, line{"extensions: " + t.exts, note})
		}
		pattern, hasSplit := pathPattern(names)
		if patterns, files := unlabeled(names, pattern); files > 0 {
			s.keys = append(s.keys, line{"exclude: " + list(patterns), plural.Of(files, "file") + " without a class"})
		}
		if t.images != nil {
			pattern = t.images.addLevels(pattern, dir)
		}
		if pattern != "" {
			s.steps = append(s.steps, line{"from_path: " + quoted(pattern), "the directories say so"})
			if hasSplit {
				d.split = []line{{text: "split:"}, {"  column: split", "directories are " + strings.Join(levelNames(names, strings.HasPrefix(pattern, "{split}")), ", ")}}
			}
		}
		if t.images != nil {
			s.steps = append(s.steps, t.images.load("stem", pattern, dir, d.relative)...)
		}
		if t.boxes != nil && (!t.boxes.bySplit || strings.HasPrefix(pattern, "{split}")) {
			s.steps = append(s.steps, t.boxes.join(d.types.lineType(), d.relative)...)
			d.boxes = t.boxes
		}
		d.list = append(d.list, s)
	}
	if slices.ContainsFunc(d.list, func(s source) bool { return s.split == "" }) {
		for i := range d.list {
			d.list[i].split = ""
		}
	}
	return nil
}

// bySplit returns the directories in a tree as trees, if the name of each has a split and more
// words, such as Split-train. Otherwise it returns the tree.
func (t *tree) bySplit() (list []tree) {
	dir, names := t.strip()
	splits := map[string]bool{}
	plain := true
	for _, n := range names {
		first, rest, deeper := strings.Cut(n, "/")
		split := splitOf(first)
		if !deeper || split == "" {
			return []tree{*t}
		}
		splits[split], plain = true, plain && isSplitWord(first)
		if k := len(list) - 1; k < 0 || list[k].dir != dir+"/"+first {
			list = append(list, tree{dir: dir + "/" + first, exts: t.exts, images: t.images, boxes: t.boxes.ofSplit(first)})
		}
		last := &list[len(list)-1]
		last.names = append(last.names, rest)
	}
	if plain || len(splits) < 2 {
		return []tree{*t}
	}
	slices.SortStableFunc(list, func(a, b tree) int { return splitOrder(splitOf(base(a.dir))) - splitOrder(splitOf(base(b.dir))) })
	return list
}

// strip returns the deepest directory that contains all files, except that a class or a split
// stays.
func (t *tree) strip() (dir string, names []string) {
	dir, names = t.dir, t.names
	for {
		first, _, deeper := strings.Cut(names[0], "/")
		if !deeper || isSplitWord(first) || slices.ContainsFunc(names, func(n string) bool { return !strings.HasPrefix(n, first+"/") }) {
			return dir, names
		}
		second := strings.TrimPrefix(names[0], first+"/")
		if !strings.Contains(second, "/") {
			return dir, names // one class
		}
		stripped := make([]string, len(names))
		for i, n := range names {
			stripped[i] = strings.TrimPrefix(n, first+"/")
		}
		dir, names = dir+"/"+first, stripped
	}
}

// pathPattern returns the pattern for paths with directories named after splits. It is empty if the
// first directory is the class.
func pathPattern(names []string) (pattern string, hasSplit bool) {
	deep := 1 << 30
	first, second := true, true
	for _, n := range names {
		levels := strings.Split(n, "/")
		deep = min(deep, len(levels))
		first = first && len(levels) > 1 && isSplitWord(levels[0])
		second = second && len(levels) > 2 && isSplitWord(levels[1])
	}
	switch {
	case first && deep > 2:
		return "{split}/{class}/**", true
	case first:
		return "{split}/**", true
	case second:
		return "{class}/{split}/**", true
	}
	return "", false
}

// unlabeledWords are names of directories whose files have no class.
var unlabeledWords = []string{"unsup", "unsupervised", "unlabeled", "unlabelled"}

// unlabeled returns patterns of directories at the level of classes whose files have no class, and
// the number of their files. It returns none if fewer than two classes remain.
func unlabeled(names []string, pattern string) (patterns []string, files int) {
	level := 0
	if strings.HasPrefix(pattern, "{split}") {
		level = 1
	}
	classes := map[string]bool{}
	for _, n := range names {
		levels := strings.Split(n, "/")
		switch {
		case len(levels) < level+2:
		case slices.Contains(unlabeledWords, strings.ToLower(levels[level])):
			files++
			if p := strings.Join(levels[:level+1], "/") + "/**"; !slices.Contains(patterns, p) {
				patterns = append(patterns, p)
			}
		default:
			classes[levels[level]] = true
		}
	}
	if len(classes) < 2 {
		return nil, 0
	}
	return patterns, files
}

// levelNames returns the names of directories at the first or the second level.
func levelNames(names []string, first bool) []string {
	seen := map[string]bool{}
	for _, n := range names {
		levels := strings.Split(n, "/")
		if first {
			seen[levels[0]] = true
		} else {
			seen[levels[1]] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}
