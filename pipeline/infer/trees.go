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
	"tfr-build/sources/input"
)

// A level counts the files in each directory at one level of paths.
type level struct {
	files   map[string]int
	without int // files in no such directory
}

// levelAt returns a level of paths. The first level is 0.
func levelAt(names []string, at int) level {
	l := level{files: map[string]int{}}
	for _, name := range names {
		if levels := levelsOf(name); len(levels) > at && levels[at] != "" {
			l.files[levels[at]]++
		} else {
			l.without++
		}
	}
	return l
}

// are reports whether all files are in directories whose names have a property.
func (l level) are(is func(name string) bool) bool {
	for name := range l.files {
		if !is(name) {
			return false
		}
	}
	return l.without == 0
}

// splits returns the splits that the names of all directories say; nil if one says none, or if directories have more
// words and say one split.
func (l level) splits() map[string]string {
	of, all, lower := map[string]string{}, map[string]bool{}, map[string]bool{}
	for name := range l.files {
		of[name] = splitOf(name)
		all[of[name]], lower[strings.ToLower(name)] = true, true
	}
	if l.without > 0 || all[""] || len(all) < 2 && !l.are(isSplitWord) {
		return nil
	}
	if l.are(isSplitWord) && len(lower) == len(of) { // none differ by case only
		for name := range of {
			of[name] = name
		}
	}
	return of
}

// addTreeSources adds the sources of directories whose files are rows.
func (d *draft) addTreeSources() error {
	for i := range d.trees {
		t, s := &d.trees[i], source{}
		if len(d.trees) > 1 {
			s.split, s.name = splitOf(base(t.dir)), d.nameOf(t.dir)
		}
		dir, names := t.strip()
		s.keys = append(s.keys, entry("dir: "+scalar(d.relative(dir)), plural.Of(len(names), "file")))
		if t.exts != "" {
			note := "most files are such"
			if len(t.typ.MoreExtensions) > 0 {
				note = "some are not in the default"
			}
			s.keys = append(s.keys, entry("extensions: "+t.exts, note))
		}
		labeled, patterns, pattern, splits, classes := pathPattern(names)
		var why []string
		if len(patterns) > 0 {
			why = append(why, unlabeledNote(names, labeled))
		}
		for _, c := range t.with {
			c.dir = dir
			p, below := strings.CutPrefix(c.glob(), dir+"/")
			if below && c.form == nil && c.as == "" && c.documents == nil && d.typ.Images {
				patterns = append(patterns, strings.ReplaceAll(p, "[", "?"))
				why = append(why, "they belong to other files")
			}
		}
		for _, name := range t.aside {
			below, isBelow := strings.CutPrefix(store.Join(t.dir, name), dir+"/")
			if !isBelow {
				d.addUnread(t.dir, []string{name})
				continue
			}
			patterns = append(patterns, strings.ReplaceAll(below, "[", "?"))
			why = append(why, "next to the rows, it seems")
		}
		if len(patterns) > 0 {
			s.keys = append(s.keys, entry("exclude: "+list(patterns), strings.Join(unique(why), "; ")))
		}
		if t.typ.Rows == input.FileRows {
			if !t.typ.Images {
				d.noteParallel(t.paths())
			}
			s.steps = append(s.steps, d.checkClasses(labeled, splits != nil, classes))
		}
		if splits != nil {
			d.useSplits(splits)
		} else {
			d.noteNames(names)
			s.steps = append(s.steps, d.useNameLists(t)...)
		}
		d.addFiles(&s, d.usable(t, pattern), pattern)
		d.list = append(d.list, s)
	}
	if slices.ContainsFunc(d.list, func(s source) bool { return s.split == "" }) {
		var named []string
		for i := range d.list {
			if d.list[i].split != "" {
				named = append(named, base(d.trees[i].dir))
			}
			d.list[i].split = ""
		}
		if named != nil {
			d.noteMixed("Directories", named, "")
		}
	}
	return nil
}

// mostLacking is the largest percentage of rows that may lack a file that is loaded.
const mostLacking = 25

