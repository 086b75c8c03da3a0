package sources

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"

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

// A boundLoad fills slots from a file that the row names, or from a list of files.
type boundLoad struct {
	load       *load
	path       []inputColumn
	columns    []input.Bound // of the file; each Name is the rest after the name of the load
	transforms bool          // coordinates move to the image
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
	k := slices.IndexFunc(b.l.loads, func(l boundLoad) bool { return l.load == load })
	if k >= 0 {
		return &b.l.loads[k], nil
	}
	bound := boundLoad{load: load}
	for _, name := range load.path.Columns() {
		c, err := b.inputOf(name, column.Load, 0) // paths use only columns from before the loads
		if err != nil {
			return nil, err
		}
		if c.isOwn && b.s.columns.Open && b.s.columns.Lists && !c.isList {
			c.hint = fmt.Sprintf("path: %q, if it is a list", "{"+name+".*}")
		}
		bound.path = append(bound.path, c)
	}
	b.l.loads = append(b.l.loads, bound)
	return &b.l.loads[len(b.l.loads)-1], nil
}

// A loader reads the files of one load. It may be used by one goroutine.
type loader struct {
	*boundLoad
	root   files.Root
	sums   *files.Sums
	real   string // the directory, without links
	limit  int
	images images.Filler

	values  []*schema.Value // of the columns of the template
	list    int             // index of the value that is a list, with a file for each element; -1 for one file
	parts   schema.Value    // the list of the strings between separators
	digits  [24]byte        // of a number in a path
	name    []byte
	content []byte      // of the last file
	digest  []byte      // its SHA-256, if it is recorded
	files   input.Bytes // the contents of all files of the row
	size    int         // bytes of the row's files before the last one
}

func (l *boundLoad) newLoader(s *Source, r *Reader) loader {
	of := loader{boundLoad: l, root: s.env.Files.Root(l.load.dir, s.env.Written),
		sums: s.env.Files.Sums(), real: store.Real(l.load.dir), limit: s.env.Limits.Record}
	of.values = make([]*schema.Value, len(l.path))
	of.images = images.Filler{Columns: l.columns, Limit: of.limit}
	if l.load.As == "image" {
		of.images = images.NewFiller(images.NewExaminer(s.spec.Kind.Options, l.load.Convert), l.load.Name, l.columns,
			s.env.Limits, r.Observed, false)
		of.images.Measure(&r.pixels)
	}
	return of
}

func (l *loader) close() { l.root.Close() }

// fill reads the files that the row names into the slots of their columns.
func (l *loader) fill(vals []schema.Value) error {
	count, err := l.find(vals)
	if err != nil {
		return err
	}
	if count < 0 {
		for _, c := range l.columns {
			vals[c.Slot] = schema.Value{}
		}
		return nil
	}
	if err := l.images.Begin(vals, l.found()); err != nil {
		return err
	}
	l.files.Reset()
	l.size = 0
	for i := range count {
		if err := l.fillOne(vals, i); err != nil {
			return err
		}
		l.size += len(l.content)
	}
	return nil
}

// fillOne reads the i-th file of the row into the slots.
func (l *loader) fillOne(vals []schema.Value, i int) error {
	name, err := l.fileName(i)
	if err != nil {
		return err
	}
	if err = l.read(name); err == nil {
		err = l.images.Fill(vals, i, l.content, l.digest, name)
		if bad, ok := errors.AsType[*schema.RowError](err); ok {
			bad.Message = schema.Quote(l.name) + ": " + bad.Message
		}
	}
	bad, ok := errors.AsType[*schema.RowError](err)
	if !ok {
		return err
	}
	bad.Column, bad.At = l.load.Name, -1 // of an image it was in the file, and the position is of the row
	if l.list < 0 {
		return bad
	}
	if l.path[l.list].isOwn {
		name := l.found().Element(i)
		bad.At = int(name.At)
	}
	return images.OfElement(i, bad)
}

