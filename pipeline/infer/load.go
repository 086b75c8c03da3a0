package infer

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/internal/store"
	"tfr-build/sources/input"
)

// noteTables adds a comment on the tables next to images, with the join of the column that names these. Tables whose
// names differ only by a split or by numbers are one. Those with a join come first, and few of the others are named.
func (d *draft) noteTables(ctx context.Context) {
	named := map[string][]found{}
	for _, table := range d.tree.tables {
		name := nameWords.ReplaceAllStringFunc(base(table.path), func(word string) string {
			if splitOfWord(word) != "" || word == "trainval" {
				return "split"
			}
			return word
		})
		name = digits.ReplaceAllString(name, "0") + " of " + table.typ.name
		named[name] = append(named[name], table)
	}
	const few = 3
	var joined, others notes
	files, inFirst := d.tree.countNames()
	for _, name := range sortedKeys(named) {
		tables := slices.Concat(bySplit(named[name])...) // those to train with come first
		join := d.joinOf(ctx, tables, files, inFirst)
		for i := 0; i < min(len(tables), few) && join == "" && len(tables) > 1; i++ { // one may have other columns
			if join = d.joinOf(ctx, tables[i:i+1], files, inFirst); join != "" {
				tables = slices.Concat(tables[i:i+1], tables[:i], tables[i+1:])
			}
		}
		path, more := d.relative(tables[0].path), ""
		if n := len(tables) - 1; n > 0 {
			more = ", and " + plural.Of(n, "other") + " like it"
		}
		note := fmt.Sprintf("Next to the images is %s%s. `tfr-build init %s` writes a config of its rows", shown(path),
			more, path)
		if join != "" {
			joined.note("%s, and `%s` adds its columns to the images.", note, join)
		} else if others.note("%s.", note); len(others) > few { // init of the table has the error
			d.addUnread(d.tree.dir, []string{strings.TrimPrefix(tables[0].path, d.tree.dir+"/")})
		}
	}
	d.notes = slices.Concat(d.notes, joined, others[:min(len(others), few)])
}

// countNames counts the names of the files of a tree: without and with their extension, and with their path. It also
// counts them in each first directory.
func (t *tree) countNames() (files, inFirst map[string]int) {
	files, inFirst = map[string]int{}, map[string]int{}
	_, names := t.strip()
	for _, name := range names {
		first, _, _ := strings.Cut(name, "/")
		for _, key := range unique([]string{stemOf(name), base(name), name}) {
			files[key]++
			inFirst[first+"/"+key]++
		}
	}
	return files, inFirst
}

