package infer

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/internal/store"
	"tfr-build/sources/input"
)

// A companion is files with the names of rows, such as the images of documents or of tables, or the boxes or masks of
// images.
type companion struct {
	root       string // absolute directory that has the rows and the files
	dir        string // directory of the source of the rows
	place      place
	key        string   // column with the names of the rows
	keyEnd     string   // what follows them in the names of the rows' files
	rows       []string // paths of the rows that have a file there
	files      []string
	shared     []string    // two rows with one file; nil for none
	lacking    int         // rows without a file
	rivals     []place     // other places that may have the files
	deep       bool        // the files are in any directories below the place
	mixed      bool        // other text files are at the place, too
	blank      bool        // the files have lines of blanks
	binary     bool        // a file is not text
	form       *form       // of files that are joined; nil for files that are loaded
	odd        string      // why files that may have objects are loaded, and what to do
	classes    string      // file with the names of classes
	column     string      // that `load` adds
	isList     bool        // the column has lists of names
	sampled    bool        // other rows were not looked at
	mayBeMasks bool        // the names of directories say so
	as         string      // how `load` reads the files; empty for images
	convert    line        // commented key of `load`; zero for none
	spare      bool        // the feature is a comment
	documents  *sourceType // of documents that are named in a comment; nil for other files
}

// followsRows reports whether the files are in different directories for different rows.
func (c *companion) followsRows() bool { return c.place.references() > 0 }

// unclear says that several places have files of the rows.
func (c *companion) unclear(d *draft) string {
	at := func(of place) string {
		return shown(d.relative(store.Join(c.root, reference.ReplaceAllString(of.dir, "*"))))
	}
	text := "several directories have some of these names, such as " + at(c.place) + " and " + at(c.rivals[0]) +
		": none is loaded"
	if !c.followsRows() {
		text += ". To load the files of one: `load: {" + c.load("", d) + "}`"
	}
	return text
}

// below returns the number of directories of the rows below the root.
func (c *companion) below() int {
	return strings.Count(c.dir, "/") - strings.Count(c.root, "/")
}

// addLevels returns a pattern for paths of rows that names the directories that the files depend on.
func (c *companion) addLevels(pattern string) string {
	levels, changed := levelsOf(pattern), false
	for _, m := range reference.FindAllStringSubmatch(c.place.dir, -1) {
		at, _ := strconv.Atoi(m[1])
		at -= c.below()
		if at < len(levels) && strings.HasPrefix(levels[at], "{") {
			continue
		}
		for len(levels) <= at {
			levels = append(levels, "*")
		}
		levels[at], changed = directoryColumn("directory", at), true
	}
	if changed {
		pattern = strings.Join(levels, "/") + "/**"
	}
	if name := "{" + c.key + "}" + c.keyEnd + ".*"; c.keyEnd != "" && !strings.HasSuffix(pattern, name) {
		pattern = path.Join(cmp.Or(pattern, "**"), name)
	}
	return pattern
}

// path returns the directory of the files, and their names in it, with the columns of the rows. The pattern has the
// columns of their directories.
func (c *companion) path(pattern string) (from, name string) {
	columns := strings.Split(pattern, "/")
	from = c.root
	var levels []string
	for level := range strings.SplitSeq(c.place.dir, "/") {
		isColumn := strings.Contains(level, "\x00")
		of := replaceReferences(level, func(at int) string { return columns[at-c.below()] })
		of = strings.TrimPrefix(of, "\x00")
		if len(levels) > 0 || isColumn {
			levels = append(levels, of)
		} else {
			from = store.Join(from, of)
		}
	}
	return from, strings.Join(append(levels, "{"+c.key+"}"+c.place.end), "/")
}

// anyLevels is a pattern of any directories, for paths in comments.
var anyLevels = strings.Repeat("*/", 100)

// glob returns a pattern that matches the files.
func (c *companion) glob() string {
	from, name := c.path(anyLevels)
	if c.deep {
		name = "**/" + name
	}
	return store.Join(from, braces.ReplaceAllString(name, "*"))
}

// braces match a column in a path.
var braces = regexp.MustCompile(`\{([^{}]+)\}`)

// load returns the entry of `load`.
func (c *companion) load(pattern string, d *draft) string {
	from, name := c.path(pattern)
	as := ""
	if c.as != "" {
		as = ", as: " + c.as
	}
	return c.column + ": {path: " + quoted(name) + ", dir: " + scalar(d.relative(from)) + as + "}"
}

