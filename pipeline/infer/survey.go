package infer

import (
	"cmp"
	"context"
	"fmt"
	"maps"
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
	sys   *files.System
	kind  string // source type
	files []found
	trees []tree
	notes []string // comments at the top of the config
}

// A found is a file with rows.
type found struct {
	path     string // absolute
	fileType fileType
	split    string // split in its name; empty for none
}

// A tree is a directory whose files are rows.
type tree struct {
	dir   string   // absolute
	names []string // relative names of the files, with slashes
	exts  string   // extensions for the config; empty for the default of the source type
}

// survey identifies the inputs at paths.
func survey(ctx context.Context, sys *files.System, paths []string) (*findings, error) {
	f := &findings{sys: sys}
	for _, p := range paths {
		abs, err := store.Abs(p)
		if err != nil {
			return nil, &input.Error{Path: p, Err: err}
		}
		isDir, err := sys.IsDir(abs)
		switch {
		case err != nil:
			return nil, &input.Error{Path: p, Err: err}
		case isDir:
			err = f.addDirectory(ctx, abs)
		default:
			err = f.addFile(abs)
		}
		if err != nil {
			return nil, err
		}
	}
	return f, f.checkTypes()
}

// addFile adds a file.
func (f *findings) addFile(path string) error {
	s, err := identify(f.sys, path)
	switch {
	case err != nil:
		return err
	case s.kind == "image":
		return &input.FitError{Path: path, Text: "is one image; images are rows of a folder", Hint: "tfr-build init " + store.Dir(path)}
	case s.kind == "":
		return unsupported(path, &s)
	}
	f.files = append(f.files, found{path: path, fileType: s, split: splitOf(base(path))})
	return nil
}

// unsupported returns the error of a file whose type is not supported.
func unsupported(path string, s *fileType) error {
	text := "is " + s.what
	if s.what != "empty" {
		text = "looks like " + s.what
	}
	return &input.FitError{Path: path, Text: text + "; read are CSV, JSON, JSON lines, text, .npy, .npz and IDX arrays, Parquet, TFRecord, OFRecord and ArrayRecord files, tar and zip archives, and folders of images or other files"}
}

// imageExtensions are the extensions of images.
var imageExtensions = []string{"jpg", "jpeg", "png", "gif", "bmp", "webp"}

// auxiliaryFile matches files that are not data, but often in the same directory.
var auxiliaryFile = regexp.MustCompile(`(?i)^(readme|licen[cs]e|copying|changelog|notice|citation|authors)|^_|\.(md|rst|ya?ml|html?|pdf|py|ipynb|sh|toml|cfg|ini|lock|sum|sha256|md5|labels\.txt)$|^(dataset_info|features|metadata)\.json$`)

// addDirectory adds the files in a directory.
func (f *findings) addDirectory(ctx context.Context, dir string) error {
	names, err := f.listFiles(ctx, dir)
	if err != nil {
		return err
	}
	var images, others, auxiliary []string
	for _, name := range names {
		switch {
		case slices.Contains(imageExtensions, lastExtension(name)):
			images = append(images, name)
		case auxiliaryFile.MatchString(base(name)):
			auxiliary = append(auxiliary, name)
		default:
			others = append(others, name)
		}
	}
	switch {
	case len(names) == 0:
		return &input.FitError{Path: dir, Text: "holds no file"}
	case len(images) > 0 && len(images) >= len(others):
		return f.addImages(dir, images, others)
	case len(others) == 0:
		f.addFiles(dir, auxiliary)
		return nil
	}
	return f.addTables(dir, others, names)
}

// listFiles lists the files in a directory, as source types of directories do.
func (f *findings) listFiles(ctx context.Context, dir string) (names []string, err error) {
	all, err := f.sys.Walk(ctx, &files.Walk{Dir: dir, Workers: 1})
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, &input.Error{Path: dir, Err: err}
	case len(all.Denied) > 0:
		return nil, input.Denied(all.Denied)
	}
	for _, file := range all.Files {
		if file.Regular {
			names = append(names, file.Name)
		}
	}
	return names, nil
}