// joinOf returns the join of tables with a column that names the images; empty if they have none. Images of one name
// differ in their first directory, which has a table.
func (d *draft) joinOf(ctx context.Context, tables []found, files, inFirst map[string]int) string {
	of := d.of(tables[0].typ)
	if of.typ.Divide != nil && len(of.typ.Divide(matchesOf(tables))) > 1 {
		return "" // they are written in different ways
	}
	keys, err := of.filePattern(ctx, tables)
	t := source{keys: keys, fileLines: len(keys)}
	if err == nil {
		err = of.addChoice(ctx, &t, tables, true)
	}
	of.list = []source{t}
	var s *summary
	if err == nil {
		s, err = of.inspectOnce(ctx)
	}
	if err != nil || len(s.lacking) > 0 || of.coco != nil { // of images, without their objects
		return ""
	}
	columns := slices.DeleteFunc(s.nameColumns(isFileName), func(c nameColumn) bool { return c.isList })
	const mostAbove = 2
	at, above := -1, -1 // directories that names begin with, and the images are in
	below := func(name string) string {
		parts := strings.SplitN(name, "/", above+1)
		return append(parts, "", "", "")[above]
	}
	isFile := func(name string) bool { return files[below(name)] > 0 }
	isOf := func(c nameColumn) bool {
		first := below(c.order[0])
		isMore := isNamed(first) || lastExtension(first) != "" // than a number
		return c.mostly(isFile) && (isMore || 2*len(c.order) >= len(d.tree.names))
	}
	for at < 0 && above < mostAbove {
		above++
		at = slices.IndexFunc(columns, isOf)
	}
	if at < 0 {
		return ""
	}
	key, many, from := "stem", "", ""
	switch first := below(columns[at].order[0]); {
	case strings.Contains(first, "/"):
		key = "path"
	case isImageName(first):
		key = "filename"
	}
	if columns[at].repeats > 0 {
		many = ", many: true"
	}
	on := key + ": " + scalar(columns[at].name)
	if above > 0 {
		on = key + ": name_below"
		from = fmt.Sprintf(", derive: {name_below: %s}",
			scalar(fmt.Sprintf("split(%s, '/', %d)[%d]", input.Operand(columns[at].name), above+1, above)))
	}
	if slices.ContainsFunc(columns[at].order, func(name string) bool { return files[below(name)] > 1 }) {
		if above > 0 {
			return ""
		}
		for _, n := range inFirst {
			if n > 1 || len(tables) == 1 {
				return ""
			}
		}
		column := "class"
		isSplit := func(l line) bool { return strings.HasPrefix(l.text, `from_path: "{split}`) }
		if slices.ContainsFunc(d.list[0].steps, isSplit) {
			column = "split"
		}
		pattern := firstInPaths(tables, inFirst, column)
		if pattern == "" {
			return ""
		}
		from = ", from_path: " + quoted(pattern)
		images := 0
		for _, name := range columns[at].order {
			images += files[name]
		}
		if s.valid() == images { // a row each
			many = ""
		}
		on = fmt.Sprintf("%s: %[1]s, %s", column, on)
	}
	for _, prefix := range []string{"", ", prefix: table."} { // images may have columns of these names
		join := fmt.Sprintf("{%s: %s%s, on: {%s}%s%s}", of.typ.name, flat(t.keys), from, on, many, prefix)
		s := d.list[0]
		s.steps = append(slices.Clip(s.steps), bare("join: "+join))
		if _, err := d.openAlone(ctx, s); err == nil {
			return "join: " + join
		}
	}
	return ""
}

// firstInPaths returns the pattern of the paths of tables that makes a column of the first directory of the images. It
// is the directory of each table, or begins its name. The pattern is empty if it is neither.
func firstInPaths(tables []found, inFirst map[string]int, column string) (pattern string) {
	dir := commonDir(pathsOf(tables)) + "/"
	for _, table := range tables {
		levels, own := strings.Split(strings.TrimPrefix(table.path, dir), "/"), ""
		for key := range inFirst {
			first, _, _ := strings.Cut(key, "/")
			rest, ok := strings.CutPrefix(levels[0], first)
			if ok && (rest == "" || strings.ContainsAny(rest[:1], nameSigns)) {
				own = "{" + column + "}" + rest
			}
		}
		if own != "" && len(levels) > 1 {
			own += "/**"
		}
		if own == "" || pattern != "" && own != pattern {
			return ""
		}
		pattern = own
	}
	return pattern
}

// flat returns keys in one line, with braces.
func flat(keys []line) string {
	var all spec
	for _, l := range keys {
		if l.items != nil { // a file each
			var values []string
			for _, item := range l.items {
				values = append(values, item[0].text)
			}
			l.text += " [" + strings.Join(values, ", ") + "]"
		}
		all = append(all, l.text)
	}
	return all.braced()
}

