package table

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tfr-build/internal/store"
	"tfr-build/order"
	"tfr-build/sources/compress"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// Files are the listed files of a table.
type Files struct {
	sys     *files.System
	listing input.Listing
	files   []file // beside listing.Files
	finder  Finder
	format  Format // the finder; nil where it is of no text
	record  int    // limits.record
	check   uint8  // what scanners check in rows that Find did not
}

// A file is one file of a table and what its head told.
type file struct {
	path   string
	codec  compress.Codec
	read   bool // the head
	head   Head
	packed bool   // its rows do not stand in it as they are
	data   []byte // while it is mapped
	check  uint8  // what scanners have to check
}

// A Spec says which files there are.
type Spec struct {
	Files      input.Files
	Root       string // what names are relative to, as the config has it; may be empty
	AllowEmpty bool   // a pattern may fit no file
}

// List lists the files of spec. Where the finder is a Format, too, Files read
// their heads and their rows; a kind of files that are no text does it itself.
func List(ctx context.Context, spec *Spec, env *input.Env, finder Finder) (*Files, error) {
	t := &Files{sys: env.Files, finder: finder, record: env.Limits.Record, check: CheckAll}
	t.format, _ = finder.(Format)
	if env.Side {
		t.check = 0
	}
	if env.Listed != nil {
		t.listing = *env.Listed
		t.begin()
		return t, nil
	}
	l := lister{spec: spec, env: env, list: &t.listing, seen: map[string]bool{}}
	for _, pattern := range spec.Files.Patterns {
		if err := l.pattern(ctx, env.Resolve(pattern)); err != nil {
			return nil, err
		}
	}
	if len(l.denied) > 0 {
		return nil, input.Denied(l.denied)
	}
	l.finish()
	t.begin()
	return t, nil
}

// begin adds the listed files. Nothing is known of their rows yet, so scanners check
// all that can spoil one.
func (t *Files) begin() {
	for _, p := range t.listing.Paths {
		t.files = append(t.files, file{path: p, check: t.check})
	}
	t.know()
}

// A lister collects the files of a table.
type lister struct {
	spec   *Spec
	env    *input.Env
	list   *input.Listing
	seen   map[string]bool // by path
	ids    []files.FileID
	denied []files.Denied
}

// pattern adds the files that fit a pattern.
func (l *lister) pattern(ctx context.Context, pattern string) error {
	l.list.Label = cmp.Or(l.list.Label, pattern)
	l.folders(pattern)
	found, hidden, err := l.env.Files.Expand(ctx, pattern)
	if err != nil {
		return &input.Error{Err: err}
	}
	l.list.Skipped.Hidden += hidden
	if len(found) == 0 && !l.spec.AllowEmpty {
		return &input.Error{Path: pattern, Err: errors.New("no file fits the pattern")}
	}
	root := l.root(pattern)
	for i := range found {
		f := &found[i]
		name, below := store.Rel(root, f.Path)
		switch {
		case below:
		case l.env.Side:
			name = f.Path // of which no address is made
		default:
			return &input.FitError{Path: f.Path, Text: fmt.Sprintf("lies outside of %s", root), Hint: "root: a folder that holds all files"}
		}
		if l.seen[f.Path] {
			return &input.FitError{Path: f.Path, Text: "duplicate: another pattern of the source names the same file"}
		}
		l.seen[f.Path] = true
		l.file(name, f)
	}
	return nil
}

// folders notes where files that come or go would change the listing.
func (l *lister) folders(pattern string) {
	if !files.HasWildcard(pattern) {
		return
	}
	root := files.FixedFolder(pattern)
	depth := strings.Count(pattern, "/") - strings.Count(store.Join(root, "x"), "/")
	if slices.Contains(strings.Split(pattern, "/"), "**") {
		depth = files.AnyDepth
		l.list.Dirs = append(l.list.Dirs, root)
	}
	l.list.Watched = append(l.list.Watched, input.Folder{Path: root, Depth: depth})
}

// root is what the names of a pattern's files are relative to.
func (l *lister) root(pattern string) string {
	switch {
	case l.spec.Root != "":
		return l.env.Resolve(l.spec.Root)
	case l.spec.Files.IsList:
		return l.env.Resolve(".")
	}
	return files.FixedFolder(pattern)
}

// file adds a file if it is one and can be read.
func (l *lister) file(name string, f *files.Found) {
	if f.Err != nil {
		l.denied = append(l.denied, files.Denied{Path: f.Path, Err: f.Err})
		return
	}
	f.File.Name = name
	l.ids = append(l.ids, f.ID)
	l.list.Files, l.list.Paths = append(l.list.Files, f.File), append(l.list.Paths, f.Path)
}

// finish puts the files in the order of their names, without what compression
// adds to them.
func (l *lister) finish() {
	list := l.list
	list.Skipped.Duplicates = files.Duplicates(l.ids)
	order := make([]int, len(list.Files))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		x, y := list.Files[a].Name, list.Files[b].Name
		return cmp.Or(strings.Compare(compress.AddressName(x), compress.AddressName(y)), strings.Compare(x, y))
	})
	listed, paths := make([]files.File, len(order)), make([]string, len(order))
	for i, k := range order {
		listed[i], paths[i] = list.Files[k], list.Paths[k]
	}
	list.Files, list.Paths, list.Inputs = listed, paths, paths
	if len(paths) > 0 {
		list.Label = paths[0]
	}
}

// Listing is what was listed.
func (t *Files) Listing() *input.Listing { return &t.listing }

// Path is where a file stands.
func (t *Files) Path(file int) string { return t.files[file].path }

// Address is the file's name and its length, which nobody knows of one that is
// compressed.
func (t *Files) Address(file int) order.File {
	f := order.File{Name: compress.AddressName(t.listing.Files[file].Name), Size: t.listing.Files[file].Size}
	if t.IsPacked(file) {
		f.Size = order.CompressedSize
	}
	return f
}

// Recheck finds a file that is no longer what was listed: a mapping does not show
// it.
func (t *Files) Recheck() error {
	l := &t.listing
	return input.Of(t.sys.AllUnchanged(context.Background(), len(l.Files), func(i int) (string, *files.File) { return l.Paths[i], &l.Files[i] }))
}

// Remarks are sentences about the listing and the heads.
func (t *Files) Remarks(blank int64) []string {
	bom, empty := 0, 0
	for i := range t.files {
		if t.files[i].head.BOM {
			bom++
		}
		if t.listing.Files[i].Size == 0 || t.files[i].head.Empty {
			empty++
		}
	}
	list := input.AppendRemark(t.listing.Skips(), int(blank), "blank line", "skipped")
	list = input.AppendRemark(list, bom, "file", "with a byte order mark, which is no data")
	return input.AppendRemark(list, empty, "file", "without a header or a byte")
}
