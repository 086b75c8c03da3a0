package infer

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tfr-build/internal/store"
	"tfr-build/pixels/header"
	"tfr-build/sources/files"
)

// An imageColumn is a column whose strings are the names of image files.
type imageColumn struct {
	column    string
	name      string    // name in `load`
	dir       string    // absolute directory of the images
	dirs      []string  // directories of the images of each source, if these differ
	names     []string  // names that are looked up
	found     []bool    // which of them are images
	rival     string    // another directory that has images of these names, and may be the right one
	fileStats fileStats // statistics of the headers that were read
	looked    int       // names that were looked up
	failed    int       // files that are missing or not images
	first     string    // the first of them
	rows      int       // rows that were read
	unnamed   int       // rows without a name
}

// lookedPictures is the number of images that are read.
const lookedPictures = 40

// maxRead is the size of the largest file that is read at once, in bytes. It is the default of
// limits.record: a build does not read a larger one, either.
const maxRead = 64 << 20

// findImageColumn returns the first column of a table whose strings are all names of image files.
// The files are next to the table, or in a directory there, or as far up as the source type says.
// It returns nil if no column names images.
func (s *summary) findImageColumn() *imageColumn {
	if s.paths == nil {
		return nil
	}
	dirs := s.imageDirectories()
	for _, col := range s.columns {
		if col.skipReason != "" || strings.ContainsAny(col.name, "{}") {
			continue
		}
		some, unnamed := s.imageNames(col)
		if len(some) == 0 {
			continue
		}
		if p := chooseDirectory(s.sys, dirs, some); p != nil {
			p.column, p.rows, p.unnamed, p.name, p.names = col.name, s.rows-s.invalid, unnamed, "image", some
			if slices.ContainsFunc(s.columns, func(c *columnSummary) bool { return c.name == "image" || strings.HasPrefix(c.name, "image.") }) {
				p.name = "picture"
			}
			return p
		}
	}
	return nil
}

// imageNames returns some of the strings of a column, evenly spaced, if all of those are names of
// images. The result unnamed is the number of rows without a name.
func (s *summary) imageNames(col *columnSummary) (some []string, unnamed int) {
	texts := col.profile
	if v := col.value; v != nil && v.strings == v.present() {
		texts, unnamed = v.profile, s.rows-s.invalid-v.strings
	} else if texts != nil {
		unnamed = texts.lacking()
	}
	if texts == nil {
		return nil, 0
	}
	isName := func(s string) bool { return header.FormatOfName(s) != 0 && filepath.IsLocal(s) }
	all := texts.counter.order
	for i := range min(len(all), lookedPictures) {
		if name := all[i*len(all)/min(len(all), lookedPictures)]; !isName(name) {
			return nil, 0
		} else {
			some = append(some, name)
		}
	}
	return some, unnamed
}

// An imageDirectory is a directory that may have the images of a table.
type imageDirectory struct {
	path string
	far  int // 0 for the directory of the table, 1 for the ones in it, and so on up
}

// imageDirectories returns the directories that may have the images of the tables. A directory of a split
// that the tables do not have has images of other rows.
func (s *summary) imageDirectories() (dirs []imageDirectory) {
	splits, seen := map[string]bool{}, map[string]bool{}
	for _, table := range s.paths {
		splits[splitOf(base(table))] = true
	}
	isOther := func(dir string) bool {
		split := splitOf(base(dir))
		return len(splits) == 1 && !splits[""] && split != "" && !splits[split]
	}
	for _, table := range s.paths {
		dir := store.Dir(table)
		if seen[dir+"/*"] {
			continue // another table of this directory
		}
		seen[dir+"/*"] = true
		for far := range s.typ.ImageDepth {
			for i, path := range s.directoriesOf(dir) {
				if !seen[path] && !isOther(path) {
					dirs = append(dirs, imageDirectory{path, 2*far + min(i, 1)})
				}
				seen[path] = true
			}
			dir = store.Dir(dir)
		}
	}
	return dirs
}