// note says how many rows have a file, or how many names in lists.
func (c *companion) note() string {
	what, all := "row", len(c.rows)+c.lacking
	if c.isList {
		what = "name"
	}
	text := "each " + what + " has"
	if c.sampled {
		text = plural.Of(all, what) + " that init looked up have"
	}
	if c.lacking > 0 {
		text = share(len(c.rows), all, what) + " have"
	}
	if text += " a file there"; c.mayBeMasks {
		text += ", perhaps a mask, as its directory says"
	}
	return text
}

// addFiles adds the steps of a source that join and load the files of companions. The pattern has the columns of the
// directories of the rows.
func (d *draft) addFiles(t *source, all []*companion, pattern string) {
	for _, c := range all {
		pattern = c.addLevels(pattern)
	}
	if pattern != "" {
		isCommented := func(l line) bool { return strings.HasPrefix(l.text, commentedPath) }
		t.steps = slices.Insert(slices.DeleteFunc(t.steps, isCommented), 0,
			entry("from_path: "+quoted(pattern), "the directories say so"))
	}
	join, loads := bare("join:"), []line(nil)
	for _, c := range all {
		switch {
		case c.form != nil:
			join.items = append(join.items, c.join(pattern, d))
		case c.convert.text == "":
			loads = append(loads, entry(c.load(pattern, d), c.note()))
		default:
			from, name := c.path(pattern)
			loads = append(loads, entry(c.column+":", c.note(), bare("path: "+quoted(name)),
				bare("dir: "+scalar(d.relative(from))), c.convert))
		}
	}
	t.steps = append(t.steps, join, bare("load:", loads...))
}

// join returns the entry of `join` for the files.
func (c *companion) join(pattern string, d *draft) []line {
	_, name := c.path(pattern)
	if c.deep {
		name = "**/" + name
	}
	files := []line{bare("files: " + quoted(d.relative(c.glob())))}
	if c.form.objects != nil {
		if d.coco == nil {
			d.coco = &coco{COCO: &input.COCO{Objects: c.form.objects}, from: d.types.find(c.form.typ)}
		}
		d.coco.list = append(d.coco.list, source{split: splitOf(base(c.dir)), keys: files, fileLines: 1})
	}
	var on []string
	pattern = braces.ReplaceAllStringFunc(name, func(column string) string {
		column = column[1 : len(column)-1]
		theirs := column
		mayBeKey := c.form.objects != nil
		for has(c.form.derive, theirs) || mayBeKey && theirs == column {
			theirs += "_"
		}
		if slices.Contains(on, column+": "+theirs) {
			return "*" // a path has each column once
		}
		on = append(on, column+": "+theirs)
		return "{" + theirs + "}"
	})
	key := c.key
	if len(on) > 1 || c.form.objects != nil {
		key = "{" + strings.Join(on, ", ") + "}"
	}
	var where line
	switch {
	case c.mixed:
		where = entry("where: "+c.form.where, "other files are there, too")
	case c.blank:
		where = entry("where: "+c.form.where, "lines of blanks are there, too")
	}
	return []line{entry(c.form.typ+": "+flat(slices.Concat(files, c.form.options)), c.what()),
		bare("from_path: " + quoted(pattern)), where, bare("derive:", c.form.derive...), bare("on: " + key),
		bare("many: true"), bare("prefix: objects.")}
}

// merge adds files of the same form. They may be in any directories if their names are unique.
func (c *companion) merge(other *companion, rows []string) {
	c.files, c.rows = append(c.files, other.files...), append(c.rows, other.rows...)
	c.lacking = len(rows) - len(unique(c.rows))
	for _, names := range [][]string{rows, c.files} {
		first := map[string]string{}
		for _, name := range names {
			if other, ok := first[stemOf(name)]; ok && c.shared == nil {
				c.shared = []string{other, name}
			}
			first[stemOf(name)] = name
		}
	}
	c.place.dir, c.deep = commonDir(c.files), true
}

// name returns the name of a column for the files of a companion: their directory, or the end of their names.
func (c *companion) name() string {
	ext := path.Ext(c.place.end)
	name := cmp.Or(strings.TrimSuffix(c.place.end, ext), ext)
	isElsewhere := path.Dir(c.files[0]) != path.Dir(c.rows[0])
	for level := range strings.SplitSeq(c.place.dir, "/") {
		level = reference.ReplaceAllString(level, "")
		isName := strings.Trim(level, ".") != "" && !strings.HasPrefix(level, "\x00") && !isSplitWord(level)
		if isElsewhere && c.keyEnd == "" && isName {
			name = level
		}
	}
	name = strings.Trim(notInNames.ReplaceAllString(strings.ToLower(name), "_"), "_")
	name = strings.TrimSuffix(name, "s")
	if slices.Contains(takenNames, name) {
		name += "_file"
	}
	return name
}
