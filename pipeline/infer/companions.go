package infer

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/internal/store"
	"tfr-build/pipeline/config"
	"tfr-build/sources/column"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// A form is what the files with the names of images have in them: a line or an element of a list for each object.
type form struct {
	typ      string // of the joined table
	options  []line
	layout   string         // in comments
	where    string         // condition of a line, if other files are there
	lines    *regexp.Regexp // that a file may have
	derive   []line
	features []feature

	objects []input.Option // of documents: options that make the objects the rows
}

// what says what the files of a form are.
func (c *companion) what() string {
	text := c.form.layout + ": " + plural.Of(len(c.files), "file") + " with the names of images"
	if c.lacking > 0 {
		text += "; " + share(c.lacking, len(c.rows)+c.lacking, "image") + " have none"
	}
	return text
}

// layouts has the forms of lines of text, in paragraphs. The first line of a form has its name, the pattern of a line
// with N for numbers, I for integers, and F for numbers from 0 to 1, and the condition on the number of words. The
// others have a column that is derived from the line, its feature, and the key of `convert` that moves it. A comment
// follows a #. The last form is of objects in COCO's layout, which have such columns without a line.
//
//go:embed layouts.txt
var layouts string

var formNumbers = strings.NewReplacer("I", `[-+]?[0-9]+(\.0*)?`, "N", `[-+]?[0-9.]+([eE][-+]?[0-9]+)?`,
	"F", `(0?\.[0-9]+|0\.?|1(\.0*)?|[0-9.]+[eE]-[0-9]+)`)

// readLayouts returns the forms of lines of text, and of the objects of COCO.
func readLayouts() (forms []*form) {
	for text := range strings.SplitSeq(layouts, "\n\n") {
		var f *form
		for row := range strings.Lines(text) {
			cells := append(strings.Split(strings.TrimSuffix(row, "\n"), " | "), "", "")
			if f == nil {
				f = &form{layout: cells[0], where: `size(split(trim(text), " ")) ` + cells[2],
					lines: regexp.MustCompile("^" + formNumbers.Replace(cells[1]) + "$")}
				continue
			}
			column, note, _ := strings.Cut(cells[0], " # ")
			f.derive = append(f.derive, entry(column, note))
			column, _, _ = strings.Cut(column, ":")
			keys, note, _ := strings.Cut(cells[1], " # ")
			if key, keys, is := strings.Cut(keys, ": "); is {
				f.features = append(f.features, feature{key: "objects/" + key, from: "objects." + column,
					spec: typed(keys), note: note, moves: cells[2]})
			}
		}
		forms = append(forms, f)
	}
	return forms
}

// addCompanions finds the files that belong to the rows of a tree, among images that may be masks and other files. It
// returns those that belong to none.
func (f *findings) addCompanions(ctx context.Context, t *tree, beside, others []string) (rest []string, err error) {
	rest = slices.Concat(beside, others)
	if len(t.names) == 0 || len(rest) == 0 {
		return rest, nil
	}
	for _, c := range newFileFinder(t.dir, t.names).addFiles(rest).takeAll() {
		c.column = c.name()
		if !isImageName(c.files[0]) {
			if err := f.readForm(ctx, c, slices.Concat(others, t.settings)); err != nil {
				return nil, err
			}
			if c.form == nil && (c.as == "" && c.documents == nil || len(c.files) == 1 && len(t.names) > 1) {
				continue // one file may have the name of an image by chance
			}
		}
		rest = without(rest, c.files)
		hasForm := func(other *companion) bool {
			return c.form != nil && other.form != nil && other.form.layout == c.form.layout &&
				other.place.end == c.place.end
		}
		if at := slices.IndexFunc(t.with, hasForm); at >= 0 {
			t.with[at].merge(c, t.names)
			continue
		}
		other := slices.IndexFunc(t.with, func(other *companion) bool { return other.form != nil })
		if c.form != nil && other >= 0 {
			c.form, c.as, c.odd = nil, "bytes", shown(t.with[other].files[0])+
				" has objects of the image, too. To get these instead, move such files"
		}
		t.add(c)
	}
	for _, c := range t.with {
		glob := c.glob()
		isThere := func(name string) bool { return files.Match(glob, store.Join(c.root, name)) }
		c.mixed = slices.ContainsFunc(without(others, c.files), isThere)
		rest = without(rest, []string{c.classes})
		if c.form != nil && c.form.objects != nil && c.lacking == 0 && !c.deep {
			document := *c
			document.form, document.as, document.column, document.spare = nil, "bytes", "document", true
			t.add(&document)
		}
	}
	return rest, nil
}

