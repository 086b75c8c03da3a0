package infer

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/pixels/header"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/input"
)

// imageStats counts images.
type imageStats struct {
	looked  int            // number of images
	formats map[string]int // images by format
	colors  map[string]int
	low     [2]int // width and height
	high    [2]int
	turned  int // images whose EXIF orientation is not 1
}

// add counts an image. It reports whether the content of a file is one.
func (f *imageStats) add(content []byte) bool {
	i, err := header.Read(content, header.Limits{})
	if err != nil {
		return false
	}
	size := [2]int{i.Width, i.Height}
	if f.looked++; f.formats == nil {
		f.formats, f.colors, f.low = map[string]int{}, map[string]int{}, size
	}
	f.formats[i.Format.String()]++
	f.colors[i.Colorspace]++
	for k, n := range size {
		f.low[k], f.high[k] = min(f.low[k], n), max(f.high[k], n)
	}
	if i.Orientation != 1 {
		f.turned++
	}
	return true
}

// lookedMost is the largest number of files that are read.
const lookedMost = 400

// mostOfClasses is the number of directories of classes that are kept.
const mostOfClasses = 10_000

// addName counts a name, which may be missing.
func (p *profile) addName(name string) {
	if p.count++; name == "" {
		p.nulls++
	} else {
		p.texts.count++
		p.texts.counter.add([]byte(name), 1)
	}
}

// inspectFiles inspects sources whose rows are files. Files of a directory are counted and sampled. Those in an archive
// are read, since only that finds them.
func (s *summary) inspectFiles(ctx context.Context) error {
	content, classes := newProfile(leastStored, 0), newProfile(mostOfClasses, 0)
	slots := []schema.Column{{Name: "content"}, {Name: "class"}, {Name: "path"}}
	if _, err := s.opened[0].Bind([]schema.Column{{Name: labelColumn}}); err == nil {
		slots[1].Name = labelColumn
	}
	if s.typ.Images {
		slots[0].Name = "image"
	}
	isListed, extensions, ofImages := s.opened[0].Listing().Sized, map[string]bool{}, []string(nil)
	for _, src := range s.opened {
		if !isListed {
			break
		}
		if err := classes.addClasses(ctx, src, slots[1:2]); err != nil {
			return err
		}
	}
	s.reading.asBytes = true
	err := s.readAll(ctx, slots, func(vals []schema.Value) error {
		before := content.images.looked
		if err := content.add(&s.reading, &vals[0], 0); err != nil || isListed {
			return err
		}
		name := string(vals[2].Text)
		s.seeTable(name)
		s.members = append(s.members, name)
		if content.images.looked > before {
			ofImages = append(ofImages, name)
			extensions[lastExtension(name)] = true
		}
		return nil
	})
	images := content.images.looked
	others := content.count - images
	isImages := s.typ.Images || !isListed && images > 0 && (others == 0 || images >= others && !extensions[""])
	if isImages && !isListed {
		if s.members = ofImages; others > 0 {
			some := list(sortedKeys(extensions))
			s.keys = append(s.keys, entry("extensions: "+some, plural.Of(others, "other file")+" in it"))
		}
	}
	if isImages {
		slots[0].Name = "image"
	}
	s.columns = []*columnSummary{{name: slots[0].Name, profile: content, isImage: isImages}}
	class := &columnSummary{name: slots[1].Name, profile: classes}
	areSplits := level{classes.texts.counts, classes.nulls}.splits() != nil
	if isListed {
		s.noteClasses(&classes.texts, areSplits)
	} else {
		class, areSplits = s.addMembers("path"), false
	}
	s.addClassColumn(class, areSplits)
	return err
}

// seeTable adds a comment if a member of an archive is a table, whose rows are not read.
func (s *summary) seeTable(name string) {
	isOf := func(t *sourceType) bool { return !t.Directory && slices.Contains(t.Extensions, lastExtension(name)) }
	if s.table == "" && slices.ContainsFunc(s.types, isOf) {
		s.table = name
		s.note("A table in the archive, such as %s, is one string. "+
			"To read its rows, unpack the archive and run tfr-build init for the table.", shown(name))
	}
}

