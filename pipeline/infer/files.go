package infer

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/pixels/header"
	"tfr-build/schema"
	"tfr-build/sources"
)

// fileStats counts files that are rows.
type fileStats struct {
	files   int
	classes level // of the files
	below   level // the second directories of members of an archive

	classColumn string         // column of the class
	partial     bool           // other classes may exist
	looked      int            // number of files that were read
	formats     map[string]int // images by format
	colors      map[string]int
	low         [2]int // width and height
	high        [2]int
	turned      int // images whose EXIF orientation is not 1
	texts       int // files that are UTF-8
}

func newFileStats() *fileStats {
	return &fileStats{classColumn: "class", classes: newLevel(), below: newLevel(),
		formats: map[string]int{}, colors: map[string]int{}, low: [2]int{1 << 30, 1 << 30}}
}

// addImage counts an image. It reports whether the content of a file is one.
func (f *fileStats) addImage(content []byte) bool {
	i, err := header.Read(content, header.Limits{})
	if err != nil {
		return false
	}
	f.looked++
	f.formats[i.Format.String()]++
	f.colors[i.Colorspace]++
	for k, n := range [...]int{i.Width, i.Height} {
		f.low[k], f.high[k] = min(f.low[k], n), max(f.high[k], n)
	}
	if i.Orientation != 1 {
		f.turned++
	}
	return true
}

// lookedMost is the largest number of files that are read.
const lookedMost = 400

// inspectFiles inspects sources whose rows are files. Files of a directory are counted and sampled.
// Those in an archive are read, since only that finds them.
func (s *summary) inspectFiles(ctx context.Context, opened []*sources.Source) error {
	s.fileStats = newFileStats()
	if !opened[0].Listing().Sized {
		return s.inspectMembers(ctx, opened)
	}
	for _, src := range opened {
		if err := s.countClasses(ctx, src); err != nil {
			return err
		}
	}
	column, add := "content", s.fileStats.addContent
	if s.typ.Images {
		column, add = "image", func(content []byte) { s.fileStats.addImage(content) }
	}
	err := s.readAll(ctx, opened, []schema.Column{{Name: column}}, func(_ int, vals []schema.Value) { add(vals[0].Text) })
	s.notes = append(s.notes, s.fileStats.warnings()...)
	return err
}

// inspectMembers inspects the files in archives.
func (s *summary) inspectMembers(ctx context.Context, opened []*sources.Source) error {
	f, images := s.fileStats, newFileStats() // of all members, and of images
	extensions := map[string]bool{}
	slots := []schema.Column{{Name: "content"}, {Name: "class"}, {Name: "path"}}
	err := s.readAll(ctx, opened, slots, func(_ int, vals []schema.Value) {
		name := string(vals[2].Text)
		s.seeTable(name)
		f.addMember(name, &vals[1])
		f.addContent(vals[0].Text)
		if header.Begins(vals[0].Text) && images.addImage(vals[0].Text) {
			images.addMember(name, &vals[1])
			extensions[lastExtension(name)] = true
		}
	})
	if err != nil {
		return err
	}
	others := f.files - images.files
	if s.images = images.files > 0 && (others == 0 || images.files > others && !extensions[""]); s.images {
		f = images
	}
	if s.images && others > 0 {
		some := list(slices.Sorted(maps.Keys(extensions)))
		s.keys = append(s.keys, line{"extensions: " + some, plural.Of(others, "other file") + " in it"})
	}
	if s.fileStats = f; f.useSecondDirectory() {
		s.steps = append(s.steps, line{text: "derive:"},
			line{`  directory: split(path, "/")[1]`, "the first one is the same for all"})
	}
	f.partial = s.partial
	s.notes = append(s.notes, f.warnings()...)
	return nil
}

// seeTable adds a comment if a member of an archive is a table, whose rows are not read.
func (s *summary) seeTable(name string) {
	isOf := func(t *sourceType) bool { return !t.Directory && slices.Contains(t.Extensions, lastExtension(name)) }
	if s.table == "" && slices.ContainsFunc(s.types, isOf) {
		s.table = name
		s.notes = append(s.notes, "A table in the archive, such as "+shown(name)+", is one string. "+
			"To read its rows, unpack the archive and run tfr-build init for the table.")
	}
}

// addMember counts a member of an archive with its class.
func (f *fileStats) addMember(name string, class *schema.Value) {
	f.addFile(class)
	f.below.add(name, 1)
}

// useSecondDirectory takes the second directory of the members for their class, if all are below one. It reports
// whether it does.
func (f *fileStats) useSecondDirectory() bool {
	if len(f.classes.files) != 1 || len(f.below.files) < 2 || f.below.without > 0 {
		return false
	}
	f.classes, f.classColumn = f.below, "directory"
	return true
}

// countClasses counts the files by class. It reads no file.
func (s *summary) countClasses(ctx context.Context, src *sources.Source) error {
	layout, err := src.Bind([]schema.Column{{Name: "class"}})
	if err != nil {
		return err
	}
	layout.NamesOnly()
	reader := layout.NewReader()
	defer reader.Close()
	f := s.fileStats
	for i := range src.Listing().Files {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		vals, err := reader.Read(i, 0, nil)
		if err != nil {
			vals = []schema.Value{{}}
		}
		f.addFile(&vals[0])
	}
	s.size += int64(f.files)
	return nil
}

