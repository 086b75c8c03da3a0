package infer

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"tfr-build/internal/store"
	"tfr-build/pixels/header"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/input"
)

// lookedPictures is the number of images that are read.
const lookedPictures = 40

// maxRead is the size of the largest file that is read at once, in bytes. It is the default of
// limits.record: a build does not read a larger one, either.
const maxRead = 64 << 20

// A nameColumn is a column of strings, or of lists of strings, that may be the names of files.
type nameColumn struct {
	name    string
	unnamed int // rows without a name or a list
	isList  bool
	*texts
}

// column returns the name of the column, without the * of its lists.
func (c *nameColumn) column() string { return strings.TrimSuffix(c.name, ".*") }

// lacking returns the number of names without a property.
func (c *nameColumn) lacking(is func(name string) bool) (n int) {
	for _, name := range c.order {
		if !is(name) {
			n++
		}
	}
	return n
}

// mostly reports whether most of the names have a property.
func (c *nameColumn) mostly(is func(name string) bool) bool { return 2*c.lacking(is) < len(c.order) }

// nameColumns returns the columns, also those in objects, all of whose strings have a property, such as isFileName.
func (s *summary) nameColumns(is func(text string) bool) (list []nameColumn) {
	var addValue func(name string, p *profile)
	addValue = func(name string, p *profile) {
		c := nameColumn{name, s.valid() - p.texts.count, false, &p.texts}
		isList := p.lists > 0 && p.lists == p.present() && !s.typ.Repeated && p.elem.texts.count == p.elem.count
		if isList {
			c = nameColumn{name, s.valid() - p.lists, true, &p.elem.texts}
			if s.typ.Rows == input.Objects {
				c.name += ".*"
			}
		}
		switch {
		case p.present() == 0 || strings.ContainsAny(name, "{}"):
		case isList || p.texts.count == p.present():
			if len(c.order) > 0 && c.lacking(is) == 0 {
				list = append(list, c)
			}
		case p.objects == p.present() && !p.isMap():
			for _, key := range p.keys {
				if key != "" && key != "*" && !strings.Contains(key, ".") { // a path cannot name others
					addValue(name+"."+key, p.fields[key])
				}
			}
		}
	}
	for _, col := range s.columns {
		if col.skipReason == "" && col.profile != nil && !col.isPath {
			addValue(col.name, col.profile)
		}
	}
	return list
}

// mayBeClasses reports whether strings without an extension may be classes or numbers instead of names of files: they
// are numbers, or a few words that repeat, and the name of the column does not say that they are files.
func (c *nameColumn) mayBeClasses() bool {
	isNumber := !isNamed(c.order[0])
	return lastExtension(c.order[0]) == "" && !fileWords.MatchString(wordsOf(c.name)) &&
		(c.repeats > 0 && (isNumber || c.isClasses()) || isNumber && !namesRow(c.name))
}

// isFileName reports whether a string can be the name of a file below a directory.
func isFileName(s string) bool {
	const longest = 255
	return len(s) <= longest && !strings.ContainsAny(s, "\r\n\x00") && !strings.Contains(s, "://") &&
		filepath.IsLocal(s)
}

// isImageName reports whether a name has the extension of an image.
func isImageName(name string) bool { return header.FormatOfName(name) != 0 }

// mostDirectories is the largest number of directories on a level that are looked at.
const mostDirectories = 40

// imageDirectories returns the directories that may have the images of tables: near them, and in PATH. A directory of
// annotations may be next to them, and so may one that the names of images, such as this one, begin with. A directory
// of a split that the tables do not have has images of other rows.
func (s *summary) imageDirectories(tables []string, name string) (dirs []string) {
	splits := [2]map[string]bool{{}, {}} // in the names of the tables, and also of their directories
	for _, table := range tables {
		split := splitOf(base(table))
		splits[0][split] = true
		splits[1][cmp.Or(split, splitOf(base(store.Dir(table))))] = true
	}
	seen := map[string]bool{}
	for _, table := range tables {
		dir, depth := store.Dir(table), s.typ.ImageDepth
		if isBesideImages(base(dir)) || strings.HasPrefix(name, base(dir)+"/") {
			depth = max(depth, 2)
		}
		for up := 0; up < depth || s.within != "" && within(dir, s.within); up++ {
			level := []string{dir}
			for range 4 { // such as images/100k/train
				var below []string
				for _, path := range level {
					own, split := splits[min(up, 1)], splitOf(base(path))
					if isOther := len(own) == 1 && !own[""] && split != "" && !own[split]; !seen[path] && !isOther {
						seen[path] = true
						dirs = append(dirs, path)
					}
					inside, _ := s.Directories(path) // an unreadable directory has no subdirectories
					below = append(below, inside...)
				}
				if level = below; len(level) > mostDirectories {
					break
				}
			}
			dir = store.Dir(dir)
		}
	}
	return dirs
}