// addImages adds a directory of images; others are the other files in it.
func (f *findings) addImages(dir string, names, others []string) error {
	if f.kind != "" && f.kind != "images" {
		return mixed(dir, "images", f.kind)
	}
	f.kind = "images"
	f.trees = append(f.trees, tree{dir: dir, names: names})
	const few = 3
	var tables []string
	for _, name := range others {
		if ext := extension(name); (ext == "csv" || ext == "tsv" || ext == "jsonl") && len(tables) < few {
			tables = append(tables, name)
		}
	}
	if len(tables) > 0 {
		f.notes = append(f.notes, fmt.Sprintf("Beside the images there is %s: init of a table takes the images that it names, and `join` adds its columns to these.", strings.Join(tables, ", ")))
	}
	return nil
}

// addFiles adds a directory whose files are rows, of any content. If most files have the same
// extension, the others are skipped.
func (f *findings) addFiles(dir string, names []string) {
	f.kind = "folder"
	byExt := map[string]int{}
	for _, name := range names {
		byExt[lastExtension(name)]++
	}
	t := tree{dir: dir, names: names}
	most := slices.MaxFunc(slices.Sorted(maps.Keys(byExt)), func(a, b string) int { return byExt[a] - byExt[b] })
	if len(byExt) > 1 && most != "" && byExt[most]*2 > len(names) {
		t.exts = list([]string{most})
		t.names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return lastExtension(name) != most })
	}
	f.trees = append(f.trees, t)
}

// lastExtension returns the extension of a name, in lower case.
func lastExtension(name string) string {
	return strings.TrimPrefix(strings.ToLower(path.Ext(name)), ".")
}

// addTables adds the files with rows among names; all are all files of the directory.
func (f *findings) addTables(dir string, names, all []string) error {
	fileTypes, err := identifyAll(f.sys, dir, names)
	if err != nil {
		return err
	}
	kinds := map[string][]string{}
	for i, name := range names {
		kinds[fileTypes[i].kind] = append(kinds[fileTypes[i].kind], name)
	}
	isBelow := func(name string) bool { return strings.Contains(name, "/") }
	rest := len(names) - len(kinds[""]) - len(kinds["text"])
	switch {
	case 2*len(kinds["image"]) > len(names): // images without extensions
		f.kind = "images"
		f.trees = append(f.trees, tree{dir: dir, names: all, exts: "any"})
	case rest == 0 && (len(kinds[""]) > 0 || slices.ContainsFunc(kinds["text"], isBelow)):
		f.addFiles(dir, all)
	case len(kinds) > 2 || len(kinds) == 2 && len(kinds[""]) == 0:
		var list []string
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			list = append(list, fmt.Sprintf("%s (%s)", plural.Of(len(kinds[kind]), wordFor(kind)), kinds[kind][0]))
		}
		return &input.FitError{Path: dir, Text: "holds files of several kinds: " + strings.Join(list, ", "), Hint: "name the files of one kind"}
	default:
		for i, name := range names {
			f.add(dir, name, fileTypes[i])
		}
	}
	return nil
}

func wordFor(kind string) string {
	return cmp.Or(map[string]string{"csv": "table", "jsonl": "file of JSON lines", "json": "JSON document", "text": "text", "arrays": "array file", "parquet": "Parquet file", "tfrecord": "record file", "tar": "tar archive", "zip": "zip archive", "image": "image"}[kind], "other file")
}

func (f *findings) add(dir, name string, s fileType) {
	if s.kind != "" {
		split := splitOf(name)
		if !strings.Contains(name, "/") {
			split = cmp.Or(split, splitOf(base(dir)))
		}
		f.files = append(f.files, found{path: store.Join(dir, name), fileType: s, split: split})
	}
}

// checkTypes checks that all inputs have the same type, and sorts them.
func (f *findings) checkTypes() error {
	if len(f.files) > 0 && len(f.trees) > 0 {
		return mixed(f.trees[0].dir, f.kind, f.files[0].fileType.kind)
	}
	for i := range f.files {
		first, s := &f.files[0], &f.files[i]
		if s.fileType.kind != first.fileType.kind || s.fileType.framing != first.fileType.framing {
			return mixed(s.path, s.fileType.kind, first.fileType.kind+" ("+base(first.path)+")")
		}
		f.kind = s.fileType.kind
	}
	slices.SortFunc(f.files, func(a, b found) int { return strings.Compare(a.path, b.path) })
	f.files = slices.CompactFunc(f.files, func(a, b found) bool { return a.path == b.path })
	f.resolveSplits()
	return nil
}

func mixed(path, kind, other string) error {
	return &input.FitError{Path: path, Text: fmt.Sprintf("is of the kind %s, others are of the kind %s", kind, other), Hint: "one config for each kind; a config may have several sources of different kinds"}
}
