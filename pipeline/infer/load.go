package infer

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/internal/store"
	"tfr-build/pipeline/config"
	"tfr-build/sources/input"
)

// An imageColumn is a column whose strings are the names of image files.
type imageColumn struct {
	column    string
	suffix    string      // extension that completes the names, with its dot
	name      string      // name in `load`
	rows      int         // rows that were read
	unnamed   int         // rows without a name
	paths     []imagePath // of the images of each source
	why       string      // why no image is loaded; empty if they are
	fileStats fileStats   // statistics of the headers that were read
	looked    int         // names that were looked up
	failed    int         // files that are missing or not images
	first     string      // the first of them
}

// An imagePath is where the images of a source are, as `load` has it.
type imagePath struct{ from, path, dir string } // from is a pattern with a column of path, for the paths of tables

// A tableGroup is the tables in one directory.
type tableGroup struct {
	*summary
	source int
	dir    string
}

// findImages finds the columns whose strings are names of images. The files are next to the table, or in a directory
// there, or as far up as the source type says. The tables of each directory are looked at on their own.
func (d *draft) findImages(ctx context.Context, s *summary) error {
	if d.tree != nil {
		d.noteTables(ctx)
	}
	if s.typ.ImageDepth == 0 || d.tree != nil && len(d.tree.with) > 0 {
		return nil
	}
	if s.paths == nil && d.tree != nil {
		for _, name := range d.tree.names {
			s.paths = append(s.paths, store.Join(d.tree.dir, name))
		}
	}
	dirs := s.imageDirectories()
	columns := s.nameColumns()
	var groups []tableGroup
	add := func(c *nameColumn, suffix string) (err error) {
		p := &imageColumn{column: c.name, suffix: suffix, rows: s.rows - s.invalid, unnamed: c.unnamed,
			fileStats: *newFileStats()}
		d.images = append(d.images, p)
		if chooseDirectory(d.System, dirs, c, suffix) == nil {
			p.why = "no directory near has them: none is loaded"
			if other := inOtherCase(d.System, dirs, c.names[0]); other != "" {
				p.why = shown(c.names[0]) + " is " + shown(d.relative(other)) +
					" there: none is loaded, as `load` needs equal names"
			}
			return nil
		}
		p.name = "image"
		isTaken := func(col *columnSummary) bool { return col.name == p.name || strings.HasPrefix(col.name, p.name+".") }
		switch {
		case len(d.images) > 1:
			p.name = c.name[strings.LastIndexAny(c.name, ".@")+1:] + "_image"
		case slices.ContainsFunc(s.columns, isTaken):
			p.name = "picture"
		}
		if groups == nil {
			if groups, err = d.groupTables(ctx, s); err != nil {
				return err
			}
		}
		p.choose(d, groups)
		return nil
	}
	for i := range columns {
		if c := &columns[i]; c.are(isImageName) {
			if err := add(c, ""); err != nil {
				return err
			}
		}
	}
	const most = 20 // columns whose values are looked up as names without an extension
	for i := range columns[:min(len(columns), most)] {
		if suffix, ok := suffixOf(d.System, dirs, &columns[i]); ok && len(d.images) == 0 {
			return add(&columns[i], suffix)
		}
	}
	return nil
}

// noteTables adds a comment on each table next to images, with the join of the column that names these.
func (d *draft) noteTables(ctx context.Context) {
	stems := map[string]bool{}
	for _, name := range d.tree.names {
		stems[stemOf(name)], stems[base(name)] = true, true
	}
	for _, table := range d.tree.tables {
		path := d.relative(table.path)
		note := fmt.Sprintf("Next to the images is %s. `tfr-build init %s` writes a config of its rows", shown(path),
			path)
		of := d.ofObjects(table.typ)
		of.output = d.output
		t := source{keys: []line{{"files: " + scalar(path), ""}}, fileLines: 1}
		err := of.addChoice(ctx, &t, []found{table}, true)
		of.list = []source{t}
		var s *summary
		if err == nil {
			s, err = of.inspectOnce(ctx)
		}
		if err == nil { // init of the table has the error
			columns := s.nameColumns()
			at := slices.IndexFunc(columns, func(c nameColumn) bool { return c.are(func(name string) bool { return stems[name] }) })
			if at >= 0 {
				key, many := "stem", ""
				if isImageName(columns[at].names[0]) {
					key = "filename"
				}
				if columns[at].counter.repeats > 0 {
					many = ", many: true"
				}
				note += fmt.Sprintf(", and `join: {%s: {%s}, on: {%s: %s}%s}` adds its columns to the images",
					of.typ.name, t.flat(), key, scalar(columns[at].name), many)
			}
		}
		d.notes = append(d.notes, note+".")
	}
}