// rowsNaming returns some rows of a source, evenly spaced, that have a name in a column. Their paths are absolute. The
// result sampled reports whether others have one, and without is the position of the first row that has none.
func (s *summary) rowsNaming(ctx context.Context, src *sources.Source, column string) (rows []namedRow, sampled bool,
	without string, err error) {
	of := summary{findings: s.findings, opened: []*sources.Source{src}}
	seen := map[namedRow]bool{}
	n, every := 0, 1
	err = of.readAll(ctx, []schema.Column{{Name: column}}, func(vals []schema.Value) error {
		names := vals
		if vals[0].Kind == schema.List {
			names = vals[0].List
		}
		for i := range names {
			row := namedRow{of.reading.path, string(names[i].Text)}
			if row.name == "" {
				without = cmp.Or(without, ", the first in "+of.reading.where())
			}
			if n++; n%every > 0 || row.name == "" || seen[row] {
				continue
			}
			seen[row] = true
			if rows = append(rows, row); len(rows) == 2*lookedPictures {
				for i := range lookedPictures {
					rows[i] = rows[2*i]
				}
				rows, every = rows[:lookedPictures], 2*every
			}
		}
		return nil
	})
	return rows, every > 1 || of.partial, without, err
}

// findNear finds the files that rows of tables name, in some directories.
func (s *summary) findNear(rows []namedRow, dirs []string, column, suffix string) *finder {
	root := commonDir(dirs)
	relative := func(path string) string { return strings.TrimPrefix(strings.TrimPrefix(path, root), "/") }
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i].path = relative(rows[i].path)
	}
	f := newFinder(root, rows)
	f.beside, f.column = besideImages.MatchString(column), column
	for _, dir := range dirs {
		for name := range f.names {
			file := store.Join(dir, name+suffix)
			if listed, err := s.Stat(base(name)+suffix, file); err == nil && listed.Regular {
				at := place{path.Join(".", relative(dir)), suffix}
				f.add(at.file(namedRow{name: name}), name, at)
			}
		}
	}
	return f
}

// audioExtensions are the extensions of sounds, which are loaded as bytes.
var audioExtensions = []string{"wav", "flac", "mp3", "ogg"}

// An imageColumn is a column whose strings are the names of files: of images, or of others, which are loaded as bytes.
type imageColumn struct {
	*nameColumn
	suffix  string       // extension that completes the names, with its dot
	column  string       // name in `load`
	what    string       // image or file
	as      string       // how `load` reads them; empty for images
	rows    int          // rows that were read
	without string       // where the first row without a name is
	files   []*companion // the images of each source
	why     string       // why no image is loaded; empty if they are
	looked  int          // names that were looked up
	failed  int          // files that are missing or not images
	first   string       // the first of them
	images  imageStats
}

// findImages finds the columns whose strings are names of images. The files are next to the table, or in a directory
// there, or as far up as the source type says.
func (d *draft) findImages(ctx context.Context, s *summary) error {
	if d.tree != nil {
		d.noteTables(ctx)
	}
	if d.tree != nil && len(d.tree.with) > 0 {
		d.noteOtherNames(s)
		return nil
	}
	if s.typ.ImageDepth == 0 {
		return nil
	}
	columns := s.nameColumns(isFileName)
	const most = 20 // columns whose values are looked up as names of other files, or without an extension
	for _, areImages := range []bool{true, false} {
		for i := range columns {
			c, suffix := &columns[i], ""
			if c.mostly(isImageName) != areImages {
				continue
			}
			if !areImages {
				isUnclear := c.isList || c.mayBeClasses() || c.lacking(isImageName) < len(c.order)
				if len(d.images) > 0 && lastExtension(c.order[0]) == "" || i >= most || isUnclear {
					continue
				}
				var ok bool
				if suffix, ok = s.suffixOf(c); !ok && !slices.Contains(audioExtensions, lastExtension(c.order[0])) {
					continue
				}
			}
			p := s.newImageColumn(c, suffix, len(d.images) == 0)
			for i, src := range s.opened {
				rows, sampled, without, err := s.rowsNaming(ctx, src, c.name)
				if err != nil {
					return err
				}
				p.without = cmp.Or(p.without, without)
				if p.find(d, s, columns, i, rows); p.files[i] != nil {
					p.files[i].sampled = sampled
				}
			}
			if areImages || p.failed == 0 {
				d.images = append(d.images, p)
				s.names[c.column()] = p.what
			}
		}
	}
	return s.findShared(ctx)
}

