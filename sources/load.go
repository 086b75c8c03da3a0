package sources

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"tfr-build/schema"
	"tfr-build/sources/column"
	"tfr-build/sources/images"
	"tfr-build/sources/input"
)

// A load is a Load whose path is compiled.
type load struct {
	*Load
	path    *Template
	dir     string
	real    string   // dir with links followed; empty until it is there
	written []string // what the run writes below it
}

// newLoad is l as env resolves it.
func newLoad(l *Load, path *Template, env *input.Env) load {
	n := load{Load: l, path: path, dir: env.Resolve(l.Dir)}
	n.real, _ = filepath.EvalSymlinks(n.dir) // reading says what is wrong with it
	for _, w := range env.Written {
		if _, below := strings.CutPrefix(w, n.real+"/"); below {
			n.written = append(n.written, w)
		}
	}
	return n
}

// isWritten reports whether the file name, relative to dir, is one that the run
// writes, or lies in a folder that it does.
func (l *load) isWritten(name string) bool {
	if len(l.written) == 0 {
		return false
	}
	real, err := filepath.EvalSymlinks(filepath.Join(l.dir, name))
	return err == nil && slices.ContainsFunc(l.written, func(w string) bool { return real == w || strings.HasPrefix(real, w+"/") })
}

// relative is the name of a file relative to dir: an absolute one may name it as
// the config does, or by any other way to it.
func (l *load) relative(name string) string {
	if !filepath.IsAbs(name) || l.real == "" {
		return name
	}
	for _, dir := range []string{l.dir, l.real} {
		if rest, below := strings.CutPrefix(name, dir+"/"); below {
			return strings.TrimLeft(rest, "/")
		}
	}
	real, err := filepath.EvalSymlinks(name)
	if err != nil { // then its folder may be there
		real, _ = filepath.EvalSymlinks(filepath.Dir(name))
		real = filepath.Join(real, filepath.Base(name))
	}
	if rest, below := strings.CutPrefix(real, l.real+"/"); below {
		return rest
	}
	return name
}

// A boundLoad fills slots from a file that the row names.
type boundLoad struct {
	load    *load
	path    []int         // slots of the template's columns
	nulls   [][]string    // of those columns
	columns []input.Bound // of the file, each named by what follows the load's own name
}

// load notes that slot takes its value from a load.
func (b *binder) load(c *column.Column, slot int) error {
	load := &b.s.loads[c.Index]
	k := -1
	for n := range b.l.loads {
		if b.l.loads[n].load == load {
			k = n
		}
	}
	if k < 0 {
		bound := boundLoad{load: load}
		for _, name := range load.path.Columns() {
			from, err := b.needed(name, column.Load, 0) // a path is made of columns that are there before
			if err != nil {
				return err
			}
			bound.path, bound.nulls = append(bound.path, from), append(bound.nulls, b.s.Nulls(name))
		}
		b.l.loads = append(b.l.loads, bound)
		k = len(b.l.loads) - 1
	}
	b.l.loads[k].columns = append(b.l.loads[k].columns, input.Bound{Name: c.Name[len(load.Name):], Slot: slot})
	return nil
}

// A loader reads the files that one load names. It belongs to one reader.
type loader struct {
	*boundLoad
	root     *os.Root // nil until the first file
	limit    int
	examiner *images.Examiner

	name    []byte
	content []byte
	numbers []byte
}

func (l *boundLoad) newLoader(s *Source, facts *input.Facts) loader {
	names := make([]string, len(l.columns))
	for i, c := range l.columns {
		names[i] = c.Name
	}
	examiner := images.NewExaminer(s.spec.Kind.Options, l.load.Convert)
	examiner.Ask(l.load.Name, s.env.Limits, facts, names)
	return loader{boundLoad: l, limit: s.env.Limits.Record, examiner: examiner}
}

func (l *loader) close() {
	if l.root != nil {
		l.root.Close()
	}
}