// add adds a companion under a name of its own.
func (t *tree) add(c *companion) {
	for slices.ContainsFunc(t.with, func(other *companion) bool { return other.column == c.column }) {
		c.column += "_"
	}
	t.with = append(t.with, c)
}

// without returns names without some of them.
func without(names, some []string) []string {
	isOne := column.SetOf(some)
	return filter(names, func(name string) bool { return !isOne[name] })
}

// filter returns the names that have a property.
func filter(names []string, is func(name string) bool) (some []string) {
	for _, name := range names {
		if is(name) {
			some = append(some, name)
		}
	}
	return some
}

// readForm reads some files of a companion to find out their form. Files of other forms stay without one.
func (f *findings) readForm(ctx context.Context, c *companion, others []string) error {
	if lastExtension(c.files[0]) == "txt" {
		f.readTexts(c, others)
		return nil
	}
	r, err := f.types.recognize(f.System, store.Join(c.root, c.files[0]), false)
	switch {
	case err != nil:
		return err
	case r.typ == nil || r.typ.Choose == nil || r.typ.Rows != input.Objects:
		return nil
	case r.typ.Directory:
		c.documents = r.typ
		return nil
	}
	c.as = "bytes"
	var all []found
	for _, name := range c.files {
		all = append(all, found{path: store.Join(c.root, name), recognized: r})
	}
	choice, err := f.choose(ctx, all...)
	if err != nil || len(choice.Options) == 0 {
		return err
	}
	c.form = &form{typ: r.typ.name, layout: "documents, whose other keys are not joined",
		options: optionLines(choice.Options), objects: choice.Options}
	for _, l := range c.form.options {
		others := without(sortedKeys(choice.Arrays), []string{strings.TrimPrefix(l.text, "rows: ")})
		if len(others) > 0 {
			c.form.layout = "documents, whose other keys, such as " + others[0] + ", are not joined"
		}
	}
	return nil
}