// noteOtherNames adds a comment on documents that have the name of one of the loaded images, and name another one.
func (d *draft) noteOtherNames(s *summary) {
	c, files := d.tree.with[0], map[string]bool{}
	for _, file := range c.files {
		files[base(file)] = true
	}
	for _, names := range s.nameColumns(isImageName) {
		if s.typ.Rows != input.Objects || c.lacking > 0 || len(names.order) != len(c.rows) {
			continue
		}
		var first string
		n := 0
		for i, name := range names.order { // of each document, as no other has it
			if files[base(name)] && stemOf(name) != stemOf(c.rows[i]) {
				first = cmp.Or(first, shown(c.rows[i])+" has "+shown(name))
				n++
			}
		}
		if n > 0 {
			d.note("In %s, %s is not the image of the document's name, which is loaded: %s. To load the other: "+
				"`path: %s` in `load`.", share(n, len(c.rows), "document"), shown(names.column()), first,
				quoted("{"+names.column()+"}"))
		}
	}
}

// findShared finds the column whose names of files most rows repeat, unless a column of owners has one value in all
// rows of a name. A split by chance has such rows in several splits.
func (s *summary) findShared(ctx context.Context) error {
	isAny := func(string) bool { return true }
	for _, c := range s.nameColumns(isAny) { // also addresses
		mayBe := c.repeats > 0 && len(c.order) > 1 && (s.shared == nil || c.repeats > s.shared.repeats)
		if mayBe && (s.names[c.column()] != "" || c.mostly(isImageName)) {
			s.shared = &c
		}
	}
	owner := s.groupColumn(leastGroups, namesGroup)
	if s.shared == nil || owner == nil || owner.name == s.shared.name {
		return nil
	}
	of, first, isDivided := summary{findings: s.findings, opened: s.opened}, map[string]string{}, false
	err := of.readAll(ctx, []schema.Column{{Name: s.shared.name}, {Name: owner.name}}, func(vals []schema.Value) error {
		name, _ := vals[0].AsText(nil)
		value, _ := vals[1].AsText(nil)
		was, isKnown := first[string(name)]
		if isDivided = isKnown && was != string(value); isDivided || len(first) == mostGroups {
			return errEnough
		}
		first[string(name)] = string(value)
		return nil
	})
	if !isDivided {
		s.shared = nil
	}
	return err
}

// newImageColumn returns a column of names that a suffix completes. The column of the files has the name of what they
// are, or if another column has it, a name with the column's name.
func (s *summary) newImageColumn(c *nameColumn, suffix string, isFirst bool) *imageColumn {
	p := &imageColumn{nameColumn: c, suffix: suffix, column: "image", what: "image", rows: s.valid()}
	end := "_image"
	if ext := lastExtension(c.order[0] + suffix); ext != "" && !isImageName("."+ext) {
		if p.column, p.what, p.as, end = "file", "file", "bytes", "_file"; slices.Contains(audioExtensions, ext) {
			p.column = "audio"
		}
	}
	isTaken := func(col *columnSummary) bool {
		return col.name == p.column || strings.HasPrefix(col.name, p.column+".")
	}
	if !isFirst || slices.ContainsFunc(s.columns, isTaken) {
		name := c.column()
		p.column = name[strings.LastIndexAny(name, ".@")+1:] + end
	}
	return p
}

// suffixOf returns what makes the first name of a column the name of an image near the tables, not of a mask if it is
// both: an extension, or the empty string if the files have no extension.
func (s *summary) suffixOf(c *nameColumn) (found string, ok bool) {
	rows := []namedRow{{s.opened[0].Path(0), c.order[0]}}
	dirs := s.imageDirectories([]string{rows[0].path}, rows[0].name)
	suffixes, images := []string{""}, s.types.directoryType(true)
	for _, ext := range slices.Concat(images.Extensions, images.MoreExtensions, audioExtensions) {
		suffixes = append(suffixes, "."+ext, "."+strings.ToUpper(ext))
	}
	for _, suffix := range suffixes {
		f := s.findNear(rows, dirs, c.name, suffix)
		best, _, is := f.choose()
		if !is || f.distance(best) > 1 && !isNamed(c.order[0]) { // many directories have files with numbers
			continue
		}
		if f.isBeside(best) == 0 {
			return suffix, true
		}
		if !ok {
			found, ok = suffix, true
		}
	}
	return found, ok
}

