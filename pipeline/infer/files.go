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
	classes map[string]int // number of files by class
	without int            // number of files without a class
	below   map[string]int // number of members of an archive by their second directory

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
	return &fileStats{classColumn: "class", below: map[string]int{}, classes: map[string]int{},
		formats: map[string]int{}, colors: map[string]int{}, low: [2]int{1 << 30, 1 << 30}}
}

// addHeader counts an image by its header.
func (f *fileStats) addHeader(i *header.Info) {
	f.addImage(i.Format.String(), i.Colorspace, i.Width, i.Height, i.Orientation)
}

// addMetadata counts an image by the values of imageMetadata.
func (f *fileStats) addMetadata(of []schema.Value) {
	f.addImage(string(of[0].Text), string(of[1].Text), atoi(of[2].Text), atoi(of[3].Text), atoi(of[4].Text))
}

func (f *fileStats) addImage(format, colors string, width, height, orientation int) {
	f.looked++
	f.formats[format]++
	f.colors[colors]++
	for k, n := range [...]int{width, height} {
		f.low[k], f.high[k] = min(f.low[k], n), max(f.high[k], n)
	}
	if orientation != 1 {
		f.turned++
	}
}

// lookedMost is the largest number of files that are read.
const lookedMost = 400

// classesMost is the largest number of classes that are kept.
const classesMost = 100_000

// inspectFiles inspects sources whose rows are files. Files of a directory are counted and sampled.
// Those in an archive are read, since only that finds them.
func (s *summary) inspectFiles(ctx context.Context, opened []*sources.Source) error {
	s.fileStats = newFileStats()
	if !opened[0].Listing().Sized {
		return s.inspectMembers(ctx, opened)
	}
	slots, visit := []schema.Column{{Name: "content"}}, s.fileStats.addContent
	if s.typ.Images {
		slots, visit = addMetadata(nil, "image"), s.fileStats.addMetadata
	}
	for _, src := range opened {
		if err := s.countClasses(ctx, src); err != nil {
			return err
		}
	}
	err := s.readAll(ctx, opened, slots, func(_ int, vals []schema.Value) { visit(vals) })
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
		info, err := header.Read(vals[0].Text, header.Limits{})
		if err != nil || !header.Begins(vals[0].Text) {
			f.addContent(vals)
			return
		}
		images.addMember(name, &vals[1])
		extensions[lastExtension(name)] = true
		for _, to := range []*fileStats{f, images} {
			to.addHeader(&info)
		}
	})
	if err != nil {
		return err
	}
	others := f.files - images.files
	if s.images = images.files > 0 && (others == 0 || images.files > others && !extensions[""]); s.images && others > 0 {
		f = images
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
	if levels := levelsOf(name); len(levels) > 1 && len(f.below) < classesMost {
		f.below[levels[1]]++
	}
}

// useSecondDirectory takes the second directory of the members for their class, if all are below one. It reports
// whether it does.
func (f *fileStats) useSecondDirectory() bool {
	files := 0
	for _, n := range f.below {
		files += n
	}
	if len(f.classes) != 1 || len(f.below) < 2 || files < f.files {
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
		var class *schema.Value
		if vals, err := reader.Read(i, 0, nil); err == nil && len(vals[0].Text) > 0 {
			class = &vals[0]
		}
		f.addFile(class)
	}
	s.size += int64(f.files)
	return nil
}

// addFile counts a file with its class, which may be nil.
func (f *fileStats) addFile(class *schema.Value) {
	f.files++
	if class == nil || class.Kind == schema.Missing {
		f.without++
	} else if name := string(class.Text); f.classes[name] > 0 || len(f.classes) < classesMost {
		f.classes[name]++
	}
}

// atoi returns the value of digits, which are valid.
func atoi(digits []byte) (n int) {
	for _, d := range digits {
		n = 10*n + int(d-'0')
	}
	return n
}

// addContent counts a file that is not an image.
func (f *fileStats) addContent(vals []schema.Value) {
	f.looked++
	if isText(vals[0].Text) {
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
	if !images || len(f.classes) > 0 {
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
	names := slices.Sorted(maps.Keys(f.classes))
	l := feature{key: "label"}
	if len(names) == 0 || f.areSplits() {
		return l, false
	}
	least, most := f.files, 0
	for _, n := range f.classes {
		least, most = min(least, n), max(most, n)
	}
	l.spec = "{from: " + f.classColumn + ", classes: " + classList(names) + "}"
	l.note = fmt.Sprintf("%d classes of %s files", len(names), span(least, most))
	switch {
	case f.partial:
		l.spec, l.note = "{from: "+f.classColumn+", classes: auto, missing: omit}", "the first directory"
	case len(names) == 1:
		return l.asComment(l.spec, "one class"), true
	case f.without > 0:
		l.spec = "{from: " + f.classColumn + ", classes: " + classList(names) + ", missing: omit}"
		l.note += "; " + share(f.without, f.files, "file") + " in no directory"
	}
	return l, true
}

// areSplits reports whether each file is in a directory named after a split.
func (f *fileStats) areSplits() bool {
	return level{f.classes, f.without == 0 && !f.partial}.splits() != nil
}

// classList returns names as a list, or auto if they are many.
func classList(names []string) string {
	hasLines := func(s string) bool { return strings.ContainsAny(s, "\r\n") }
	if len(names) > mostListed || slices.ContainsFunc(names, hasLines) {
		return "auto"
	}
	return list(names)
}

// warnings returns warnings about the classes.
func (f *fileStats) warnings() []string { return append(f.alike(), f.likeSplits()...) }

// alike warns about classes whose names differ only in case.
func (f *fileStats) alike() (notes []string) {
	lower := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(f.classes)) {
		key := strings.ToLower(name)
		if was, there := lower[key]; there {
			notes = append(notes, fmt.Sprintf("The classes %s and %s differ by case only: are they one?",
				shown(was), shown(name)))
		}
		lower[key] = name
	}
	return notes
}

// likeSplits warns about classes that are named after splits.
func (f *fileStats) likeSplits() (notes []string) {
	var some []string
	splits := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(f.classes)) {
		if split := splitOf(name); split != "" {
			splits[split] = true
			some = append(some, shown(name))
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
