package tree

import (
	"path"
	"slices"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// NameColumns are the columns that come from the name of a file.
var NameColumns = []string{"path", "filename", "stem", classColumn}

const classColumn = "class"

// classWords are names that people have for the column of classes.
var classWords = []string{"label", "labels", "category", "target", "class_name", "classname", "folder", "directory"}

// AddNames adds the columns that come from the name of a file.
func AddNames(set *column.Set) *column.Set {
	set.Advise = func(name string) (text, hint string) {
		if slices.Contains(classWords, strings.ToLower(name)) {
			return "", "from: " + classColumn + " has the name of the first directory"
		}
		return "", ""
	}
	return set.Add(column.Column{From: "the directory", Origin: true}, NameColumns[:3]...).
		Add(column.Column{From: "the directory", Weak: true}, classColumn)
}

// A Reader reads files. It may be used by one goroutine.
type Reader struct {
	t       *Files
	dir     files.Directory // nil until the first file
	content []byte
	Strings []byte // memory for names and image metadata; Read and Names reset it
	Digest  []byte // SHA-256 of the content, if the system keeps sums
}

// NewReader returns a reader of the tree's files.
func (t *Files) NewReader() *Reader { return &Reader{t: t} }

// Close closes the directory.
func (r *Reader) Close() {
	if r.dir != nil {
		r.dir.Close()
	}
}

// Read reads a file. The content is valid until the next Read.
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

// Names prepares the columns of a file's name without reading the file. It returns an error if
// Read would, as far as the listing shows that.
func (r *Reader) Names(file int) error {
	r.Strings = r.Strings[:0]
	return r.t.check(&r.t.listing.Files[file])
}

// check returns the error of a listed file that cannot be read.
func (t *Files) check(f *files.File) error {
	switch {
	case !f.Regular:
		return input.NotRegular()
	case f.Size > int64(t.record):
		return input.LongFile(f.Size, t.record)
	}
	return nil
}

func (r *Reader) read(f *files.File) error {
	err := r.open()
	if err == nil {
		r.content, err = r.dir.Read(r.content[:0], f)
	}
	if err == nil {
		r.Digest = r.t.sys.Sums().Add(files.Key{Listed: f}, r.content)
	}
	return err
}

// open opens the directory for the first file.
func (r *Reader) open() (err error) {
	if r.dir == nil {
		r.dir, err = r.t.sys.OpenDirectory(r.t.spec.Dir, r.t.spec.FollowLinks)
	}
	return err
}

// ReadFirst returns the first n bytes of a local file, or the file if it is shorter. They are valid
// until the next file. ok is false if it cannot read them; Read returns the reason.
func (r *Reader) ReadFirst(file int, n int64) (data []byte, ok bool) {
	f := &r.t.listing.Files[file]
	if r.t.check(f) != nil || r.open() != nil {
		return nil, false
	}
	dir, ok := r.dir.(files.FirstReader)
	if !ok {
		return nil, false
	}
	var err error
	r.content, err = dir.ReadFirst(r.content[:0], f, n)
	return r.content, err == nil
}

// FirstReader returns a reader of the files' first bytes, or nil if they are remote.
func (t *Files) FirstReader() input.FirstReader {
	if t.sys.Fetches(t.spec.Dir) {
		return nil
	}
	return t.NewReader()
}

// Name returns the name of a file relative to the directory.
func (r *Reader) Name(file int) string { return r.t.listing.Files[file].Name }

// Column returns the value of a column of NameColumns.
func (r *Reader) Column(name string, file int) (v schema.Value) {
	if name == classColumn && r.t.classes != nil {
		return schema.Value{Kind: schema.Text, Text: []byte(r.t.classes[file])}
	}
	r.Strings, v = AppendName(r.Strings, name, r.Name(file))
	return v
}

// AppendName returns the value of a column of NameColumns for a file with that relative name. Its text is appended to
// buf.
func AppendName(buf []byte, name, rel string) ([]byte, schema.Value) {
	text, has := nameColumn(name, rel)
	if !has {
		return buf, schema.Value{}
	}
	at := len(buf)
	buf = append(buf, text...)
	return buf, schema.Value{Kind: schema.Text, Text: buf[at:]}
}

// nameColumn returns the value of a column of NameColumns for a file with that relative name. A
// file that is not in a subdirectory has no class.
func nameColumn(name, rel string) (text string, has bool) {
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

// ReadAhead returns the read-ahead for the files.
func (t *Files) ReadAhead() input.ReadAhead {
	return &readAhead{t.sys.ReadAhead(t.spec.Dir, t.spec.FollowLinks), t}
}

// A readAhead skips files that will not be read.
type readAhead struct {
	files.ReadAhead
	t *Files
}

func (r *readAhead) Add(file int) {
	if f := &r.t.listing.Files[file]; r.t.check(f) == nil {
		r.ReadAhead.Add(f)
	}
}