// readTexts finds the form of lines of text; files of another form are loaded.
func (f *findings) readTexts(c *companion, others []string) {
	forms, lines, used, n := readLayouts(), 0, map[int]bool{}, min(len(c.files), lookedMost)
	names, file, why, havePoints := f.classNames(c.root, others)
	if havePoints {
		forms = slices.DeleteFunc(forms, func(f *form) bool { return f.layout == "YOLO's polygons" })
	}
	fit, odd := make([]int, len(forms)), make([]string, len(forms)) // lines of each form, and the first other one
	for i := range n {
		name, at := c.files[i*len(c.files)/n], 0
		data, err := f.ReadFile(store.Join(c.root, name), maxRead)
		if err != nil || !isText(data) {
			data, c.binary = []byte("no text"), true
		}
		for text := range strings.Lines(string(data)) {
			at++
			line := strings.TrimRight(text, "\r\n")
			if text = strings.TrimRight(line, " "); text == "" {
				c.blank = c.blank || line != ""
				continue
			}
			lines++
			for i, form := range forms {
				if form.lines.MatchString(text) {
					fit[i]++
				} else if odd[i] == "" {
					odd[i] = shown(fmt.Sprintf("%s:%d", name, at))
				}
			}
			first, _, _ := strings.Cut(text, " ")
			class, _ := strconv.ParseFloat(first, 64)
			used[int(class)] = true
		}
	}
	best := slices.Index(fit, slices.Max(fit))
	switch c.as = "bytes"; {
	case 10*fit[best] <= lines: // by chance
		return
	case fit[best] < lines:
		c.odd = fmt.Sprintf("%s are not %s, the first in %s. To get objects, change such lines, or move their files",
			share(lines-fit[best], lines, "line"), forms[best].layout, odd[best])
		return
	}
	c.form = forms[best]
	if best == 1 {
		c.form.features[1].note += "; the first is in " + odd[0]
	}
	c.form.typ, c.form.options = f.types.lineType().name, []line{bare("skip_blank: true")}
	label := &c.form.features[0]
	if label.key != "objects/label" {
		return
	}
	for _, class := range slices.Sorted(maps.Keys(used)) {
		if class < 0 || class >= len(names) || strings.HasPrefix(names[class]+"#", "#") {
			why = cmp.Or(why, fmt.Sprintf("%s has no name for %d", shown(file), class))
		}
	}
	for i := range names { // others without a name
		names[i] = cmp.Or(names[i], strconv.Itoa(i))
	}
	if len(unique(names)) < len(names) {
		why = cmp.Or(why, shown(file)+" has a name twice")
	}
	switch {
	case file == "":
	case why == "":
		label.spec = spec{"classes: {names: " + list(names) + ", numbers: true}"}
		label.note, c.classes = "names from "+file, file
	default:
		label.note = "YOLO's numbers, from 0: " + why
	}
}

// classNames returns the names of YOLO's classes, and the file that has them: classes.txt, Darknet's obj.names, or
// settings such as data.yaml, which may also say that objects have points. The result why says that files
// have different names.
func (f *findings) classNames(root string, others []string) (names []string, file, why string, havePoints bool) {
	for _, name := range others {
		ext := lastExtension(name)
		isYAML, isLines := ext == "yaml" || ext == "yml", ext == "names" || base(name) == "classes.txt"
		if !isYAML && !isLines {
			continue
		}
		data, _ := f.ReadFile(store.Join(root, name), maxRead) // a file that cannot be read has no names
		havePoints = havePoints || isYAML && bytes.Contains(data, []byte("kpt_shape:"))
		own := config.NumberedNames(data)
		if isLines && isText(data) {
			own = strings.Split(strings.TrimSpace(strings.TrimPrefix(string(data), "\ufeff")), "\n")
		}
		for i := range own {
			own[i] = strings.TrimSpace(own[i])
		}
		switch {
		case file == "" && own != nil:
			names, file = own, name
		case own != nil && !slices.Equal(own, names):
			why = shown(file) + " and " + shown(name) + " have different names"
		}
	}
	return names, file, why, havePoints
}

// takenNames are names of other columns and features of images, without a plural s.
var takenNames = []string{
	"", "image", "path", "filename", "stem", "clas", "split", "directory", "object", "label", "height",
	"width", "channel",
}

var notInNames = regexp.MustCompile("[^a-z0-9]+")

// addRows adds the images of a directory that are rows, and the files that belong to them. If the name of a directory
// or of a file says that images belong to others, as masks do, they are not rows. It returns the other files.
func (f *findings) addRows(ctx context.Context, t *tree, images, others []string) (rest []string, err error) {
	var beside []string
	isBeside := map[string]bool{} // by directory
	for _, name := range images {
		dir, stem := path.Dir(name), stemOf(name)
		if _, is := isBeside[dir]; !is {
			isBeside[dir] = slices.ContainsFunc(levelsOf(name), isBesideImages)
		}
		at := strings.LastIndexAny(stem, nameSigns)
		if isBeside[dir] || at >= 0 && besideImages.MatchString(stem[at+1:]) {
			beside = append(beside, name)
		} else {
			t.names = append(t.names, name)
		}
	}
	rest, err = f.addCompanions(ctx, t, beside, others)
	isShared := func(c *companion) bool { return c.shared != nil && isImageName(c.files[0]) }
	if err != nil || beside != nil && !slices.ContainsFunc(rest, isImageName) &&
		!slices.ContainsFunc(t.with, isShared) {
		return rest, err
	}
	if beside != nil {
		t.names, t.with, t.maskAt = images, nil, beside[0]
		if rest, err = f.addCompanions(ctx, t, nil, others); err != nil {
			return nil, err
		}
	}
	t.findPair()
	return rest, nil
}

