package infer

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"tfr-build/internal/store"
	"tfr-build/pixels/header"
	"tfr-build/sources/files"
)

// lookedPictures is the number of images that are read.
const lookedPictures = 40

// maxRead is the size of the largest file that is read at once, in bytes. It is the default of
// limits.record: a build does not read a larger one, either.
const maxRead = 64 << 20

// A nameColumn is a column of strings that may be the names of files.
type nameColumn struct {
	name    string
	names   []string // some, evenly spaced
	unnamed int      // rows without a name
	counter *counter // all
}

// are reports whether all of the names have a property.
func (c *nameColumn) are(is func(name string) bool) bool {
	return !slices.ContainsFunc(c.names, func(name string) bool { return !is(name) })
}

// nameColumns returns the columns, also those in objects, whose strings may be names of files.
func (s *summary) nameColumns() (list []nameColumn) {
	rows := s.rows - s.invalid
	add := func(name string, p *profile, unnamed int) {
		all := p.texts.counter.order
		if strings.ContainsAny(name, "{}") || len(all) == 0 || slices.ContainsFunc(all, isNoName) {
			return
		}
		c := nameColumn{name: name, unnamed: unnamed, counter: &p.texts.counter}
		for i := range min(len(all), lookedPictures) {
			c.names = append(c.names, all[i*len(all)/min(len(all), lookedPictures)])
		}
		list = append(list, c)
	}
	var addValue func(name string, p *profile)
	addValue = func(name string, p *profile) {
		switch {
		case p.texts.count > 0 && p.texts.count == p.present():
			add(name, p, rows-p.texts.count)
		case p.objects > 0 && p.objects == p.present() && !p.isMap():
			for _, key := range p.keys {
				if key != "" && key != "*" && !strings.Contains(key, ".") { // a path cannot name others
					addValue(name+"."+key, p.fields[key])
				}
			}
		}
	}
	for _, col := range s.columns {
		if col.skipReason == "" && col.profile != nil {
			addValue(col.name, col.profile)
		}
	}
	return list
}

// isNoName reports whether a string cannot be the name of a file below a directory.
func isNoName(s string) bool {
	const longest = 255
	return len(s) > longest || strings.ContainsAny(s, "\r\n\x00") || strings.Contains(s, "://") || !filepath.IsLocal(s)
}

// An imageDirectory is a directory that may have the images of a table.
type imageDirectory struct {
	path string
	far  int // 0 for the directory of the table, 1 for the ones in it, and so on up
}

// mostDirectories is the largest number of directories on a level that are looked at.
const mostDirectories = 40

// imageDirectories returns the directories that may have the images of the tables. A directory of a split
// that the tables do not have has images of other rows.
func (s *summary) imageDirectories() (dirs []imageDirectory) {
	far := map[string]int{}
	splits := [2]map[string]bool{{}, {}} // in the names of the tables, and also of their directories
	for _, table := range s.paths {
		split := splitOf(base(table))
		splits[0][split] = true
		splits[1][cmp.Or(split, splitOf(base(store.Dir(table))))] = true
	}
	isOther := func(dir string, splits map[string]bool) bool {
		split := splitOf(base(dir))
		return len(splits) == 1 && !splits[""] && split != "" && !splits[split]
	}
	seen := map[string]bool{}
	for _, table := range s.paths {
		dir := store.Dir(table)
		if seen[dir] {
			continue // another table of this directory
		}
		seen[dir] = true
		for up := range s.typ.ImageDepth {
			level := []string{dir}
			for down := range 3 {
				var below []string
				for _, path := range level {
					own, _ := s.sys.Directories(path) // an unreadable directory has no subdirectories
					below = append(below, own...)
					this := 3*up + down
					switch was, is := far[path]; {
					case is:
						far[path] = min(was, this)
					case !isOther(path, splits[min(up, 1)]):
						far[path] = this
						dirs = append(dirs, imageDirectory{path: path})
					}
				}
				if level = below; len(level) > mostDirectories {
					break
				}
			}
			dir = store.Dir(dir)
		}
	}
	for i := range dirs {
		dirs[i].far = far[dirs[i].path]
	}
	return dirs
}