// mayLoad reports whether only few rows lack a file, which become invalid rows. If most do, it adds a comment. The
// pattern has the columns of the directories of the rows.
func (d *draft) mayLoad(c *companion, pattern string, most int, lost loss) bool {
	if what := lost.String(); 100*lost.n > most*lost.all {
		what += ": none is loaded. To load the others: "
		if levels := c.addLevels(pattern); levels != pattern {
			pattern, what = levels, what+"`from_path: "+quoted(levels)+"`, "
		}
		d.note("%s`load: {%s}`, `on_error: quarantine`, and `max_errors`.%s", what, c.load(pattern, d), c.apart(d))
		return false
	}
	if lost.n > 0 {
		d.allowErrors(lost)
	}
	return true
}

// apart says how to keep the rows without a file, if all of them are in directories in which no row has one.
func (c *companion) apart(d *draft) string {
	if d.tree == nil {
		return ""
	}
	isHaving, dirs := map[string]bool{}, []string(nil)
	for _, row := range c.rows {
		isHaving[base(path.Dir(row))] = true
	}
	for _, name := range without(d.tree.names, c.rows) {
		dir := base(path.Dir(name))
		if dirs = append(dirs, "**/"+dir+"/**"); isHaving[dir] {
			return ""
		}
	}
	return fmt.Sprintf(" To keep all rows: `exclude: %s` in this source, another with `include: %[1]s` and "+
		"`derive: {%s: \"null\"}`, and the feature `%[2]s: {type: bytes, missing: omit}`.",
		list(unique(dirs)), c.column)
}

// usable returns the companions that a source can have, and adds comments about the others.
func (d *draft) usable(t *tree, pattern string) (with []*companion) {
	for _, c := range t.with {
		from, name := c.path(anyLevels)
		if c.odd != "" {
			d.note("%s, such as %s, are not joined as objects: %s, and run init again.",
				plural.Of(len(c.files), "file"), shown(c.files[0]), c.odd)
		}
		switch all := len(c.rows) + c.lacking; {
		case c.shared != nil:
			d.note("%s and %s have the same name: %s of such names, the first %s, are not joined to the images.",
				shown(c.shared[0]), shown(c.shared[1]), plural.Of(len(c.files), "file"), shown(c.files[0]))
		case c.documents != nil:
			d.note("Images have documents of their name (%s), such as %s. "+
				"`join: {%s: {dir: %s}, on: stem, prefix: document.}` adds their columns. `tfr-build init %s` shows "+
				"these.",
				plural.Of(len(c.files), "file"), shown(c.files[0]), c.documents.name, scalar(d.relative(from)),
				d.relative(from))
		case c.rivals != nil:
			t.why = "Images have the names of documents, but " + c.unclear(d) + "."
		case strings.Count(name, "{") > 1 || c.form != nil && files.HasWildcard(d.relative(from)+c.place.dir):
			d.note("The files in %s are not used: a name with *, ?, [ or { is a pattern to a config. "+
				"Rename the directory.", shown(d.relative(from)))
		case c.mixed && c.form != nil && c.form.where == "":
			d.note("Documents such as %s are not joined to the images: other files are there, too.", shown(c.files[0]))
		case c.form != nil || d.mayLoad(c, pattern, mostLacking,
			loss{c.lacking, all, "row", " have no file in " + shown(d.relative(from)) + ", the first " +
				shown(append(without(t.names, c.rows), "")[0])}) &&
			d.mayLoad(c, pattern, mostLacking, d.unreadable(c)):
			with = append(with, c)
		}
	}
	if t.maskAt != "" {
		_, names := t.strip()
		d.noteBeside(t.maskAt, strings.Count(t.names[0], "/")-strings.Count(names[0], "/"))
	}
	isPrefixed := func(name string) bool {
		return besideImages.MatchString(wordOf(name)) && strings.HasPrefix(base(name), wordOf(name))
	}
	few := slices.Collect(slices.Chunk(t.names, max(1, len(t.names)/sampledRows)))
	isAtEnd := func(names []string) bool { return isPrefixed(names[0]) || isPrefixed(names[len(names)-1]) }
	if slices.ContainsFunc(few, isAtEnd) {
		if masks := filter(t.names, isPrefixed); 2*len(masks) == len(t.names) {
			d.noteExcluded(masks[0], wordOf(masks[0])+"*")
		}
	}
	if c := t.pair; c != nil && !c.followsRows() {
		each := ""
		if splitOf(c.rows[0]) != "" {
			each = " Each split needs such a source."
		}
		d.note("%s and %s have the same name, and so on. If they are pairs instead of classes: "+
			"`%s: {dir: %s, include: \"*%s\"}` and `load: {%s}`.%s",
			shown(c.rows[0]), shown(c.files[0]), d.typ.name,
			scalar(d.relative(store.Join(c.root, path.Dir(c.rows[0])))), path.Ext(c.rows[0]), c.load("", d),
			each)
	}
	t.with = with
	return with
}

