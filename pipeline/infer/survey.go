package infer

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/internal/store"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// findings are the inputs at the paths: files of one type, or directories whose files are rows.
type findings struct {
	*files.System
	types   typeList
	typ     *sourceType
	workers int // goroutines that list directories
	files   []found
	trees   []tree
	notes   // comments at the top of the config

	unread []unreadFile
	within string // the directory at the last path; empty for files
}

// notes are comments.
type notes []string

// note adds a comment.
func (n *notes) note(format string, args ...any) { *n = append(*n, fmt.Sprintf(format, args...)) }

// noteCase adds comments on names that differ by case only.
func (n *notes) noteCase(what string, names []string) {
	lower := map[string]string{}
	for _, name := range names {
		key := strings.ToLower(name)
		if was, there := lower[key]; there {
			n.note("The %s %s and %s differ by case only: are they one?", what, shown(was), shown(name))
		}
		lower[key] = name
	}
}

// An unreadFile is a file of a directory that no source reads.
type unreadFile struct{ dir, name string }

// addUnread adds files of a directory that are not read.
func (f *findings) addUnread(dir string, names []string) {
	for _, name := range names {
		f.unread = append(f.unread, unreadFile{dir, name})
	}
}

// A found is a file with rows.
type found struct {
	path string // absolute
	recognized
	split string     // split in its name; empty for none
	part  input.Part // the array in it; zero for other files
}

// A tree is a directory whose files are rows.
type tree struct {
	typ   *sourceType
	dir   string   // absolute
	names []string // relative names of the files, with slashes
	exts  string   // extensions for the config; empty for the default of the source type
	aside []string // relative names of files that are not rows, and have such extensions

	settings []string     // other files, which may say what the files of images have
	lists    []string     // files with the names of documents in each split; nil without them
	unlisted int          // documents in none of them
	with     []*companion // files that belong to the rows
	tables   []found      // tables next to images
	why      string       // why no images are loaded; empty if they are
	maskAt   string       // an image in a directory with a name such as masks, if its own name is not of another image
	pair     *companion   // files that have the names of others, and may belong to these
}

// survey identifies the inputs at absolute paths.
func (f *findings) survey(ctx context.Context, paths []string) error {
	for _, p := range paths {
		isDir, err := f.IsDir(p)
		switch {
		case err != nil:
			return &input.Error{Path: p, Err: err}
		case isDir:
			f.within = p
			err = f.addDirectory(ctx, p)
		default:
			err = f.addFile(p)
		}
		if err != nil {
			return err
		}
	}
	return f.checkTypes()
}

// addFile adds a file.
func (f *findings) addFile(path string) error {
	r, err := f.types.recognize(f.System, path, false)
	switch {
	case err != nil:
		return err
	case r.typ == nil:
		return f.unsupported(path, r.what)
	case r.typ.Directory && r.typ.Choose == nil:
		text := fmt.Sprintf("is one %s; %ss are rows of a directory", r.typ.Noun, r.typ.Noun)
		return &input.MismatchError{Path: path, Text: text, Hint: "tfr-build init " + store.Dir(path)}
	}
	f.files = append(f.files, found{path: path, recognized: r, split: splitOf(base(path))})
	return nil
}

// unsupported returns the error of a file that no source type reads.
func (f *findings) unsupported(path, what string) error {
	if what == "empty" {
		return &input.MismatchError{Path: path, Text: "is empty", Hint: "name a file with rows"}
	}
	text, hint, hasHint := strings.Cut("looks like "+what, "; ")
	if slices.ContainsFunc(f.types, func(t *sourceType) bool { return what == "a "+t.Noun }) {
		hint, hasHint = "rename it: init knows "+what+" by its extension", true
	}
	if !hasHint {
		text, hint = text+"; init reads "+f.types.describeAll(), "convert it to one of these"
	}
	return &input.MismatchError{Path: path, Text: text, Hint: hint}
}

// auxiliaryFile matches files that are not data, but often in the same directory.
var auxiliaryFile = regexp.MustCompile(`(?i)` +
	`^(readme|licen[cs]e|copying|changelog|notice|citation|authors)|^_[^.]*$|^__|` +
	`\.(md|rst|ya?ml|html?|pdf|py|ipynb|sh|toml|cfg|ini|lock|sum|sha256|md5|pbtxt|labels\.txt)$|` +
	`^(dataset_info|features|metadata)\.json$`)

func isAuxiliary(name string) bool { return auxiliaryFile.MatchString(base(name)) }