// find finds the images that the rows of a source name.
func (p *imageColumn) find(d *draft, s *summary, columns []nameColumn, source int, rows []namedRow) {
	p.files = append(p.files, nil)
	if len(rows) == 0 {
		return
	}
	var tables []string
	for _, row := range rows {
		tables = append(tables, row.path)
	}
	tables = unique(tables)
	dirs := s.imageDirectories(tables, rows[0].name)
	f := s.findNear(rows, dirs, p.name, p.suffix)
	best, rivals, ok := f.choose()
	if !ok {
		p.why = "no directory near " + shown(d.relative(tables[0])) + " has them: none is loaded"
		if other := inOtherCase(s, dirs, rows[0].name); other != "" {
			p.why = shown(rows[0].name) + " is " + shown(d.relative(other)) +
				" there: none is loaded, as `load` needs equal names"
		}
		return
	}
	c := f.take(best, nil)
	c.column, c.key, c.as, c.isList = p.column, p.name, p.as, p.isList
	c.mayBeMasks = !f.beside && f.isBeside(best) > 0
	p.files[source], c.dir = c, commonDir(tables)
	prefix, teller := tellingColumn(columns, append(rivals, best))
	var having []string
	hasSeveral := false // files: then only a name that repeats can tell which one a row has
	for _, row := range f.rows {
		at := best
		hasSeveral = hasSeveral || len(f.places[row.name]) > 1
		if places := f.places[row.name]; len(rivals) > 0 && len(places) > 0 && !f.has(row, best) {
			at = places[0]
		}
		data, err := s.ReadFile(store.Join(f.root, at.file(row)), maxRead)
		if p.looked++; err != nil || p.as == "" && !p.images.add(data) {
			if by := separatorOf(row.name); by != "" && p.why == "" {
				c.column = p.column
				p.why = fmt.Sprintf("some cells have several, such as %s: none is loaded. `load: {%s, separator: "+
					"%q}}` loads lists of them, which need `shape: [-1]`", shown(row.name),
					strings.TrimSuffix(c.load("", d), "}"), by)
			}
			if p.failed++; p.failed == 1 {
				p.first = shown(row.name)
				if other := inOtherCase(s, dirs, row.name+p.suffix); other != "" {
					p.first += ", which is " + shown(base(other)) + " there"
				}
			}
			continue
		}
		having = append(having, row.path)
	}
	t := &d.list[source]
	c.rivals = rivals
	switch {
	case len(rivals) > 0 && teller != "" && len(s.opened) == 1 && (p.repeats > 0 || !hasSeveral):
		c.place.dir = path.Join(path.Dir(best.dir), "\x00"+prefix+"{"+teller+"}")
		c.rows, c.lacking = having, p.failed
	case len(rivals) > 0:
		p.why = c.unclear(d)
		if key := "filename"; c.lacking > 0 {
			if p.suffix != "" {
				key = "stem"
			}
			p.why += fmt.Sprintf(". A source of the images finds each by its name: `%s: {dir: %s}`, "+
				"`join: {%s: %s, on: {%s: %s}}`", d.types.directoryType(true).name,
				scalar(d.relative(store.Join(f.root, commonDir(sortedKeys(f.exists))))), d.typ.name, flat(t.keys), key,
				scalar(p.name))
		}
	case c.followsRows() && (!strings.Contains(t.keys[0].text, "/*/") || has(t.steps, "from_path")):
		at := func(row namedRow) string { return shown(d.relative(store.Join(f.root, best.of(row).dir))) }
		p.why = "the tables have them in several directories, such as " + at(f.rows[0]) + " and " +
			at(f.rows[len(f.rows)-1]) + ": none is loaded. A source for the tables of each directory loads them"
	}
}

// separatorOf returns what is between several names of images in a cell; empty for one name.
func separatorOf(cell string) string {
	for _, by := range []string{";", "|", ","} {
		if names := strings.Split(cell, by); len(names) > 1 && len(filter(names, isImageName)) == len(names) {
			return by
		}
	}
	return ""
}

// tellingColumn returns the column whose values are the names of the directories of places, which are in one directory,
// or follow a prefix in these names; "" without one.
func tellingColumn(columns []nameColumn, places []place) (prefix, column string) {
	parent, first := path.Split(places[0].dir)
	for _, prefix := range []string{"", strings.TrimRight(first, "0123456789")} {
		dirs := map[string]bool{}
		for _, at := range places {
			dirs[at.dir] = true
		}
		hasDir := func(value string) bool { return dirs[parent+prefix+value] }
		var found []string
		for i := range columns {
			c := &columns[i]
			if c.unnamed == 0 && !c.isList && !c.overflowed && len(c.order) == len(dirs) && c.lacking(hasDir) == 0 {
				found = append(found, c.name)
			}
		}
		if len(found) == 1 {
			return prefix, found[0]
		}
	}
	return "", ""
}

// inOtherCase returns a file whose name differs from a name by the case of its letters or by its slashes; "" without
// one.
func inOtherCase(s *summary, dirs []string, name string) string {
	ext := path.Ext(name)
	stem, lower, upper := strings.TrimSuffix(name, ext), strings.ToLower(ext), strings.ToUpper(ext)
	for _, dir := range dirs {
		for _, other := range []string{stem + lower, stem + upper, strings.ToLower(name), strings.ToUpper(name),
			strings.ReplaceAll(name, `\`, "/")} {
			path := store.Join(dir, other)
			if _, err := s.Stat(base(other), path); err == nil {
				return path
			}
		}
	}
	return ""
}