// noteBeside adds a comment on an image in a directory of masks or the like, below directories that all images have.
func (n *notes) noteBeside(name string, top int) {
	levels := levelsOf(name)[top:]
	if at := slices.IndexFunc(levels, isBesideImages); at >= 0 {
		n.noteExcluded(name, levels[at]+"/**")
	}
}

// noteExcluded adds a comment on an image like others that a pattern matches.
func (n *notes) noteExcluded(name, pattern string) {
	n.note("%s may belong to another image, such as a mask, instead of being a row. `exclude: %s` skips such images.",
		shown(name), scalar("**/"+pattern))
}

// paths returns the absolute paths of the rows.
func (t *tree) paths() (list []string) {
	for _, name := range t.names {
		list = append(list, store.Join(t.dir, name))
	}
	return list
}

// unreadable counts the files of a companion that it cannot read as images.
func (d *draft) unreadable(c *companion) loss {
	var images imageStats
	lost := loss{all: min(len(c.files), lookedPictures), noun: "image"}
	for i := range lost.all {
		name := c.files[i*len(c.files)/lost.all]
		data, err := d.ReadFile(store.Join(c.root, name), maxRead)
		if c.as == "" && (err != nil || !images.add(data)) {
			lost.n, lost.why = lost.n+1, " looked for cannot be read, such as "+shown(name)
		}
	}
	return lost
}

// strip returns the deepest directory that contains all files, except that a class or a split
// stays.
func (t *tree) strip() (dir string, names []string) {
	dir, names = t.dir, t.names
	for {
		first := levelAt(names, 0)
		isClass := t.typ.Rows == input.FileRows && len(levelAt(names, 1).files) == 0
		if len(first.files) != 1 || first.without > 0 || first.splits() != nil || isClass {
			return dir, names
		}
		only := slices.Collect(maps.Keys(first.files))[0]
		dir, names = store.Join(dir, only), slices.Clone(names)
		for i := range names {
			names[i] = names[i][len(only)+1:]
		}
	}
}

// pathPattern returns the pattern for paths with directories named after splits, these splits, and the level of the
// classes. The pattern is empty if the first directory is the class. It is of the names without those that exclude
// matches, whose files have no class.
func pathPattern(names []string) (rest, exclude []string, pattern string, splits map[string]string, classes int) {
	rest, exclude = labeled(names, 0)
	first, second := levelAt(rest, 0).splits(), levelAt(rest, 1)
	switch {
	case first != nil:
		if pattern, classes = "{split}/**", 1; second.without > 0 {
			break
		}
		for len(levelAt(rest, classes).files) == 1 && levelAt(rest, classes+1).without == 0 {
			classes++ // such as images
		}
		pattern = "{split}/" + strings.Repeat("*/", classes-1) + "{class}/**"
	case second.are(isSplitWord):
		return rest, exclude, "{class}/{split}/**", second.splits(), 0
	default:
		return rest, exclude, "", nil, 0
	}
	rest, more := labeled(rest, classes)
	return rest, append(exclude, more...), pattern, first, classes
}