// addDirectory adds the files in a directory.
func (f *findings) addDirectory(ctx context.Context, dir string) error {
	names, err := f.listFiles(ctx, dir)
	if err != nil {
		return err
	}
	if added, err := f.addCOCO(ctx, dir, names); added || err != nil {
		return err
	}
	documentType, imageType := f.types.documentType(), f.types.directoryType(true)
	var documents, images, lists, auxiliary, others []string
	for _, name := range names {
		list := &others
		switch {
		case slices.Contains(documentType.Extensions, lastExtension(name)):
			list = &documents
		case isImageName(name):
			list = &images
		case isNameList(name):
			list = &lists
		case isAuxiliary(name):
			list = &auxiliary
		}
		*list = append(*list, name)
	}
	isOfImage := func(name string) bool { return slices.ContainsFunc(levelsOf(name), isBesideImages) }
	isMore := func() bool { return 2*len(documents) > len(images)-len(filter(images, isOfImage)) }
	if 2*len(documents) > len(others) && isMore() {
		f.addDocuments(&tree{typ: documentType, dir: dir, names: documents}, images, lists, others)
		return nil
	}
	others = slices.Sorted(slices.Values(slices.Concat(others, documents, lists)))
	t := tree{typ: imageType, dir: dir, settings: auxiliary}
	if others, err = f.addRows(ctx, &t, images, others); err != nil {
		return err
	}
	switch {
	case len(names) == 0:
		return &input.MismatchError{Path: dir, Text: "holds no file",
			Hint: cmp.Or(strings.Join(f.notes, " "), "hidden files and the directory _tfr of a dataset are skipped")}
	case len(images) > 0 && len(images)+len(images)/10 >= len(others): // others may be of each image, with some lists
		return f.addImages(&t, others)
	case len(others) == 0:
		f.addFiles(dir, auxiliary)
		return nil
	}
	return f.addTables(dir, others, names)
}

// listFiles lists the files in a directory, as source types of directories do. It skips the files that a
// build writes next to its records.
func (f *findings) listFiles(ctx context.Context, dir string) (names []string, err error) {
	all, err := input.Walk(ctx, f.System, &files.Walk{Dir: dir, Workers: f.workers})
	if err != nil {
		return nil, err
	}
	f.KeepTree(dir, all)
	if n := all.Skipped.Links + len(all.Linked); n > 0 {
		f.note("%s in %s skipped. A source that reads the directory follows them with `follow_links: true`.",
			plural.Of(n, "symbolic link"), shown(base(dir)))
	}
	for _, file := range all.Files {
		if file.Regular && !strings.Contains("/"+file.Name, "/_tfr/") {
			names = append(names, file.Name)
		}
	}
	return names, nil
}

// addImages adds a directory of images; others are the other files in it.
func (f *findings) addImages(t *tree, others []string) error {
	isMore := func(name string) bool { return slices.Contains(t.typ.MoreExtensions, lastExtension(name)) }
	if slices.ContainsFunc(t.names, isMore) {
		t.exts = list(sortedKeys(extensions(t.names)))
	}
	const few = 20 // tables that are looked at
	all, err := f.types.recognizeAll(f.System, t.dir, others, false)
	if err != nil {
		return err
	}
	var rest []string
	for i, name := range others {
		isNamed := func(table found) bool { return base(table.path) == base(name) }
		if r := all[i]; r.typ != nil && r.typ.ImageDepth > 0 &&
			(len(t.tables) < few || slices.ContainsFunc(t.tables, isNamed)) {
			t.tables = append(t.tables, found{path: store.Join(t.dir, name), recognized: r, split: splitOf(base(name))})
		} else {
			rest = append(rest, name)
		}
	}
	f.trees = append(f.trees, *t)
	f.addUnread(t.dir, rest)
	return nil
}

// addFiles adds a directory whose files are rows, of any content. If most files have the same
// extension, the others are skipped.
func (f *findings) addFiles(dir string, names []string) {
	byExt := extensions(names)
	t := tree{typ: f.types.directoryType(false), dir: dir, names: names}
	most := slices.MaxFunc(sortedKeys(byExt), func(a, b string) int { return byExt[a] - byExt[b] })
	switch {
	case len(byExt) == 1:
	case most == "" || byExt[most]*2 <= len(names):
		f.note("Files of several kinds are rows: %s. `extensions: %s` takes one kind.", countList(byExt),
			list([]string{most}))
	default:
		t.exts = list([]string{most})
		t.names = filter(names, func(name string) bool { return lastExtension(name) == most })
		f.addUnread(dir, slices.DeleteFunc(without(names, t.names), isAuxiliary))
	}
	top := commonDir(t.names) + "/"
	isBelow := func(name string) bool {
		return strings.Contains(strings.TrimPrefix(name, top), "/") && !isAuxiliary(name)
	}
	rows := filter(t.names, isBelow)
	if aside := without(t.names, rows); len(aside) <= min(mostAside, len(t.names)/10) {
		t.names, t.aside = rows, aside
	}
	f.trees = append(f.trees, t)
}

// mostAside is the largest number of files next to rows, such as README, or outside of the directories of the rows.
const mostAside = 20

// extensions counts the extensions of names.
func extensions(names []string) map[string]int {
	byExt := map[string]int{}
	for _, name := range names {
		byExt[lastExtension(name)]++
	}
	return byExt
}

// lastExtension returns the extension of a name, in lower case.
func lastExtension(name string) string {
	return strings.TrimPrefix(strings.ToLower(path.Ext(name)), ".")
}

