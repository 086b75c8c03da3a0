package sources

import (
	"errors"
	"io/fs"

	"tfr-build/internal/store"
	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/files"
	"tfr-build/sources/images"
	"tfr-build/sources/input"
)

// A load is a Load with its path compiled.
type load struct {
	*Load
	path *Template
	dir  string
}

// newLoad returns l with its directory resolved.
func newLoad(l *Load, path *Template, env *input.Env) load {
	return load{Load: l, path: path, dir: env.Resolve(l.Dir)}
}

// A boundLoad fills slots from a file that the row names.
type boundLoad struct {
	load    *load
	path    []int         // slots of the columns of the template
	nulls   [][]string    // strings of these columns that mean missing
	columns []input.Bound // of the file; each Name is the rest after the name of the load
	places  bool          // coordinates move to the image
}

// bindLoad binds slot to a column of a loaded file.
func (b *binder) bindLoad(c *column.Column, slot int) error {
	l, err := b.loadOf(c.Index)
	if err == nil {
		l.columns = append(l.columns, input.Bound{Name: c.Name[len(l.load.Name):], Slot: slot})
	}
	return err
}

// loadOf returns a load, which is added if it is new.
func (b *binder) loadOf(index int) (*boundLoad, error) {
	load := &b.s.loads[index]
	k := -1
	for n := range b.l.loads {
		if b.l.loads[n].load == load {
			k = n
		}
	}
	if k < 0 {
		bound := boundLoad{load: load}
		for _, name := range load.path.Columns() {
			from, err := b.slotFor(name, column.Load, 0) // paths use only columns from before the loads
			if err != nil {
				return nil, err
			}
			bound.path, bound.nulls = append(bound.path, from), append(bound.nulls, b.s.Nulls(name))
		}
		b.l.loads = append(b.l.loads, bound)
		k = len(b.l.loads) - 1
	}
	return &b.l.loads[k], nil
}

// A loader reads the files of one load. It may be used by one goroutine.
type loader struct {
	*boundLoad
	root     files.Root
	limit    int
	examiner *images.Examiner

	name    []byte
	content []byte
	numbers []byte
}

func (l *boundLoad) newLoader(s *Source, r *Reader) loader {
	names := make([]string, len(l.columns))
	for i, c := range l.columns {
		names[i] = c.Name
	}
	examiner := images.NewExaminer(s.spec.Kind.Options, l.load.Convert)
	examiner.Ask(l.load.Name, s.env.Limits, r.Observed, names)
	examiner.Measure(&r.pixels)
	root := s.env.Files.Root(l.load.dir, s.env.Written)
	return loader{boundLoad: l, root: root, limit: s.env.Limits.Record, examiner: examiner}
}

func (l *loader) close() { l.root.Close() }

// fill reads the file that the row names into the slots of its columns.
func (l *loader) fill(vals []schema.Value) error {
	name, err := l.fileName(vals)
	if err == nil {
		err = l.read(name)
	}
	if err != nil {
		return err
	}
	if l.load.As != "image" {
		for _, w := range l.columns { // with as: bytes the only column is the content
			vals[w.Slot] = schema.Value{Kind: schema.Bytes, Text: l.content}
		}
		return nil
	}
	return l.examine(name, vals)
}

// fileName returns the name of the file that the row names.
func (l *loader) fileName(vals []schema.Value) (string, error) {
	columns := l.load.path.Columns()
	for k, slot := range l.path {
		if v := &vals[slot]; v.Kind >= schema.Bytes || IsMissing(l.nulls[k], v) {
			return "", &schema.RowError{Code: "MISSING", At: int(v.At), Column: columns[k], Message: "no text to make the path of " + l.load.Name + " from"}
		}
	}
	l.name = l.load.path.Append(l.name[:0], func(k int) []byte { return vals[l.path[k]].Text })
	return string(l.name), nil
}

// examine sets the columns of an image.
func (l *loader) examine(name string, vals []schema.Value) error {
	image, err := l.examiner.Examine(l.content, name)
	if err != nil {
		var bad *schema.RowError
		if errors.As(err, &bad) {
			bad.Column, bad.At = l.load.Name, -1 // it was in the file, and the position is of the row
			bad.Message = schema.Quote(l.name) + ": " + bad.Message
		}
		return err
	}
	l.numbers = l.numbers[:0]
	for _, w := range l.columns {
		l.numbers, vals[w.Slot] = image.AppendColumn(l.numbers, w.Name)
	}
	return nil
}

// read reads the file name. It must be in the directory, and not be written by the run itself.
func (l *loader) read(name string) (err error) {
	if l.content, err = l.root.Read(l.content[:0], name, l.limit); err != nil {
		return l.readError(name, err)
	}
	return nil
}

// readError returns the error of reading the file name. It distinguishes an invalid row, whose
// file is not usable, from an input that cannot be read.
func (l *loader) readError(name string, err error) error {
	quoted := schema.Quote([]byte(name))
	bad := &schema.RowError{At: -1, Column: l.load.Name}
	dirErr, large := new(files.DirectoryError), new(store.LargeError)
	switch {
	case errors.As(err, &dirErr):
		return &input.Error{Path: l.load.dir, Err: dirErr.Err}
	case errors.Is(err, files.ErrNotRegular):
		bad.Code, bad.Message = "NOT_REGULAR", quoted+" is "+files.ErrNotRegular.Error()
	case errors.Is(err, files.ErrWritten):
		bad.Code, bad.Message = "PATH_ESCAPE", quoted+" belongs to the dataset itself, which is replaced completely"
	case errors.Is(err, files.ErrOutside):
		bad.Code, bad.Message = "PATH_ESCAPE", quoted+" does not stay inside of "+l.load.dir
	case errors.Is(err, files.ErrNoFile):
		bad.Code, bad.Message = "NOT_FOUND", quoted+" is not a file of "+l.load.dir
	case errors.Is(err, fs.ErrNotExist):
		bad.Code, bad.Message = "NOT_FOUND", quoted+" is not in "+l.load.dir
	case errors.As(err, &large):
		bad = input.LongFile(large.Size, l.limit)
		bad.Column, bad.Message = l.load.Name, quoted+": "+bad.Message
	default:
		return &input.Error{Path: l.load.dir + "/" + name, Err: err}
	}
	return bad
}
