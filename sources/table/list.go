package table

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tfr-build/internal/order"
	"tfr-build/internal/store"
	"tfr-build/sources/charset"
	"tfr-build/sources/column"
	"tfr-build/sources/compress"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// Files are the listed files of a table.
type Files struct {
	Encoding charset.Encoding // of text; set before List

	keys    Keys
	sys     *files.System
	listing input.Listing
	files   []file // parallel to listing.Files
	finder  Finder
	format  Format // the finder, if the files are text; else nil
	record  int    // limits.record, in bytes
	check   uint8  // flags to check in rows that Find did not find
}

// A file is one file of a table and its head.
type file struct {
	path   string
	codec  compress.Codec
	head   Head
	packed bool   // its rows cannot be read in place
	data   []byte // while it is mapped
	check  uint8  // flags that scanners have to check
}

// Keys are options with the keys that select files. Options that embed input.Files, input.Rooted, and input.MayBeEmpty
// have them.
type Keys interface {
	FilePatterns() []string
	IsFileList() bool
	RowRoot() string
	EmptyAllowed() bool // a pattern may match no file
	Known() *column.Set
}

// List lists the files of the keys. If the finder is also a Format, Files read the heads and the rows.
// For files that are not text the source type does.
func (t *Files) List(ctx context.Context, keys Keys, env *input.Env, finder Finder) error {
	t.keys, t.finder = keys, finder
	t.format, _ = finder.(Format)
	return t.list(env, func(l *lister) error {
		for _, pattern := range keys.FilePatterns() {
			if err := l.addPattern(ctx, env.Resolve(pattern)); err != nil {
				return err
			}
		}
		l.sortFiles()
		return nil
	})
}

// ListPaths lists the files with these paths in their order. The source type reads the heads and the rows.
func (t *Files) ListPaths(paths []string, env *input.Env) error {
	return t.list(env, func(l *lister) error {
		for _, path := range paths {
			f := env.Files.Find(path)
			l.addFile(store.Base(path), &f)
		}
		return nil
	})
}

// list lists the files that find adds to a lister. Their rows are still unknown, so scanners check for everything
// that may make a row invalid.
func (t *Files) list(env *input.Env, find func(*lister) error) error {
	t.sys, t.record, t.check = env.Files, env.Limits.Record, CheckAll
	if env.Side {
		t.check = 0
	}
	if env.Listed != nil {
		t.listing = *env.Listed
	} else {
		l := lister{keys: t.keys, env: env, list: &t.listing, seen: map[string]bool{}}
		if err := find(&l); err != nil {
			return err
		}
		if len(l.denied) > 0 {
			return input.Denied(l.denied)
		}
		l.fill()
	}
	for _, p := range t.listing.Paths {
		t.files = append(t.files, file{path: p, check: t.check})
	}
	return nil
}

// A lister collects the files of a table.
type lister struct {
	keys   Keys
	env    *input.Env
	list   *input.Listing
	seen   map[string]bool // by path
	found  []files.Found   // with names
	denied []files.Denied
}

// addPattern adds the files that match a pattern.
func (l *lister) addPattern(ctx context.Context, pattern string) error {
	l.list.Label = cmp.Or(l.list.Label, pattern)
	l.watchDirs(pattern)
	found, skipped, err := l.env.Files.Expand(ctx, pattern)
	if err != nil {
		return &input.Error{Err: err}
	}
	l.list.Skipped.Add(&skipped)
	if len(found) == 0 && !l.keys.EmptyAllowed() {
		return &input.Error{Path: pattern, Err: errors.New("no file fits the pattern")}
	}
	root := l.rootOf(pattern)
	for i := range found {
		f := &found[i]
		name, below := store.Rel(root, f.Path)
		switch {
		case below:
		case l.env.Side:
			name = f.Path // lookup tables have no row IDs
		default:
			return &input.MismatchError{Path: f.Path, Text: fmt.Sprintf("lies outside of %s", root),
				Hint: "root: a directory that holds all files"}
		}
		if l.seen[f.Path] {
			return &input.MismatchError{Path: f.Path, Text: "duplicate: another pattern of the source names the same " +
				"file"}
		}
		l.seen[f.Path] = true
		l.addFile(name, f)
	}
	return nil
}

