package tree

import (
	"path"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// NameColumns are the columns that the name of a file gives.
var NameColumns = []string{"path", "filename", "stem", classColumn}

const classColumn = "class"

// AddNames adds the columns that the names of files give.
func AddNames(set *column.Set) *column.Set {
	return set.Add(column.Column{From: "the folder", Origin: true}, NameColumns[:3]...).
		Add(column.Column{From: "the folder", Weak: true}, classColumn)
}

// A Reader reads files. It belongs to one goroutine.
type Reader struct {
	t       *Files
	folder  files.Folder // nil until the first file
	content []byte
	Texts   []byte // of names and facts; made anew by Read
	touched byte   // of names; it keeps the compiler from removing PrefetchMemory
}

// NewReader returns a reader of the tree's files.
func (t *Files) NewReader() *Reader { return &Reader{t: t} }

// Close closes the folder.
func (r *Reader) Close() {
	if r.folder != nil {
		r.folder.Close()
	}
}

// PrefetchMemory brings the name of a listed file, which is at a random place in memory, into
// the processor's cache. Touching many names in a row takes little longer than touching
// one, as the processor waits for them together.
func (r *Reader) PrefetchMemory(file int, _ int64) {
	if name := r.Name(file); name != "" {
		r.touched ^= name[0]
	}
}

// Read reads a file. The content holds until the next Read.
func (r *Reader) Read(file int) ([]byte, error) {
	if err := r.Names(file); err != nil {
		return nil, err
	}
	err := r.read(&r.t.listing.Files[file])
	if err == files.ErrNotRegular {
		return nil, input.NotRegular()
	}
	if err != nil {
		return nil, &input.Error{Path: r.t.Path(file), Err: err}
	}
	return r.content, nil
}

// Names prepares for the columns of a file's name alone: it refuses what Read
// would, as far as the listing tells.
func (r *Reader) Names(file int) error {
	r.Texts = r.Texts[:0]
	return r.t.refuse(&r.t.listing.Files[file])
}

// refuse is the fault of a file that is not read.
func (t *Files) refuse(f *files.File) error {
	switch {
	case !f.Regular:
		return input.NotRegular()
	case f.Size > int64(t.record):
		return input.LongFile(f.Size, t.record)
	}
	return nil
}

func (r *Reader) read(f *files.File) (err error) {
	if r.folder == nil {
		if r.folder, err = r.t.sys.OpenFolder(r.t.spec.Dir, r.t.spec.FollowLinks); err != nil {
			return err
		}
	}
	r.content, err = r.folder.Read(r.content[:0], f)
	return err
}

// Name is the name of a file relative to the folder.
func (r *Reader) Name(file int) string { return r.t.listing.Files[file].Name }

// Column is a column that the name of a file gives.
func (r *Reader) Column(name string, file int) schema.Value {
	text, has := NameColumn(name, r.Name(file))
	if name == classColumn && r.t.classes != nil {
		text, has = r.t.classes[file], true
	}
	if !has {
		return schema.Value{}
	}
	at := len(r.Texts)
	r.Texts = append(r.Texts, text...)
	return schema.Value{Kind: schema.Text, Text: r.Texts[at:]}
}

// NameColumn is what a column of NameColumns has of a file of that relative name; of
// one in no folder there is no class.
func NameColumn(name, rel string) (text string, has bool) {
	switch name {
	case "path":
		return rel, true
	case "filename":
		return path.Base(rel), true
	case "stem":
		base := path.Base(rel)
		return strings.TrimSuffix(base, path.Ext(base)), true
	}
	class, _, below := strings.Cut(rel, "/")
	return class, below
}

// ReadAhead returns the read-ahead for the files, or nil if the system has none.
func (t *Files) ReadAhead() input.ReadAhead {
	of := t.sys.ReadAhead(t.spec.Dir, t.spec.FollowLinks)
	if of == nil {
		return nil
	}
	return &readAhead{of, t}
}

// A readAhead skips files that will not be read.
type readAhead struct {
	files.ReadAhead
	t *Files
}

func (r *readAhead) Add(file int) {
	if f := &r.t.listing.Files[file]; r.t.refuse(f) == nil {
		r.ReadAhead.Add(f)
	}
}
