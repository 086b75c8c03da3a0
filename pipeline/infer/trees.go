package infer

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/internal/store"
	"tfr-build/sources/files"
)

// addTreeSources adds the sources of directories whose files are rows.
func (d *draft) addTreeSources(f *findings) error {
	var all []tree
	for _, t := range f.trees {
		all = append(all, t.bySplit()...)
	}
	for i := range all {
		t, s := &all[i], source{}
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
		patterns, n := unlabeled(names, pattern)
		note := plural.Of(n, "file") + " without a class"
		for _, c := range t.with {
			if p, below := strings.CutPrefix(c.glob(dir), dir+"/"); below && c.form == nil && c.as == "" && c.documents == nil && d.typ.Images {
				patterns, note = append(patterns, p), "they belong to other files"
			}
		}
		if len(patterns) > 0 {
			s.keys = append(s.keys, line{"exclude: " + list(patterns), note})
		}
		with := d.usable(t, i)
		for _, c := range with {
			pattern = c.addLevels(pattern, dir)
		}
		if pattern != "" {
			s.steps = append(s.steps, line{"from_path: " + quoted(pattern), "the directories say so"})
			if hasSplit {
				d.split = []line{{text: "split:"}, {"  column: split", "directories are " + strings.Join(levelNames(names, strings.HasPrefix(pattern, "{split}")), ", ")}}
			}
		}
		s.steps = append(s.steps, d.stepsOf(with, pattern, dir)...)
		d.list = append(d.list, s)
	}
	d.tree.with = all[0].with
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
			list = append(list, tree{dir: dir + "/" + first, exts: t.exts, with: t.ofSplit(dir + "/" + first),
				maskAt: t.maskAt, pair: t.pair})
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

// ofSplit returns the companions of the rows in a directory.
func (t *tree) ofSplit(dir string) (list []*companion) {
	for _, c := range t.with {
		one := *c
		one.rows, one.files = nil, nil
		for i, row := range c.rows {
			if strings.HasPrefix(store.Join(c.root, row), dir+"/") {
				one.rows, one.files = append(one.rows, row), append(one.files, c.files[i])
			}
		}
		list = append(list, &one)
	}
	return list
}

// usable returns the companions that a source can have, and adds comments about the others for the first source.
func (d *draft) usable(t *tree, source int) (with []*companion) {
	note := func(text string, args ...any) {
		if source == 0 {
			d.notes = append(d.notes, fmt.Sprintf(text, args...))
		}
	}
	dir, _ := t.strip()
	for _, c := range t.with {
		from, _ := c.path(anyLevels, dir)
		const mostLacking = 25 // percent of the rows
		switch all := len(c.rows) + c.lacking; {
		case c.documents != nil:
			note("Images have documents of their name (%s), such as %s. "+
				"`join: {%s: {dir: %s}, on: stem, prefix: document.}` adds their columns. `tfr-build init %s` shows these.",
				plural.Of(len(c.files), "file"), shown(c.files[0]), c.documents.name, scalar(d.relative(from)), d.relative(from))
		case c.form != nil && files.HasWildcard(d.relative(from)):
			note("The files in %s are not joined: a name with *, ? or [ is a pattern to a config. Rename the directory.", shown(d.relative(from)))
		case c.form != nil || c.lacking == 0:
			with = append(with, c)
		case 100*c.lacking <= mostLacking*all:
			d.allowErrors(c.lacking, all, share(c.lacking, all, "row")+" have no file in "+shown(d.relative(from)))
			with = append(with, c)
		default:
			note("Only %s have a file of their name, such as %s. Others would be invalid rows. "+
				"To load them: `load: {%s}`, `on_error: quarantine`, and `max_errors`.",
				share(len(c.rows), all, "row"), shown(c.files[0]), c.load(anyLevels, dir, d))
		}
	}
	if at := slices.IndexFunc(levelsOf(t.maskAt), besideImages.MatchString); at >= 0 {
		note("%s may belong to another image, such as a mask, instead of being a row. `exclude: %s` skips its directory.",
			shown(t.maskAt), scalar("**/"+levelsOf(t.maskAt)[at]+"/**"))
	}
	if c := t.pair; c != nil && len(t.with) == 0 && c.place.references() == 0 {
		note("%s and %s have the same name, and so on. If they are pairs instead of classes: `%s: {dir: %s, include: \"*%s\"}` and `load: {%s}`.",
			shown(c.rows[0]), shown(c.files[0]), d.typ.name, scalar(d.relative(store.Join(c.root, path.Dir(c.rows[0])))),
			path.Ext(c.rows[0]), c.load("", "", d))
	}
	t.with = with
	return with
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