// find finds the values that paths are made of, and returns the number of paths; -1 if the list of them is missing.
func (l *loader) find(vals []schema.Value) (count int, err error) {
	count, l.list = 1, -1
	for k := range l.path {
		c := &l.path[k]
		v := &vals[c.slot]
		if l.load.Separator != "" && k == len(l.path)-1 {
			v = l.split(v, c.nulls)
		}
		switch {
		case v.Kind == schema.List || v.Kind == schema.Array && c.isList:
			if l.list >= 0 {
				return 0, c.newError("TYPE", v,
					"found a list, and another one in "+l.path[l.list].name+"; a path takes one list")
			}
			l.list, count = k, v.Len()
		case c.isList && IsMissing(c.nulls, v):
			return -1, nil
		}
		l.values[k] = v
	}
	if l.list >= 0 && l.load.Convert.Follows() {
		return 0, l.path[l.list].newError("TYPE", l.found(),
			"found a list of images; boxes, points, polygons, and masks follow a single image")
	}
	return count, nil
}

// found returns the list of the row, or nil.
func (l *loader) found() *schema.Value {
	if l.list < 0 {
		return nil
	}
	return l.values[l.list]
}

// split splits a string into the list of its parts. As in a feature, an empty cell is an empty list.
func (l *loader) split(v *schema.Value, nulls []string) *schema.Value {
	isEmpty := v.Kind == schema.Missing || len(v.Text) == 0
	if v.Kind > schema.String || !isEmpty && IsMissing(nulls, v) {
		return v
	}
	l.parts = schema.Value{Kind: schema.List, List: l.parts.List[:0], At: v.At}
	for rest, more, at := v.Text, !isEmpty, v.At; more; {
		part := schema.Value{Kind: v.Kind, At: at}
		part.Text, rest, more = bytes.Cut(rest, []byte(l.load.Separator))
		at += uint32(len(part.Text) + len(l.load.Separator))
		l.parts.List = append(l.parts.List, part)
	}
	return &l.parts
}

// fileName returns the name of the i-th file that the row names.
func (l *loader) fileName(i int) (string, error) {
	var err error
	l.name = l.load.path.Append(l.name[:0], func(k int) []byte {
		text, bad := l.textOf(k, i)
		err = cmp.Or(err, bad)
		return text
	})
	return string(l.name), err
}

// textOf returns the text of the k-th value, or of its i-th element if it is the list.
func (l *loader) textOf(k, i int) ([]byte, error) {
	of, where := *l.values[k], ""
	if k == l.list {
		of, where = of.Element(i), fmt.Sprintf("element %d: ", i)
	}
	text, ok := of.AsText(l.digits[:0])
	switch c := &l.path[k]; {
	case IsMissing(c.nulls, &of) || ok && k == l.list && len(text) == 0:
		bad := c.newError("MISSING", &of, where+"no text to make the path of "+l.load.Name+" from")
		if k != l.list && of.Kind == schema.Missing {
			bad.Hint = c.hint
		}
		return nil, bad
	case !ok:
		return nil, c.newError("TYPE", &of,
			where+"found "+of.Describe()+"; expected a string for the path of "+l.load.Name)
	}
	return text, nil
}

// newError returns an error about a value of the column.
func (c *inputColumn) newError(code string, v *schema.Value, message string) *schema.RowError {
	return &schema.RowError{Code: code, At: int(v.At), Column: c.name, Message: message}
}

// read reads the file name. It must be in the directory, and not be written by the run itself.
func (l *loader) read(name string) (err error) {
	// limits.record is the limit of all files of a row together.
	if l.content, err = l.root.Read(l.files.Take, name, l.limit-l.size); err != nil {
		return l.readError(name, err)
	}
	l.digest = nil
	if l.sums != nil && fs.ValidPath(name) { // x/../a.jpg is not a.jpg if x is a link
		l.digest = l.sums.Add(files.Key{Path: store.Join(l.real, name)}, l.content)
	}
	return nil
}

// readError returns the error of reading the file name. It distinguishes an invalid row, whose
// file is not usable, from an input that cannot be read.
func (l *loader) readError(name string, err error) error {
	quoted := schema.Quote(name)
	bad := &schema.RowError{}
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
		if bad = input.LongFile(large.Size, l.limit); l.size > 0 {
			bad = images.LongImages(int64(l.size)+large.Size, l.limit)
		}
		bad.Message = quoted + ": " + bad.Message
	default:
		return &input.Error{Path: l.load.dir + "/" + name, Err: err}
	}
	return bad
}