// chooseDirectory returns the directory with most of the images; nil if none has any. It prefers images that are
// not masks and the like, and then the closest directory. The result has a rival if another directory has some
// of the same names and is as close.
func chooseDirectory(sys *files.System, dirs []imageDirectory, names []string) *imageColumn {
	type candidate struct {
		*imageColumn
		isBeside int // 1 for masks and the like
		far      int
	}
	var all []candidate
	for _, dir := range dirs {
		p := &imageColumn{dir: dir.path, fileStats: *newFileStats()}
		if p.read(sys, names); p.failed < p.looked {
			c := candidate{imageColumn: p, far: dir.far}
			if besideImages.MatchString(base(dir.path)) {
				c.isBeside = 1
			}
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return nil
	}
	lacksMost := func(c candidate) int { return 2 * c.failed / c.looked }
	best := slices.MinFunc(all, func(a, b candidate) int {
		return cmp.Or(lacksMost(a)-lacksMost(b), a.isBeside-b.isBeside, a.failed-b.failed, a.far-b.far)
	})
	for _, c := range all {
		if c.dir == best.dir || c.isBeside > best.isBeside || c.far > best.far {
			continue
		}
		for i := range names {
			if c.found[i] && best.found[i] {
				best.rival = c.dir
			}
		}
	}
	return best.imageColumn
}

// mergeImages returns the images of several sources, each with a directory of its own; nil if some
// source has no images, or names them in another column.
func mergeImages(sys *files.System, list []*imageColumn) *imageColumn {
	if len(list) == 0 || slices.ContainsFunc(list, func(p *imageColumn) bool { return p == nil || p.column != list[0].column }) {
		return nil
	}
	all := &imageColumn{column: list[0].column, name: list[0].name, fileStats: *newFileStats()}
	for _, p := range list {
		all.dir, all.rival = p.dir, cmp.Or(all.rival, p.rival)
		all.read(sys, p.names)
		all.dirs = append(all.dirs, p.dir)
		all.rows += p.rows
		all.unnamed += p.unnamed
	}
	return all
}

// directoriesOf returns a directory and its subdirectories.
func (s *summary) directoriesOf(dir string) []string {
	below, _ := s.sys.Directories(dir) // an unreadable directory has no subdirectories
	return append([]string{dir}, below...)
}

// read reads the headers of images.
func (p *imageColumn) read(sys *files.System, names []string) {
	for _, name := range names {
		isImage := p.readHeader(sys, name)
		p.found = append(p.found, isImage)
		if p.looked++; !isImage {
			if p.failed++; p.first == "" {
				p.first = name
			}
		}
	}
}

// readHeader reads the header of an image. It reports whether the file is an image.
func (p *imageColumn) readHeader(sys *files.System, name string) bool {
	data, err := sys.ReadFile(store.Join(p.dir, name), maxRead)
	if err != nil {
		return false
	}
	info, err := header.Read(data, header.Limits{})
	if err == nil {
		p.fileStats.addImage(info.Format.String(), info.Colorspace, info.Width, info.Height, info.Orientation)
	}
	return err == nil
}

// unloaded returns a reason if a build would skip too many rows because of the images; otherwise it
// is empty.
func (p *imageColumn) unloaded() string {
	const mostFailed = 25 // percent of the images
	switch {
	case 100*p.unnamed > mostUnreadable*p.rows:
		return share(p.unnamed, p.rows, "row") + " name no image"
	case 100*p.failed > mostFailed*p.looked:
		return share(p.failed, p.looked, "image") + " looked for cannot be read, such as " + shown(p.first)
	}
	return ""
}

// addLoad adds a step that loads the images, and their features. The feature with their names
// stays.
func (d *draft) addLoad(p *imageColumn) {
	for i := range d.features {
		if f := &d.features[i]; f.key == p.column {
			*f = feature{key: f.key, spec: "string", note: "names the image"}
			if p.unnamed > 0 {
				f.spec = "{type: string, missing: omit}"
			}
		}
	}
	step := func(dir string) string {
		return p.name + ": {path: " + quoted("{"+p.column+"}") + ", dir: " + scalar(d.relative(dir)) + "}"
	}
	if p.rival != "" {
		d.notes = append(d.notes, fmt.Sprintf("The column %s names images, but both %s and %s have images of these names: none is loaded. To load them from one directory: `load: {%s}`.",
			shown(p.column), shown(d.relative(p.dir)), shown(d.relative(p.rival)), step(p.dir)))
		return
	}
	if why := p.unloaded(); why != "" {
		d.notes = append(d.notes, fmt.Sprintf("The column %s names images, but %s; a row without its image is an invalid row. To load the others: `load: {%s}`, `on_error: quarantine`, and `max_errors`.", shown(p.column), why, step(p.dir)))
		return
	}
	for i := range d.list {
		dir := p.dir
		if len(p.dirs) > 0 {
			dir = p.dirs[i]
		}
		d.list[i].steps = append(d.list[i].steps, line{"load:", ""}, line{"  " + step(dir), "each row names a file there"})
	}
	d.features = append(d.features, p.fileStats.imageFeatures(p.name)...)
	if p.failed > 0 {
		d.allowErrors(p.failed, p.looked, share(p.failed, p.looked, "image")+" looked for cannot be read; the first: "+shown(p.first))
	}
	if p.unnamed > 0 {
		d.allowErrors(p.unnamed, p.rows, share(p.unnamed, p.rows, "row")+" name no image")
	}
}
