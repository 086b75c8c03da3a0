package infer

import (
	"path/filepath"
	"slices"
	"strings"

	"tfr-build/sources/files"
	"tfr-build/sources/image"
)

// A pictures is a column whose texts are the names of image files.
type pictures struct {
	column string
	name   string // of the load
	dir    string // absolute
	folder folder // what the headers of some say
}

// lookedPictures is how many of the files are looked at.
const lookedPictures = 20

// pictures finds the column of a table that names images: the first whose texts are
// all names of files beside the table, or in a folder there.
func (d *draft) pictures(s *seen) *pictures {
	if s.kind != "csv" && s.kind != "json" || s.tables == nil {
		return nil
	}
	beside := files.Dir(s.tables[0])
	folders := s.foldersOf(beside)
	if s.kind == "json" { // annotations have a folder of their own
		folders = append(folders, s.foldersOf(files.Dir(beside))...)
	}
	for _, col := range s.columns {
		if col.out != "" || strings.ContainsAny(col.name, "{}") {
			continue
		}
		texts := col.profile
		if col.value != nil {
			texts = col.value.profile
		}
		if texts == nil {
			continue
		}
		some := texts.tally.order
		some = some[:min(len(some), lookedPictures)]
		isName := func(s string) bool { return slices.Contains(imageExtensions, lastExtension(s)) && filepath.IsLocal(s) }
		if len(some) == 0 || slices.ContainsFunc(some, func(s string) bool { return !isName(s) }) {
			continue
		}
		for _, dir := range folders {
			p := &pictures{column: col.name, dir: dir, name: "image", folder: *newFolder()}
			if !p.read(s.sys, some) {
				continue
			}
			if slices.ContainsFunc(s.columns, func(c *columnSeen) bool { return c.name == "image" || strings.HasPrefix(c.name, "image.") }) {
				p.name = "picture"
			}
			return p
		}
	}
	return nil
}

// foldersOf are a folder and those in it.
func (s *seen) foldersOf(dir string) []string {
	below, _ := s.sys.Folders(dir) // without them there is the folder itself
	return append([]string{dir}, below...)
}

// read reads the headers of images; it reports whether all are there.
func (p *pictures) read(sys *files.System, names []string) bool {
	for _, name := range names {
		data, err := sys.ReadFile(files.Join(p.dir, name))
		if err != nil {
			return false
		}
		facts, err := image.Read(data, image.Limits{})
		if err != nil {
			return false
		}
		p.folder.see(facts.Format.String(), facts.Colorspace, facts.Width, facts.Height, facts.Orientation)
	}
	return true
}

// load writes what loads the images, and their features.
func (d *draft) load(p *pictures) {
	for i := range d.list {
		d.list[i].steps = append(d.list[i].steps, line{"load:", ""},
			line{"  " + p.name + ": {path: " + quoted("{"+p.column+"}") + ", dir: " + scalar(d.relative(p.dir)) + "}", "each row names a file there"})
	}
	for i := range d.features {
		if f := &d.features[i]; f.key == p.column {
			*f = f.left("string", "it names the image")
		}
	}
	d.features = append(d.features, p.folder.picture(p.name)...)
}