// addLoads adds steps that load the images, and their features. The features with their names
// stay.
func (d *draft) addLoads(s *summary) {
	if len(d.images) == 0 && d.tree != nil && d.tree.why != "" {
		d.notes = append(d.notes, d.tree.why)
	}
	d.noteMembers(s)
	for _, col := range s.columns {
		if !col.isImage || s.typ.ImageColumn == nil && !s.typ.Images {
			continue
		}
		d.addKeys(col.profile.images.convert(d.follow()))
	}
	for n, p := range d.images {
		at := slices.IndexFunc(p.files, func(c *companion) bool { return c != nil })
		if p.why != "" {
			at = -1
			d.note("The column %s names %ss, but %s.", shown(p.name), p.what, p.why)
		}
		unnamed := loss{p.unnamed, p.rows, "row", " name no image in " + shown(p.name) + p.without}
		if p.isList {
			unnamed.n = 0 // such a row is valid, and has no image
		}
		failed := loss{p.failed, p.looked, "image", " looked for cannot be read, such as " + p.first}
		if at < 0 || !d.mayLoad(p.files[at], "", mostUnreadable, unnamed) ||
			!d.mayLoad(p.files[at], "", mostLacking, failed) {
			p.files = make([]*companion, len(d.list))
			continue
		}
		var missing spec
		if p.isList && p.unnamed > 0 {
			missing.add("missing", "empty_list")
		}
		all := p.images.imageFeatures(p.column, missing)
		if p.as != "" {
			all = []feature{{key: p.column, from: p.column, spec: typed(p.as), note: "the content of the file"}}
		} else if n > 0 {
			all = all[:1]
		}
		d.features = append(d.features, all...)
	}
	for i := range d.list {
		var with []*companion
		for _, p := range d.images {
			if c := p.files[i]; c != nil {
				c.convert = p.images.convert(d.follow())
				with = append(with, c)
			}
		}
		d.addFiles(&d.list[i], with, "")
	}
}

// noteUnread adds comments on the files that are neither read nor loaded.
func (d *draft) noteUnread(s *summary) {
	var loaded []unreadFile         // the first file of each directory
	named, isKnown := 0, !s.partial // rows that name a file
	for _, p := range d.images {
		named, isKnown = named+len(p.order)+p.repeats, isKnown && !p.overflowed
		for _, c := range p.files {
			if c != nil {
				from, _ := c.path(anyLevels)
				loaded = append(loaded, unreadFile{from, c.files[0]})
			}
		}
	}
	all := slices.DeleteFunc(slices.Clone(d.unread), func(f unreadFile) bool {
		return slices.ContainsFunc(loaded, func(like unreadFile) bool {
			isLike := lastExtension(f.name) == lastExtension(like.name) || isImageName(f.name) && isImageName(like.name)
			return isLike && within(store.Join(f.dir, f.name), like.dir)
		})
	})
	isRandom := slices.ContainsFunc(d.split, func(l line) bool {
		return slices.ContainsFunc(l.below, func(l line) bool { return l.text == fractions.text })
	})
	if lists := d.splitLists(all); len(lists) > 0 && isRandom {
		d.note("The rows of each split may be in lists%s. To use them, make a source of each list and join the files "+
			"it names: configs/voc.yaml does.", examples(lists))
	}
	if more := len(d.unread) - len(all) - named; more > 0 && isKnown {
		d.note("No row names %s of those next to the loaded ones.", plural.Of(more, "file"))
	}
	if len(all) > 0 {
		note := fmt.Sprintf("Not read: %s, such as %s.", plural.Of(len(all), "other file"), shown(all[0].name))
		var documents []string
		const looked = 20
		for _, f := range all[:min(len(all), looked)] {
			path := store.Join(f.dir, f.name)
			r, err := d.types.recognize(d.System, path, false)
			if err == nil && r.typ != nil && r.typ.Choose != nil && r.typ.Rows == input.Objects && !r.typ.Directory {
				documents = append(documents, d.relative(path))
			}
		}
		if documents != nil {
			note += fmt.Sprintf(" Documents may have rows%s. `tfr-build init %s` looks for them.", examples(documents),
				documents[0])
		}
		head, err := readFileHead(d.System, store.Join(all[0].dir, all[0].name))
		isMarkup := err == nil && lastExtension(all[0].name) == "" && bytes.HasPrefix(head.Bytes, []byte("<"))
		if is := d.types.documentType(); isMarkup {
			note += fmt.Sprintf(" It may be an %s: init reads it if its name ends in .%s.", is.Noun, is.Extensions[0])
		}
		d.notes = slices.Insert(d.notes, 0, note)
	}
}

