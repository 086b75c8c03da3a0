package tree

import (
	"context"
	"fmt"

	"tfr-build/internal/order"
	"tfr-build/internal/plural"
	"tfr-build/internal/store"
	"tfr-build/sources/column"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// A Spec says where the files are and which of them are rows.
type Spec struct {
	Options    input.Options // with the columns
	Dir        string        // absolute
	Extensions input.Extensions
	input.Selection
	input.Links
	Classes []string // one name per file, in the order of the files; nil if directories are the classes
}

// Files are the files of a directory tree.
type Files struct {
	sys     *files.System
	spec    Spec
	listing input.Listing
	classes []string
	record  int // limits.record, in bytes
}

// List lists the files of spec.
func List(ctx context.Context, spec *Spec, env *input.Env) (*Files, error) {
	t := &Files{sys: env.Files, spec: *spec, classes: spec.Classes, record: env.Limits.Record}
	if env.Listed != nil {
		t.listing = *env.Listed
		return t, nil
	}
	walk := spec.Walk()
	walk.Workers = env.Workers
	all, err := input.Walk(ctx, env.Files, walk)
	if err != nil {
		return nil, err
	}
	if n := len(spec.Classes); spec.Classes != nil && n != len(all.Files) {
		return nil, &input.MismatchError{Path: spec.Dir,
			Text: fmt.Sprintf("class_per_file has %s for %s", plural.Of(n, "name"), plural.Of(len(all.Files), "file"))}
	}
	all.Skipped.NoteIdle(spec.Exclude)
	t.listing = input.Listing{
		Files: all.Files, Skipped: all.Skipped, Label: spec.Dir, Sized: true,
		Inputs: []string{spec.Dir}, Dirs: []string{spec.Dir},
		Watched: []input.Directory{{Path: spec.Dir, Depth: files.AnyDepth}},
	}
	for _, link := range all.Linked {
		t.listing.Watched = append(t.listing.Watched,
			input.Directory{Path: store.Join(spec.Dir, link), Depth: files.AnyDepth})
	}
	return t, nil
}

// Listing returns the listing of the files.
func (t *Files) Listing() *input.Listing { return &t.listing }

// Columns returns the columns that are known without reading a file.
func (t *Files) Columns() *column.Set { return t.spec.Options.Known() }

// Path returns the path of a file.
func (t *Files) Path(file int) string {
	return store.Join(t.spec.Dir, t.listing.Files[file].Name)
}

// Address returns the file's part of row IDs. It has one ID, since it is one row.
func (t *Files) Address(file int) order.File {
	return order.File{Name: t.listing.Files[file].Name, Size: 1}
}

// Recheck returns nil: a Reader compares each file with the listing.
func (t *Files) Recheck() error { return nil }

// Remarks returns warnings about the listing.
func (t *Files) Remarks(int64) []input.Warning {
	list := t.listing.Skips()
	for _, pair := range t.similarClasses() {
		list = append(list, input.Warning{Code: "CLASS_AMBIGUOUS",
			Text: fmt.Sprintf("the classes %+q and %+q look the same", pair[0], pair[1])})
	}
	return list
}

// ReadHeads reads nothing: files that are rows have no headers.
func (t *Files) ReadHeads(context.Context) error { return nil }

// Footprint returns zero: a file is read when its row is read.
func (t *Files) Footprint() input.Footprint { return input.Footprint{} }

// Release does nothing: Find uses no memory.
func (t *Files) Release() {}

// Rows returns the single row of a file, without text and line.
func (t *Files) Rows(int) (input.Rows, error) { return &OneRow{}, nil }

// Find returns a Search without steps: the listing has all rows.
func (t *Files) Find(int) (input.Search, error) { return &search{t: t}, nil }