// flat returns the keys of a source in one line.
func (s *source) flat() string {
	var keys []string
	for _, l := range s.keys {
		keys = append(keys, l.text)
	}
	return strings.Join(keys, ", ")
}

// groupTables returns the tables of each source and directory.
func (d *draft) groupTables(ctx context.Context, s *summary) (groups []tableGroup, err error) {
	of := *d
	of.images, of.coco = nil, nil
	inspect := func(t source) (*summary, error) {
		of.list = []source{t}
		return of.inspectOnce(ctx)
	}
	for i, t := range d.list {
		t.steps = nil
		one := s
		if len(d.list) > 1 {
			if one, err = inspect(t); err != nil {
				return nil, err
			}
		}
		byDir := map[string][]found{}
		for _, path := range one.paths {
			byDir[store.Dir(path)] = append(byDir[store.Dir(path)], found{path: path})
		}
		if len(byDir) < 2 || t.fileLines == 0 || len(byDir) > filesMost {
			groups = append(groups, tableGroup{one, i, store.Dir(append(one.paths, s.paths...)[0])})
			continue
		}
		for _, dir := range slices.Sorted(maps.Keys(byDir)) {
			keys, err := of.filePattern(ctx, byDir[dir])
			if err != nil {
				return nil, err
			}
			part := t
			part.keys = append(keys, t.keys[t.fileLines:]...)
			summary, err := inspect(part)
			if err != nil {
				return nil, err
			}
			groups = append(groups, tableGroup{summary, i, dir})
		}
	}
	return groups, nil
}

// choose chooses the directories of the images for each group of tables, or finds why it cannot.
func (p *imageColumn) choose(d *draft, groups []tableGroup) {
	braces := "{" + p.column + "}" + p.suffix
	p.paths = make([]imagePath, len(d.list))
	for _, g := range groups {
		columns := g.nameColumns()
		at := slices.IndexFunc(columns, func(c nameColumn) bool { return c.name == p.column })
		if at < 0 {
			p.why = cmp.Or(p.why, "the tables in "+shown(d.relative(g.dir))+" do not")
			continue
		}
		f := chooseDirectory(d.System, g.imageDirectories(), &columns[at], p.suffix)
		if f == nil {
			p.why = cmp.Or(p.why, "no directory has the images of the tables in "+shown(d.relative(g.dir)))
			continue
		}
		path := imagePath{path: braces, dir: f.path}
		if len(f.rivals) > 0 {
			teller := tellingColumn(columns, append(f.rivals, f.path))
			if teller == "" || len(groups) > 1 {
				p.blame(d, f, path)
				continue
			}
			path = imagePath{path: "{" + teller + "}/" + braces, dir: store.Dir(f.path)}
		}
		p.count(f, columns[at].names)
		isAlso := func(other tableGroup) bool { return other.source == g.source && other.dir != g.dir }
		p.addPath(d, g, path, slices.ContainsFunc(groups, isAlso))
	}
	if first := p.paths[0]; p.why == "" {
		const mostFailed = 25 // percent of the images
		load := "; a row without its image is an invalid row. To load the others: `load: {" + p.step(d, first) +
			"}`, `on_error: quarantine`, and `max_errors`"
		switch {
		case 100*p.unnamed > mostUnreadable*p.rows:
			p.why = share(p.unnamed, p.rows, "row") + " name no image" + load
		case 100*p.failed > mostFailed*p.looked:
			p.why = share(p.failed, p.looked, "image") + " looked for cannot be read, such as " + shown(p.first) + load
		}
	}
}