// addFile counts a file with its class.
func (f *fileStats) addFile(class *schema.Value) {
	f.files++
	f.classes.add(string(class.Text)+"/", 0)
}

// addContent counts the content of a file that may be text.
func (f *fileStats) addContent(content []byte) {
	f.looked++
	if isText(content) {
		f.texts++
	}
}

// features returns the features of files. images is true if all files are images.
func (f *fileStats) features(images bool) (list []feature) {
	add := func(key, spec, note string) { list = append(list, feature{key: key, spec: spec, note: note}) }
	switch {
	case images:
		list = f.imageFeatures("image")
	case f.texts == f.looked:
		add("content", "string", plural.Of(f.looked, "file")+", all UTF-8")
	default:
		add("content", "bytes", share(f.looked-f.texts, f.looked, "file")+" no UTF-8")
	}
	if label, ok := f.label(); ok {
		list = append(list, label)
	}
	name := "filename"
	if !images || len(f.classes.files) > 0 {
		name = "path"
	}
	add(name, "string", "")
	return list
}

// imageFeatures returns the features of images in a column, with notes from their headers.
func (f *fileStats) imageFeatures(column string) []feature {
	of := func(fact string) string { return "{from: " + column + "." + fact + "}" }
	list := []feature{
		{key: column, spec: "{from: " + column + "}", note: countList(f.formats)},
		{key: "height", spec: of("height"), note: span(f.low[1], f.high[1])},
		{key: "width", spec: of("width"), note: span(f.low[0], f.high[0])},
		{key: "channels", spec: of("channels"), note: countList(f.colors)},
	}
	if f.turned > 0 {
		list = append(list, feature{key: "orientation", spec: of("orientation"),
			note: share(f.turned, f.looked, "image") + " to be turned"})
	}
	return list
}

// label returns the feature of the classes; ok is false without classes.
func (f *fileStats) label() (feature, bool) {
	names := slices.Sorted(maps.Keys(f.classes.files))
	l := feature{key: "label"}
	if len(names) == 0 || f.areSplits() {
		return l, false
	}
	least, most := f.files, 0
	for _, n := range f.classes.files {
		least, most = min(least, n), max(most, n)
	}
	l.spec = "{from: " + f.classColumn + ", classes: " + classList(names) + "}"
	l.note = fmt.Sprintf("%d classes of %s files", len(names), span(least, most))
	switch {
	case f.partial:
		l.spec, l.note = "{from: "+f.classColumn+", classes: auto, missing: omit}", "the first directory"
	case len(names) == 1:
		return l.asComment("one class"), true
	case f.classes.without > 0:
		l.spec = "{from: " + f.classColumn + ", classes: " + classList(names) + ", missing: omit}"
		l.note += "; " + share(f.classes.without, f.files, "file") + " in no directory"
	}
	return l, true
}

// areSplits reports whether each file is in a directory named after a split.
func (f *fileStats) areSplits() bool {
	return !f.partial && f.classes.splits() != nil
}

// classList returns names as a list, or auto if they are many.
func classList(names []string) string {
	hasLines := func(s string) bool { return strings.ContainsAny(s, "\r\n") }
	if len(names) > mostListed || slices.ContainsFunc(names, hasLines) {
		return "auto"
	}
	return list(names)
}

// warnings returns warnings about classes whose names differ only in case, or are names of splits.
func (f *fileStats) warnings() (notes []string) {
	lower, splits := map[string]string{}, map[string]bool{}
	var some []string
	for _, name := range slices.Sorted(maps.Keys(f.classes.files)) {
		if was, there := lower[strings.ToLower(name)]; there {
			notes = append(notes, fmt.Sprintf("The classes %s and %s differ by case only: are they one?", shown(was),
				shown(name)))
		}
		lower[strings.ToLower(name)] = name
		if split := splitOf(name); split != "" {
			splits[split], some = true, append(some, shown(name))
		}
	}
	const few = 3
	if len(splits) > 1 && !f.areSplits() {
		notes = append(notes, fmt.Sprintf("Classes such as %s look like splits: their files are mixed here. "+
			"A source for each directory, with `split`, keeps them apart.", strings.Join(some[:min(len(some), few)], ", ")))
	}
	return notes
}

// convert returns a commented line that would make images of different sizes the same size. follow has the keys that
// move boxes with them; it may be empty.
func (f *fileStats) convert(follow string) (l line, ok bool) {
	if f.looked == 0 || f.low == f.high && f.turned == 0 {
		return line{}, false
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
	l.text = "# convert: {" + keys + "}"
	return l, true
}

// span returns a range of numbers as text.
func span(low, high int) string {
	switch {
	case low > high: // no number
		return ""
	case low == high:
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
	names := slices.Sorted(maps.Keys(of))
	if len(names) == 1 {
		return names[0]
	}
	var all []string
	for _, name := range names {
		all = append(all, fmt.Sprintf("%d %s", of[name], name))
	}
	return strings.Join(all, ", ")
}