// A foundImages is the images of some names in a directory.
type foundImages struct {
	imageDirectory
	isBeside int // 1 for masks and the like
	found    []bool
	failed   int
	stats    fileStats
	rivals   []string // directories that have images of these names, too, and may be the right ones
}

// lookFor looks for images in a directory.
func lookFor(sys *files.System, dir imageDirectory, names []string, suffix string) *foundImages {
	f := &foundImages{imageDirectory: dir, stats: *newFileStats()}
	if besideImages.MatchString(base(dir.path)) {
		f.isBeside = 1
	}
	for _, name := range names {
		data, err := sys.ReadFile(store.Join(dir.path, name+suffix), maxRead)
		var info header.Info
		if err == nil {
			info, err = header.Read(data, header.Limits{})
		}
		if f.found = append(f.found, err == nil); err != nil {
			f.failed++
			continue
		}
		f.stats.addHeader(&info)
	}
	return f
}

// chooseDirectory returns the directory with most of the images; nil if none has any. It prefers images that are
// not masks and the like, unless the column names these, and then the closest directory. Directories that have some
// of the same names and are as close are its rivals.
func chooseDirectory(sys *files.System, dirs []imageDirectory, c *nameColumn, suffix string) *foundImages {
	var all []*foundImages
	for _, dir := range dirs {
		if f := lookFor(sys, dir, c.names, suffix); f.failed < len(c.names) {
			if besideImages.MatchString(c.name) {
				f.isBeside = 1 - f.isBeside
			}
			all = append(all, f)
		}
	}
	if len(all) == 0 {
		return nil
	}
	lacksMost := func(f *foundImages) int { return 2 * f.failed / len(c.names) }
	best := slices.MinFunc(all, func(a, b *foundImages) int {
		return cmp.Or(lacksMost(a)-lacksMost(b), a.isBeside-b.isBeside, a.failed-b.failed, a.far-b.far)
	})
	for _, f := range all {
		if f == best || f.isBeside > best.isBeside || f.far > best.far && best.failed == 0 {
			continue
		}
		for i := range c.names {
			if f.found[i] && (best.found[i] && f.far <= best.far || !best.found[i]) {
				best.rivals = append(best.rivals, f.path)
				break
			}
		}
	}
	return best
}

// isImageName reports whether a name has the extension of an image.
func isImageName(name string) bool { return header.FormatOfName(name) != 0 }

// suffixOf returns the suffix that makes the names of a column the names of images next to the table, one per row: an
// extension, or the empty string if the files have no extension.
func suffixOf(sys *files.System, dirs []imageDirectory, c *nameColumn) (suffix string, ok bool) {
	if slices.ContainsFunc(c.names, isImageName) || c.counter.repeats > 0 {
		return "", false
	}
	suffixes := []string{""}
	for _, f := range header.Formats() {
		for _, ext := range f.Extensions() {
			suffixes = append(suffixes, "."+ext, "."+strings.ToUpper(ext))
		}
	}
	for _, suffix := range suffixes {
		for _, dir := range dirs {
			if dir.far > 1 && !isNamed(c.names[0]) {
				continue // many directories have files with numbers
			}
			_, err := sys.Stat(c.names[0], store.Join(dir.path, c.names[0]+suffix))
			if err == nil && lookFor(sys, dir, c.names, suffix).failed == 0 {
				return suffix, true
			}
		}
	}
	return "", false
}

// inOtherCase returns a file whose name differs from a name by the case of its letters; "" without one.
func inOtherCase(sys *files.System, dirs []imageDirectory, name string) string {
	ext := filepath.Ext(name)
	stem, lower, upper := strings.TrimSuffix(name, ext), strings.ToLower(ext), strings.ToUpper(ext)
	for _, dir := range dirs {
		for _, other := range []string{stem + lower, stem + upper, strings.ToLower(name), strings.ToUpper(name)} {
			path := store.Join(dir.path, other)
			if _, err := sys.Stat(other, path); err == nil {
				return path
			}
		}
	}
	return ""
}