// blame says why the images of a directory are not loaded. Another directory has images of the same names, or has the
// images that are missing here.
func (p *imageColumn) blame(d *draft, f *foundImages, path imagePath) {
	one, other := shown(d.relative(f.path)), shown(d.relative(f.rivals[0]))
	if f.failed == 0 {
		p.why = "both " + one + " and " + other + " have images of these names: none is loaded. To load them from one directory: `load: {" +
			p.step(d, path) + "}`"
		return
	}
	key := "filename"
	if p.suffix != "" {
		key = "stem"
	}
	p.why = fmt.Sprintf("some are in %s, others in %s: none is loaded. A source of the images finds each by its name: `%s: {dir: %s}`, "+
		"`join: {%s: {%s}, on: {%s: %s}}`", one, other, d.types.directoryType(true).name, scalar(d.relative(store.Dir(f.path))),
		d.typ.name, d.list[0].flat(), key, scalar(p.column))
}

// tellingColumn returns the column whose values are the names of the directories, which are in one directory; ""
// without one.
func tellingColumn(columns []nameColumn, dirs []string) string {
	want := map[string]bool{}
	for _, dir := range dirs {
		if store.Dir(dir) != store.Dir(dirs[0]) {
			return ""
		}
		want[base(dir)] = true
	}
	for _, c := range columns {
		isOther := func(value string) bool { return !want[value] }
		if c.unnamed == 0 && !c.counter.overflowed && len(c.counter.order) == len(want) && !slices.ContainsFunc(c.counter.order, isOther) {
			return c.name
		}
	}
	return ""
}

// count adds the images of a directory to the statistics.
func (p *imageColumn) count(f *foundImages, names []string) {
	p.fileStats.add(&f.stats)
	p.looked, p.failed = p.looked+len(names), p.failed+f.failed
	if at := slices.Index(f.found, false); at >= 0 && p.first == "" {
		p.first = names[at]
	}
}

// addPath adds the path of the images of some tables of a source. If the source has tables in several directories,
// the path may depend on these.
func (p *imageColumn) addPath(d *draft, g tableGroup, path imagePath, several bool) {
	was := &p.paths[g.source]
	t := d.list[g.source]
	isPattern := strings.Contains(t.keys[0].text, "/*/") &&
		!slices.ContainsFunc(t.steps, func(l line) bool { return strings.HasPrefix(l.text, "from_path:") }) // of other columns
	if rest, below := strings.CutPrefix(path.dir+"/", g.dir+"/"); below && several && isPattern {
		path = imagePath{"{directory}/*", "{directory}/" + rest + path.path, store.Dir(g.dir)}
	}
	if was.dir != "" && *was != path {
		at := func(p imagePath) string { return shown(d.relative(store.Join(p.dir, store.Dir(p.path)))) }
		p.why = "the tables have them in several directories, such as " + at(*was) + " and " + at(path) +
			": none is loaded. A source for the tables of each directory loads them"
	}
	*was = path
}

// step returns the entry of `load`.
func (p *imageColumn) step(d *draft, path imagePath) string {
	return p.name + ": {path: " + quoted(path.path) + ", dir: " + scalar(d.relative(path.dir)) + "}"
}