// watchDirs records the directories in which new or removed files would change the listing.
func (l *lister) watchDirs(pattern string) {
	if !files.HasWildcard(pattern) {
		return
	}
	root := files.FixedDirectory(pattern)
	depth := strings.Count(pattern, "/") - strings.Count(store.Join(root, "x"), "/")
	if slices.Contains(strings.Split(pattern, "/"), "**") {
		depth = files.AnyDepth
		l.list.Dirs = append(l.list.Dirs, root)
	}
	l.list.Watched = append(l.list.Watched, input.Directory{Path: root, Depth: depth})
}

// rootOf returns the directory that the names of a pattern's files are relative to.
func (l *lister) rootOf(pattern string) string {
	switch {
	case l.keys.RowRoot() != "":
		return l.env.Resolve(l.keys.RowRoot())
	case l.keys.IsFileList():
		return l.env.Resolve(".")
	}
	return files.FixedDirectory(pattern)
}

// addFile adds a file if it is readable.
func (l *lister) addFile(name string, f *files.Found) {
	if f.Err != nil {
		l.denied = append(l.denied, files.Denied{Path: f.Path, Err: f.Err})
		return
	}
	f.File.Name = name
	l.found = append(l.found, *f)
}

// sortFiles sorts the files by name, ignoring the extension of a compression.
func (l *lister) sortFiles() {
	slices.SortFunc(l.found, func(a, b files.Found) int {
		x, y := a.File.Name, b.File.Name
		return cmp.Or(strings.Compare(compress.AddressName(x), compress.AddressName(y)), strings.Compare(x, y))
	})
	var ids []files.FileID
	for _, f := range l.found {
		ids = append(ids, f.ID)
	}
	l.list.Skipped.Duplicates = files.Duplicates(ids)
}

// fill sets the files of the listing.
func (l *lister) fill() {
	list := l.list
	for _, f := range l.found {
		list.Files, list.Paths = append(list.Files, f.File), append(list.Paths, f.Path)
	}
	if list.Inputs = list.Paths; len(list.Paths) > 0 {
		list.Label = list.Paths[0]
	}
}

// Columns returns the columns that are known without reading a file.
func (t *Files) Columns() *column.Set { return t.keys.Known() }

// Listing returns the listing.
func (t *Files) Listing() *input.Listing { return &t.listing }

// Path returns the path of a file.
func (t *Files) Path(file int) string { return t.files[file].path }

// Address returns the name and size of a file for row IDs. The size of a compressed file is
// unknown.
func (t *Files) Address(file int) order.File {
	f := order.File{Name: compress.AddressName(t.listing.Files[file].Name), Size: t.listing.Files[file].Size}
	if t.IsCompressed(file) {
		f.Size = order.CompressedSize
	}
	return f
}

// Recheck returns an error for a file that changed since it was listed. A mapping does not show
// that.
func (t *Files) Recheck() error {
	return input.Of(t.sys.AllUnchanged(context.Background(), len(t.files),
		func(i int) (string, *files.File) { return t.files[i].path, &t.listing.Files[i] }))
}

// Remarks returns warnings about the listing and the heads.
func (t *Files) Remarks(blank int64) []input.Warning {
	empty := 0
	for i := range t.files {
		if t.listing.Files[i].Size == 0 || t.files[i].head.Empty {
			empty++
		}
	}
	list := input.AppendRemark(t.listing.Skips(), int(blank), "blank line", "skipped", "")
	return input.AppendRemark(list, empty, "file", "without a header or a byte", "")
}