// addClasses counts the classes of the files of a directory. It reads no file.
func (p *profile) addClasses(ctx context.Context, src *sources.Source, class []schema.Column) error {
	layout, err := src.Bind(class)
	if err != nil {
		return err
	}
	layout.NamesOnly()
	reader := layout.NewReader()
	defer reader.Close()
	for i := range src.Listing().Files {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		vals, err := reader.Read(i, 0, nil)
		if err != nil {
			vals = []schema.Value{{}}
		}
		p.addName(string(vals[0].Text))
	}
	return nil
}

// addClassColumn adds the columns of the class, if there are classes other than splits, and of the name of a file.
func (s *summary) addClassColumn(class *columnSummary, areSplits bool) {
	name := "path"
	switch class.isClass = true; {
	case len(class.profile.texts.order) == 0 && s.columns[0].isImage:
		name = "filename"
	case len(class.profile.texts.order) > 0 && !areSplits:
		s.columns = append(s.columns, class)
	}
	s.columns = append(s.columns, &columnSummary{name: name})
}

// isSampled reports whether rows may have classes that were not read. The names of all files of a directory are.
func (s *summary) isSampled() bool {
	return s.partial && (s.typ.Rows != input.FileRows || !s.typ.Directory)
}

// imageFeatures returns the features of images in a column, with notes from their headers.
func (f *imageStats) imageFeatures(column string, missing spec) []feature {
	of := func(key, fact, note string) feature {
		return feature{key: key, from: column + fact, spec: missing, note: note}
	}
	heights, widths := span(f.low[1], f.high[1]), span(f.low[0], f.high[0])
	if f.looked == 0 {
		heights, widths = "", ""
	}
	list := []feature{
		of(column, "", countList(f.formats)),
		of("height", ".height", heights),
		of("width", ".width", widths),
		of("channels", ".channels", countList(f.colors)),
	}
	list[0].spec = append(spec{"from: " + column}, missing...)
	if f.turned > 0 {
		list = append(list, of("orientation", ".orientation", share(f.turned, f.looked, "image")+" to be turned"))
	}
	return list
}

// numberedPart matches names of directories that may be parts of a set.
var numberedPart = regexp.MustCompile(
	`(?i)(part|fold|image|img|batch|chunk|set|volume|vol|split|dir|folder|shard|disk)s?[ _-]?\d+$`)

// noteClasses adds comments on classes whose names differ only in case, or are names of splits.
func (s *summary) noteClasses(x *texts, areSplits bool) {
	dirs, names := level{files: x.counts}, x.sorted()
	s.noteCase("classes", names)
	if len(names) > 1 && dirs.are(numberedPart.MatchString) {
		s.note("The classes differ by a number only%s. If they are parts of one set, delete the line of the label.",
			examples(names))
	}
	if some := dirs.mixedSplits(); some != nil && !areSplits {
		s.noteMixed("Classes", some, "")
	}
}

// convert returns a commented line that would make images of different sizes the same size. follow has the keys that
// move boxes with them; it may be empty. The line is empty if the images have one size.
func (f *imageStats) convert(follow string) (l line) {
	if f.looked == 0 || f.low == f.high && f.turned == 0 {
		return l
	}
	side := 32
	for _, n := range []int{64, 128, 224} {
		if n <= min(f.high[0], f.high[1]) {
			side = n
		}
	}
	keys := fmt.Sprintf("orientation: apply, color: rgb, resize: {width: %d, height: %d, fit: cover, up: true}, "+
		"format: jpeg", side, side)
	l.note = "would make them one size: they are " + sizes(f.low, f.high)
	if f.low == f.high {
		keys = "orientation: apply"
		l.note = "would turn those that EXIF says are to be turned"
	}
	if follow != "" {
		keys += ", of: turned, " + follow
		l.note += "; of: stored, if the boxes are not of the turned images"
	}
	l.text = commentedConvert + " {" + keys + "}"
	return l
}

// span returns a range of numbers as text.
func span(low, high int) string {
	if low == high {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("%d to %d", low, high)
}

// sizes returns a range of widths and heights as text.
func sizes(low, high [2]int) string {
	if low == high {
		return fmt.Sprintf("%d x %d", low[0], low[1])
	}
	return fmt.Sprintf("%d x %d to %d x %d", low[0], low[1], high[0], high[1])
}

// countList lists names with their counts.
func countList(of map[string]int) string {
	names := sortedKeys(of)
	if len(names) == 1 {
		return names[0]
	}
	var all []string
	for _, name := range names {
		all = append(all, fmt.Sprintf("%d %s", of[name], cmp.Or(name, "without extension")))
	}
	return strings.Join(all, ", ")
}