// addLoads adds steps that load the images, and their features. The features with their names
// stay.
func (d *draft) addLoads(s *summary) {
	if len(d.images) == 0 && d.tree != nil && d.tree.why != "" {
		d.notes = append(d.notes, d.tree.why)
	}
	loaded := map[int]bool{} // sources with the key
	d.noteMembers(s)
	for _, col := range s.columns {
		if s.typ.ImageColumn == nil || !col.isImage {
			continue
		}
		if convert, ok := col.profile.images.convert(d.follow()); ok {
			for i := range d.list {
				d.list[i].keys = append(d.list[i].keys, convert)
			}
		}
	}
	for n, p := range d.images {
		for i := range d.features {
			f := &d.features[i]
			switch {
			case f.key != strings.ReplaceAll(p.column, ".", "/") && f.key != p.column:
			case p.suffix != "":
				f.skipped = f.skipped && f.fallback == notFallback
				f.note = joinNotes(strings.TrimPrefix(f.note, "skipped: "), "names the image")
			default:
				s := spec{keys: []string{"type: string"}}
				if f.key != p.column {
					s.keys = slices.Insert(s.keys, 0, "from: "+scalar(p.column))
				}
				if p.unnamed > 0 {
					s.add("missing", "omit")
				}
				*f = feature{key: f.key, spec: s.String(), note: "names the image"}
			}
		}
		if p.why != "" {
			d.notes = append(d.notes, "The column "+shown(p.column)+" names images, but "+p.why+".")
			continue
		}
		for i, path := range p.paths {
			t := &d.list[i]
			if from := (line{"from_path: " + quoted(path.from), "the directory of the table"}); path.from != "" && !slices.Contains(t.steps, from) {
				t.steps = slices.Insert(t.steps, 0, from)
			}
			if !loaded[i] {
				t.steps = append(t.steps, line{"load:", ""})
			}
			loaded[i] = true
			t.steps = append(t.steps, p.lines(d, path)...)
		}
		all := p.fileStats.imageFeatures(p.name)
		if n > 0 {
			all = all[:1]
		}
		for i := range all {
			if slices.ContainsFunc(d.features, func(f feature) bool { return f.key == all[i].key }) {
				all[i].key = p.name + "/" + all[i].key
			}
		}
		d.features = append(d.features, all...)
		if p.failed > 0 {
			d.allowErrors(p.failed, p.looked, share(p.failed, p.looked, "image")+" looked for cannot be read; the first: "+shown(p.first))
		}
		if p.unnamed > 0 {
			d.allowErrors(p.unnamed, p.rows, share(p.unnamed, p.rows, "row")+" name no image")
		}
	}
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
	for _, ext := range slices.Sorted(maps.Keys(byExt)) {
		names := byExt[ext]
		if len(names) < 2 {
			continue
		}
		d.notes = append(d.notes, fmt.Sprintf("The key of a sample ends at the first dot of a name, and the rest is the column. %s are in one sample each, "+
			"such as %s. Rename the members if a part of it is of the key.", plural.Of(len(names), "column"), shown(names[0])))
		isOf := func(f *feature) bool {
			return slices.ContainsFunc(names, func(name string) bool { return f.key == name || strings.HasPrefix(f.key, name+"/") })
		}
		for i := range d.features {
			if f := &d.features[i]; s.rows-s.invalid > 1 && !f.skipped && isOf(f) {
				*f = f.asComment(f.spec, "one sample has it")
			}
		}
	}
}

// checkConvert replaces the commented lines of convert by a comment, if they would not be valid because the features
// hold coordinates that they do not move.
func (d *draft) checkConvert() {
	const commented = "# convert:"
	text := strings.ReplaceAll(string(d.text()), commented, "convert:")
	cfg, err := config.Parse(filepath.Join(d.dir, d.name+".yaml"), []byte(text), func(string) (string, bool) { return "", false })
	if err == nil && cfg.UnmovedCoordinates() == nil {
		return
	}
	isConvert := func(l line) bool { return strings.HasPrefix(strings.TrimSpace(l.text), commented) }
	for i := range d.list {
		d.list[i].keys = slices.DeleteFunc(d.list[i].keys, isConvert)
		d.list[i].steps = slices.DeleteFunc(d.list[i].steps, isConvert)
	}
	d.notes = append(d.notes, "The images have several sizes. `convert` makes them one size, "+
		"with the columns of the coordinates in its `boxes`, `points`, or `polygons`.")
}

// lines returns the lines of the entry of `load`. If the images have several sizes, a comment makes them one size.
func (p *imageColumn) lines(d *draft, path imagePath) []line {
	convert, ok := p.fileStats.convert(d.follow())
	if !ok {
		return []line{{"  " + p.step(d, path), "each row names a file there"}}
	}
	convert.text = "    " + convert.text
	return []line{
		{"  " + p.name + ":", "each row names a file there"},
		{"    path: " + quoted(path.path), ""}, {"    dir: " + scalar(d.relative(path.dir)), ""}, convert,
	}
}