// addTables adds the files with rows among names; all are all files of the directory.
func (f *findings) addTables(dir string, names, all []string) error {
	list, err := f.types.recognizeAll(f.System, dir, names, true)
	if err != nil {
		return err
	}
	byType := map[*sourceType][]string{}
	images, texts, textsBelow, unread := 0, 0, 0, 0
	for i, name := range names {
		byType[list[i].typ] = append(byType[list[i].typ], name)
		switch r := &list[i]; {
		case r.typ == nil:
			unread++
		case r.typ.Images:
			images++
		case r.match.Certainty == input.Possible:
			texts++
			if strings.Contains(name, "/") {
				textsBelow++
			}
		}
	}
	isRefused := func(r recognized) bool {
		return r.match.Certainty > input.Possible && strings.Contains(r.what, "; ")
	}
	if i := slices.IndexFunc(list, isRefused); i >= 0 {
		f.note("The rows of %s are not read: it looks like %s.", shown(names[i]), list[i].what)
	}
	for typ, own := range byType { // a document next to tables describes them
		isOther := len(byType) == 2 && byType[nil] == nil && len(own) == 1 && len(names) > 2
		if isOther && !slices.Contains(typ.Extensions, extension(own[0])) {
			delete(byType, typ)
			list[slices.Index(names, own[0])], byType[nil], unread = recognized{}, own, 1
		}
	}
	switch {
	case 2*images > len(names): // images without extensions
		t := tree{typ: f.types.directoryType(true), dir: dir, exts: "any"}
		for i, name := range names {
			if isRow := list[i].typ != nil && list[i].typ.Images; isRow || len(t.aside) == mostAside {
				t.names = append(t.names, name)
			} else {
				t.aside = append(t.aside, name)
			}
		}
		f.trees = append(f.trees, t)
	case unread+texts+images == len(names) && unread+images > 0,
		textsBelow > 0 && (len(names)-unread-texts)*20 <= len(names):
		f.addFiles(dir, all)
	case len(byType) > 2 || len(byType) == 2 && unread == 0:
		return f.severalTypes(dir, names, byType)
	default:
		for i, name := range names {
			if list[i].typ != nil {
				path := store.Join(base(dir), name)
				f.files = append(f.files, found{path: store.Join(dir, name), recognized: list[i], split: splitOf(path)})
			}
		}
		f.addUnread(dir, byType[nil])
	}
	return nil
}

// severalTypes returns the error of a directory whose files have several source types.
func (f *findings) severalTypes(dir string, names []string, byType map[*sourceType][]string) error {
	var list, next []string
	for _, typ := range append(f.types, nil) {
		files, noun := byType[typ], "other file"
		if files == nil {
			continue
		}
		if typ != nil {
			noun = typ.Noun
			next = append(next, operand(dir, files, names))
		} else if ext := lastExtension(files[0]); ext != "" {
			next = append(next, fmt.Sprintf("%s: {dir: %s, extensions: [%s]} reads the others as bytes",
				f.types.directoryType(false).name, scalar(dir), ext))
		}
		list = append(list, fmt.Sprintf("%s (%s)", plural.Of(len(files), noun), files[0]))
	}
	return &input.MismatchError{Path: dir, Text: "holds files of several kinds: " + strings.Join(list, ", "),
		Hint: "one config for each kind: " + strings.Join(next, "; ")}
}

// operand returns the command for some of the files of a directory: their names, or a pattern that matches no other.
func operand(dir string, names, all []string) string {
	const few = 4
	paths := make([]string, len(names))
	for i, name := range names {
		paths[i] = store.Join(dir, name)
	}
	pattern := patternsOf(paths)[1]
	isOther := func(name string) bool {
		return files.Match(pattern, store.Join(dir, name)) != slices.Contains(names, name)
	}
	if len(names) > 1 && !slices.ContainsFunc(all, isOther) {
		return "tfr-build init '" + pattern + "'"
	}
	if len(names) > few {
		return fmt.Sprintf("move %s and others of its kind to a directory", paths[0])
	}
	return "tfr-build init " + strings.Join(paths, " ")
}

// checkTypes checks that all inputs have the same type, and sorts them.
func (f *findings) checkTypes() error {
	for i := range f.files {
		first, s := &f.files[0], &f.files[i]
		if s.typ != first.typ || s.match.Variant != first.match.Variant {
			return mixed(s.path, s.typ.name, first.typ.name+" ("+base(first.path)+")")
		}
		f.typ = s.typ
	}
	for i := range f.trees {
		t := &f.trees[i]
		if f.typ = cmp.Or(f.typ, t.typ); f.typ != t.typ {
			return mixed(t.dir, t.typ.name, f.typ.name)
		}
	}
	slices.SortFunc(f.files, func(a, b found) int { return strings.Compare(a.path, b.path) })
	f.files = slices.CompactFunc(f.files, func(a, b found) bool { return a.path == b.path })
	return nil
}

func mixed(path, name, other string) error {
	return &input.MismatchError{Path: path,
		Text: fmt.Sprintf("is of the kind %s, others are of the kind %s", name, other),
		Hint: "one config for each kind; a config may have several sources of different kinds"}
}