// checkClasses returns the step that derives the classes of files if only some are below a directory of a class. It
// adds comments on splits that lack classes, and on directories that look like splits.
func (d *draft) checkClasses(names []string, haveSplits bool, classes int) (label line) {
	at := levelAt(names, classes)
	const deepest = 4
	depth, below := 0, []string(nil)
	for depth < deepest && below == nil {
		depth++
		below = levelAt(names, depth).mixedSplits()
	}
	if haveSplits || below == nil {
		d.noteDeeper(names, classes+1)
	}
	switch {
	case !haveSplits && below != nil:
		d.noteMixed("Directories", below, fmt.Sprintf(" and `include: %q`", strings.Repeat("*/", depth)+below[0]+"/**"))
	case haveSplits && at.without == 0:
		if at.splits() == nil { // the directories are not the label
			d.noteLacking(names, classes)
		}
	case haveSplits && len(at.files) > 0:
		isOutside := func(name string) bool { return strings.Count(name, "/") <= classes }
		return bare("derive:", entry(labelColumn+": "+directoryOf("path", classes, true),
			share(at.without, len(names), "file")+
				" without a directory of a class, such as "+shown(names[slices.IndexFunc(names, isOutside)])))
	}
	return label
}

// noteDeeper adds a comment on directories below the classes, if they differ: only the path has them.
func (d *draft) noteDeeper(names []string, at int) {
	for len(levelAt(names, at).files) == 1 && len(levelAt(names, at+1).files) > 0 {
		at++ // such as images
	}
	below := levelAt(names, at)
	if dirs := sortedKeys(below.files); len(dirs) > 1 && !below.are(isSplitWord) {
		d.note("Below the directories of the classes are %d others%s. Only the path has "+
			"them: `derive: {directory: %s}` makes them a column, for the label, another feature, or `by` of `split`, "+
			"which keeps the files of each together.", len(dirs),
			examples(dirs), directoryOf("path", at, below.without > 0))
	}
}

// labelColumn is the column of classes that are derived.
const labelColumn = "label"

// noteLacking adds a comment on classes that some split does not have. The splits are the directories above or below
// the classes.
func (d *draft) noteLacking(names []string, classes int) {
	splits, of, first := map[string]bool{}, map[string]map[string]bool{}, map[string]string{}
	for _, name := range names {
		levels := strings.Split(name, "/")
		class, split := levels[classes], levels[0]
		if classes == 0 {
			split = levels[1]
		}
		if of[class] == nil {
			of[class], first[class] = map[string]bool{}, name
		}
		of[class][split], splits[split] = true, true
	}
	all := sortedKeys(of)
	lacking := filter(all, func(class string) bool { return len(of[class]) < len(splits) })
	if len(lacking) == 0 {
		return
	}
	if !slices.ContainsFunc(all, func(class string) bool { return len(of[class]) > 1 }) {
		d.note("No class is in two splits%s. If the directories are patients or scenes instead of classes, delete the "+
			"line of the label.", examples(all))
		return
	}
	class := lacking[0]
	without := filter(sortedKeys(splits), func(split string) bool { return !of[class][split] })
	d.note("Some splits lack %s%s. %s (%s, the first %s) is not in %s. "+
		"If it is not a class, `exclude: [%q]` skips it.", share(len(lacking), len(all), "class"), examples(lacking),
		shown(class), plural.Of(levelAt(names, classes).files[class], "file"), shown(first[class]), shown(without[0]),
		strings.Repeat("*/", classes)+strings.ReplaceAll(class, "[", "?")+"/**")
}

// isUnlabeled reports whether the files of a directory have no class, by its name.
func isUnlabeled(dir string) bool {
	return slices.Contains([]string{"unsup", "unsupervised", "unlabeled", "unlabelled"}, strings.ToLower(dir))
}

// labeled returns the names without those in directories at a level whose files have no class, and the patterns of
// these directories. It keeps all if the others are not several classes or splits.
func labeled(names []string, at int) (rest, patterns []string) {
	for _, dir := range filter(sortedKeys(levelAt(names, at).files), isUnlabeled) {
		patterns = append(patterns, strings.Repeat("*/", at)+dir+"/**")
	}
	rest = filter(names, func(name string) bool {
		levels := levelsOf(name)
		return len(levels) <= at || !isUnlabeled(levels[at])
	})
	if others := levelAt(rest, at); len(others.files) < 2 && (len(others.files) == 0 || !others.are(isSplitWord)) {
		return names, nil
	}
	return rest, patterns
}

// unlabeledNote says how many files have no class.
func unlabeledNote(names, labeled []string) string {
	return plural.Of(len(names)-len(labeled), "file") + " without a class"
}