// splitLists returns files and tables next to the files that are rows whose names say that they divide these. One of a
// single split names some of the rows, line by line.
func (d *draft) splitLists(unread []unreadFile) (names []string) {
	if d.tree == nil {
		return nil
	}
	var all []unreadFile
	for _, table := range d.tree.tables {
		all = append(all, unreadFile{store.Dir(table.path), base(table.path)})
	}
	rows, _ := d.tree.countNames()
	for _, f := range append(all, unread...) {
		name := base(f.name)
		if splitList.MatchString(name) && (dividing.MatchString(name) || d.namesSome(store.Join(f.dir, f.name), rows)) {
			names = append(names, name)
		}
	}
	return unique(names)
}

// splitList matches names of files with the names in each split, and dividing names of files with all splits.
var (
	splitList = regexp.MustCompile(`(?i)(^|[^a-z])` +
		`(train|training|test|testing|val|valid|validation|dev|trainval|partition|split)(s|list)?([^a-z].*)?\.[a-z]+$`)
	dividing = regexp.MustCompile(`(?i)partition|split`)
)

// namesSome reports whether at least half of the lines of a file begin with the name of a row, and some rows have no
// line. The rows are counted by their names.
func (d *draft) namesSome(path string, rows map[string]int) bool {
	head, err := readFileHead(d.System, path)
	if err != nil {
		return false
	}
	named, n, others := map[string]bool{}, 0, 0
	for text := range strings.Lines(string(head.Bytes)) {
		name := base(strings.Trim(text[:strings.IndexAny(text+"\n", ",;|\t \r\n")], `"`))
		if rows[name] == 0 {
			others++
		} else {
			n, named[name] = n+1, true
		}
	}
	return n > 0 && n >= others && len(named) < len(d.tree.names)
}

// noteMembers adds a comment on names of members that have dots before their extension, so that each sample has
// columns of its own. Such columns become comments.
func (d *draft) noteMembers(s *summary) {
	byExt := map[string][]string{}
	for _, col := range s.columns {
		ext := lastExtension(col.name)
		if s.typ.Rows == input.Contents && col.profile != nil && col.profile.present() < 2 && ext != "" {
			byExt[ext] = append(byExt[ext], col.name)
		}
	}
	for _, ext := range sortedKeys(byExt) {
		names := byExt[ext]
		if len(names) < 2 {
			continue
		}
		d.note("The key of a sample ends at the first dot of a name, and the rest is "+
			"the column. %s are in one sample each, such as %s. Rename the members if a part of it is of the key.",
			plural.Of(len(names), "column"), shown(names[0]))
		isOf := func(f *feature) bool {
			return slices.ContainsFunc(names, func(name string) bool {
				return f.key == name || strings.HasPrefix(f.key, name+"/")
			})
		}
		for i := range d.features {
			if f := &d.features[i]; s.valid() > 1 && !f.skipped && isOf(f) {
				*f = f.asComment("one sample has it")
			}
		}
	}
}

// commentedConvert begins the commented key that makes images one size.
const commentedConvert = "# convert:"

// checkConvert replaces the commented lines of convert by a comment, if the features hold coordinates or masks that
// they do not move.
func (d *draft) checkConvert() {
	text := strings.ReplaceAll(string(d.text()), commentedConvert, "convert:")
	if text == string(d.text()) {
		return
	}
	cfg, err := d.parseText([]byte(text))
	stays := func(f feature) bool { return f.moves == "" && strings.HasPrefix(f.spec[0], "from: ") }
	haveMasks := d.tree != nil && slices.ContainsFunc(featuresOf(d.tree.with), stays)
	if err == nil && !haveMasks && cfg.UnmovedCoordinates() == nil && cfg.OtherCoordinates() == nil {
		return
	}
	d.keepSizes = true
	d.note("The images have several sizes. `convert` makes them one size, " +
		"with the columns of the coordinates in its `boxes`, `points`, or `polygons`, and PNG files in `masks`.")
}