// findPair finds images that have the names of the first images in the first directory, though no name says that they
// belong to others. A comment names them.
func (t *tree) findPair() {
	var one, others []string
	for _, name := range t.names {
		if path.Dir(name) == path.Dir(t.names[0]) && path.Ext(name) == path.Ext(t.names[0]) {
			one = append(one, name)
		} else {
			others = append(others, name)
		}
	}
	if len(one) < 2 || len(others) < len(one) {
		return
	}
	found := newFileFinder(t.dir, one[:min(len(one), sampledRows)]).addFiles(others)
	best, _, ok := found.choose()
	isOther := func(name string) bool { return wordOf(name) != wordOf(one[0]) }
	isCounted := best.end == path.Ext(one[0]) && !slices.ContainsFunc(one, isOther)
	const mostOthers = 3 // such as a mask and the depth
	if n := len(found.places[found.rows[0].name]); !ok || isCounted && (!isNamed(one[0]) || n > 1) || n > mostOthers {
		return // classes may number their files, videos their frames, and visits of patients their views
	}
	if one, other := splitOf(one[0]), splitOf(best.dir+"/"); one != other && one != "" && other != "" {
		return
	}
	if c := found.take(best, nil); c.lacking == 0 && c.keyEnd == "" {
		c.column, t.pair = c.name(), c
	}
}

// isNamed reports whether the name of a file is not a number.
func isNamed(name string) bool { return wordOf(name) != "" }

// wordOf returns what a number in the name of a file follows, or what it precedes.
func wordOf(name string) string { return strings.Trim(stemOf(name), "0123456789") }

// featuresOf returns the features of companions.
func featuresOf(all []*companion) (list []feature) {
	for _, c := range all {
		switch {
		case c.form != nil:
			list = append(list, c.form.features...)
		case c.as != "":
			f := feature{key: c.column, from: c.column, spec: typed("string"), note: c.note()}
			if c.binary {
				f.spec = typed("bytes")
			}
			if c.spare {
				f = f.asComment("the complete document, also what is outside of these objects")
			}
			list = append(list, f)
		default:
			f := feature{key: c.column, from: c.column, spec: spec{"from: " + c.column}}
			if strings.HasSuffix(c.place.end, ".png") {
				f.moves = "masks: [" + c.column + "]"
			}
			list = append(list, f)
		}
	}
	return list
}

// follow returns the keys of `convert` that move coordinates and masks with the images. All columns of objects follow
// their boxes.
func (d *draft) follow() string {
	var all []feature
	if d.tree != nil {
		all = featuresOf(d.tree.with)
	}
	if d.coco != nil {
		all = append(all, d.coco.features...)
	}
	var keys, with []string
	boxes := -1
	for _, f := range all {
		if isBoxes := strings.HasPrefix(f.moves, "boxes:"); f.skipped {
			continue
		} else if isBoxes && boxes < 0 {
			boxes = len(keys)
		} else if strings.HasPrefix(f.key, "objects/") {
			with = append(with, f.from)
		}
		if f.moves != "" {
			keys = append(keys, f.moves)
		}
	}
	if boxes >= 0 {
		keys[boxes] += ", with: [" + strings.Join(with, ", ") + "]}]"
	}
	return strings.Join(keys, ", ")
}

func stemOf(name string) string { return strings.TrimSuffix(base(name), path.Ext(name)) }
