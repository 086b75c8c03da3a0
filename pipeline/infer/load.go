package infer

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"tfr-build/internal/store"
	"tfr-build/sources/files"
	"tfr-build/sources/image"
)

// A pictures is a column whose texts are the names of image files.
type pictures struct {
	column string
	name   string // of the load
	dir    string // absolute
	folder folder // what the headers of some say
	looked int    // names that were looked for
	failed int    // of these, files that are missing or no images
	first  string // of those
	rows   int    // that were read
	lacks  int    // of these, rows without a name
}

// lookedPictures is how many of the files are looked at, and leastPictures how many of
// the first of them tell that a folder holds none.
const lookedPictures, leastPictures = 40, 10

// pictures finds the column of a table that names images: the first whose texts are
// all names of files beside the table, or in a folder there.
func (s *seen) pictures() *pictures {
	isJSON := s.kind == "json" || s.kind == "jsonl"
	if s.kind != "csv" && !isJSON || s.tables == nil {
		return nil
	}
	beside := store.Dir(s.tables[0])
	folders := s.foldersOf(beside)
	if isJSON { // annotations have a folder of their own
		folders = append(folders, s.foldersOf(store.Dir(beside))...)
	}
	for _, col := range s.columns {
		if col.out != "" || strings.ContainsAny(col.name, "{}") {
			continue
		}
		some, lacks := s.imageNames(col)
		if len(some) == 0 {
			continue
		}
		if p := bestFolder(s.sys, folders, some); p != nil {
			p.column, p.rows, p.lacks, p.name = col.name, s.rows-s.bad, lacks, "image"
			if slices.ContainsFunc(s.columns, func(c *columnSeen) bool { return c.name == "image" || strings.HasPrefix(c.name, "image.") }) {
				p.name = "picture"
			}
			return p
		}
	}
	return nil
}

// imageNames are some of the texts of a column, evenly, if all are names of images. lacks
// is how many rows have none.
func (s *seen) imageNames(col *columnSeen) (some []string, lacks int) {
	texts := col.profile
	if v := col.value; v != nil && v.strings == v.there() {
		texts, lacks = v.profile, s.rows-s.bad-v.strings
	} else if texts != nil {
		lacks = texts.lacking()
	}
	if texts == nil {
		return nil, 0
	}
	isName := func(s string) bool { return slices.Contains(imageExtensions, lastExtension(s)) && filepath.IsLocal(s) }
	all := texts.tally.order
	for i := range min(len(all), lookedPictures) {
		if name := all[i*len(all)/min(len(all), lookedPictures)]; !isName(name) {
			return nil, 0
		} else {
			some = append(some, name)
		}
	}
	return some, lacks
}

// bestFolder is the folder that holds the most of the images; nil where none does.
func bestFolder(sys *files.System, folders, names []string) (best *pictures) {
	for _, dir := range folders {
		p := &pictures{dir: dir, folder: *newFolder()}
		p.read(sys, names)
		if p.failed < p.looked && (best == nil || p.failed < best.failed) {
			best = p
		}
		if p.failed == 0 {
			break
		}
	}
	return best
}

// foldersOf are a folder and those in it.
func (s *seen) foldersOf(dir string) []string {
	below, _ := s.sys.Folders(dir) // without them there is the folder itself
	return append([]string{dir}, below...)
}

// read reads the headers of images, until it is clear that most are not there.
func (p *pictures) read(sys *files.System, names []string) {
	for _, name := range names {
		if p.looked++; !p.see(sys, name) {
			if p.failed++; p.first == "" {
				p.first = name
			}
		}
		if p.looked == p.failed && p.failed >= leastPictures {
			return
		}
	}
}

// see reads the header of an image; it reports whether there is one.
func (p *pictures) see(sys *files.System, name string) bool {
	data, err := sys.ReadFile(store.Join(p.dir, name), math.MaxInt64)
	if err != nil {
		return false
	}
	facts, err := image.Read(data, image.Limits{})
	if err == nil {
		p.folder.see(facts.Format.String(), facts.Colorspace, facts.Width, facts.Height, facts.Orientation)
	}
	return err == nil
}

// unloaded says why a build would lose too many rows with the images; empty where it
// would not.
func (p *pictures) unloaded() string {
	const mostFailed = 25 // percent of the images
	switch {
	case 100*p.lacks > mostUnreadable*p.rows:
		return share(p.lacks, p.rows, "row") + " name no image"
	case 100*p.failed > mostFailed*p.looked:
		return share(p.failed, p.looked, "image") + " looked for cannot be read, such as " + shown(p.first)
	}
	return ""
}

// load writes what loads the images, and their features. The name of an image stays.
func (d *draft) load(p *pictures) {
	for i := range d.features {
		if f := &d.features[i]; f.key == p.column {
			*f = feature{key: f.key, spec: "string", note: "names the image"}
			if p.lacks > 0 {
				f.spec = "{type: string, missing: omit}"
			}
		}
	}
	step := p.name + ": {path: " + quoted("{"+p.column+"}") + ", dir: " + scalar(d.relative(p.dir)) + "}"
	if why := p.unloaded(); why != "" {
		d.notes = append(d.notes, fmt.Sprintf("The column %s names images, but %s; a row without its image is an invalid row. To load the others: `load: {%s}`, `on_error: quarantine`, and `max_errors`.", shown(p.column), why, step))
		return
	}
	for i := range d.list {
		d.list[i].steps = append(d.list[i].steps, line{"load:", ""}, line{"  " + step, "each row names a file there"})
	}
	d.features = append(d.features, p.folder.picture(p.name)...)
	if p.failed > 0 {
		d.lose(p.failed, p.looked, share(p.failed, p.looked, "image")+" looked for cannot be read; the first: "+shown(p.first))
	}
	if p.lacks > 0 {
		d.lose(p.lacks, p.rows, share(p.lacks, p.rows, "row")+" name no image")
	}
}