// fill reads the file that the row names into its slots.
func (l *loader) fill(vals []schema.Value) error {
	columns := l.load.path.Columns()
	for k, slot := range l.path {
		if v := &vals[slot]; v.Kind >= schema.Bytes || IsMissing(l.nulls[k], v) {
			return &schema.RowError{Code: "MISSING", At: int(v.At), Column: columns[k], Message: "no text to make the path of " + l.load.Name + " from"}
		}
	}
	l.name = l.load.path.Append(l.name[:0], func(k int) []byte { return vals[l.path[k]].Text })
	name := string(l.name)
	if err := l.read(name); err != nil {
		return err
	}
	if l.load.As != "image" {
		for _, w := range l.columns { // all are its content
			vals[w.Slot] = schema.Value{Kind: schema.Bytes, Text: l.content}
		}
		return nil
	}
	return l.examine(name, vals)
}

// examine sets the columns of an image.
func (l *loader) examine(name string, vals []schema.Value) error {
	picture, err := l.examiner.Examine(l.content, name)
	if err != nil {
		var bad *schema.RowError
		if errors.As(err, &bad) {
			bad.Column = l.load.Name
			bad.Message = schema.Quote(l.name) + ": " + bad.Message
		}
		return err
	}
	l.numbers = l.numbers[:0]
	for _, w := range l.columns {
		l.numbers, vals[w.Slot] = picture.AppendColumn(l.numbers, w.Name)
	}
	return nil
}

// read reads the file name, which stays inside of the folder through links
// and `..` too, and is none that the run itself writes.
func (l *loader) read(name string) (err error) {
	if l.root == nil {
		if l.root, err = os.OpenRoot(l.load.dir); err != nil {
			return &input.Error{Path: l.load.dir, Err: err}
		}
	}
	rel := l.load.relative(name)
	if l.load.isWritten(rel) {
		return &schema.RowError{Code: "PATH_ESCAPE", At: -1, Column: l.load.Name, Message: schema.Quote([]byte(name)) + " is of the dataset itself, which is replaced as a whole"}
	}
	f, err := l.root.OpenFile(rel, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return l.fault(name, err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return l.unreadable(name, err)
	case !info.Mode().IsRegular():
		return l.fault(name, input.ErrNotRegular)
	case info.Size() > int64(l.limit):
		bad := input.LongFile(info.Size(), l.limit)
		bad.Column, bad.Message = l.load.Name, schema.Quote([]byte(name))+": "+bad.Message
		return bad
	}
	l.content, err = input.ReadAll(l.content[:0], int(f.Fd()), info.Size())
	if err == nil && int64(len(l.content)) != info.Size() {
		err = input.ErrChanged
	}
	if err != nil {
		return l.unreadable(name, err)
	}
	return nil
}

func (l *loader) unreadable(name string, err error) error {
	return &input.Error{Path: l.load.dir + "/" + name, Err: err}
}

// fault tells a row that names no usable file from an input that cannot be read.
func (l *loader) fault(name string, err error) error {
	bad := &schema.RowError{At: -1, Column: l.load.Name}
	switch {
	case errors.Is(err, input.ErrNotRegular), errors.Is(err, unix.ENXIO): // which opening a socket gives
		bad.Code, bad.Message = "NOT_REGULAR", schema.Quote([]byte(name))+" is "+input.ErrNotRegular.Error()
	case errors.Is(err, fs.ErrNotExist):
		bad.Code, bad.Message = "NOT_FOUND", schema.Quote([]byte(name))+" is not in "+l.load.dir
	case errors.Is(err, fs.ErrPermission), errors.Is(err, unix.EIO), errors.Is(err, unix.EMFILE), errors.Is(err, unix.ENFILE):
		return l.unreadable(name, input.Cause(err))
	case errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.ENAMETOOLONG), errors.Is(err, unix.ELOOP), errors.Is(err, fs.ErrInvalid):
		bad.Code, bad.Message = "NOT_FOUND", schema.Quote([]byte(name))+" is no file of "+l.load.dir
	default:
		bad.Code, bad.Message = "PATH_ESCAPE", schema.Quote([]byte(name))+" does not stay inside of "+l.load.dir
	}
	return bad
}
