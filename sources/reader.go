package sources

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"tfr-build/schema"
	"tfr-build/sources/csv"
	"tfr-build/sources/image"
	"tfr-build/sources/jsonl"
)

// A Reader reads rows of a bound source, one at a time, into the same slots.
// Use one a goroutine.
type Reader struct {
	s    *Source
	l    *Layout
	vals []schema.Value
	file int // whose columns stand in vals; -1 for none

	cells  []int32   // CSV: of the file
	check  csv.Check // of the file
	size   int       // of the last row's text
	simple bool      // there are no columns but the scanner's and the file's

	csv    *csv.Scanner
	jsonl  *jsonl.Scanner
	groups []string // of from_path
	fits   bool     // the file's name fits from_path

	content []byte   // the file that is the row
	texts   []byte   // of names and image facts
	dir     *os.File // of a tree
	loads   []loadBuffer

	Notes map[Note]Noted        // what was remarkable
	Seen  map[string]*SeenFacts // by image column
}

type loadBuffer struct {
	loader  *loader
	content []byte
	numbers []byte
	name    []byte
}

// A Note is something remarkable about a row that can still be used.
type Note struct{ Code, Text string }

// Noted are the images that one note is about.
type Noted struct {
	Count   int
	Example string // the name of the one that comes first by name
}

// Add is n and others.
func (n Noted) Add(others Noted) Noted {
	if n.Count == 0 || others.Example < n.Example {
		n.Example = strings.Clone(others.Example)
	}
	n.Count += others.Count
	return n
}

// SeenFacts are the formats and the channels of the images of a column.
type SeenFacts struct {
	Formats     map[string]bool
	Colorspaces map[string]bool
	Channels    map[int]bool
}

// NewSeenFacts has seen nothing.
func NewSeenFacts() *SeenFacts {
	return &SeenFacts{map[string]bool{}, map[string]bool{}, map[int]bool{}}
}

// Add adds what others saw.
func (s *SeenFacts) Add(others *SeenFacts) {
	maps.Copy(s.Formats, others.Formats)
	maps.Copy(s.Colorspaces, others.Colorspaces)
	maps.Copy(s.Channels, others.Channels)
}

// NewReader returns a reader of the layout's columns. The joined tables must
// have been loaded.
func (l *Layout) NewReader() *Reader {
	s := l.s
	r := &Reader{s: s, l: l, vals: l.newValues(), file: -1, fits: true, Notes: map[Note]Noted{}, Seen: map[string]*SeenFacts{}}
	switch s.spec.Kind {
	case CSV:
		r.csv = s.spec.Table.Format.NewScanner()
	case JSONL:
		r.jsonl = l.paths.NewScanner()
	}
	if s.spec.FromPath != nil {
		r.groups = make([]string, len(s.spec.FromPath.Columns()))
	}
	r.loads = make([]loadBuffer, len(r.l.loads))
	r.simple = s.spec.FromPath == nil && len(l.joins) == 0 && len(l.loads) == 0
	return r
}

// Close gives back the folders that rows' files are read from.
func (r *Reader) Close() {
	for _, l := range r.loads {
		if l.loader != nil {
			l.loader.root.Close()
		}
	}
	if r.dir != nil {
		r.dir.Close()
	}
}

// Size is how many bytes of data the last row of a table took.
func (r *Reader) Size() int { return r.size }

// SetSplit is the split of the rows that are read from now on.
func (r *Reader) SetSplit(name string) {
	if r.l.split >= 0 && string(r.vals[r.l.split].Text) != name {
		r.vals[r.l.split] = schema.Value{Kind: schema.Text, Text: []byte(name)}
	}
}

// Read reads the row of file that data begins with and runs on from; the rows
// of trees are files, and data is nil. The values hold until the next Read.
// A *schema.RowError spoils this row only; an *InputError is the input's.
func (r *Reader) Read(file int, data []byte) ([]schema.Value, error) {
	if file != r.file {
		r.enter(file)
	}
	var err error
	switch r.s.spec.Kind {
	case CSV:
		if r.size, err = r.csv.Scan(data, r.cells, r.vals, r.check); err != nil {
			err = r.named(&r.s.tables[file], err)
		}
	case JSONL:
		r.size, err = r.jsonl.Scan(data, r.vals, r.check&csv.CheckUTF8 != 0)
	default:
		err = r.tree(file)
	}
	if err != nil || r.simple {
		return r.vals, err
	}
	return r.derive(file)
}

// derive adds the columns that are made of others.
func (r *Reader) derive(file int) ([]schema.Value, error) {
	if !r.fits {
		return nil, r.misfit(file)
	}
	for i := range r.l.joins {
		r.l.joins[i].fill(r.vals)
	}
	for i := range r.l.loads {
		if err := r.load(i); err != nil {
			return nil, err
		}
	}
	return r.vals, nil
}

// named adds the column's name to an error of the scanner, which knows only
// the number of the cell.
func (r *Reader) named(t *tableFile, err error) error {
	var bad *schema.RowError
	if cell := r.csv.Cell; errors.As(err, &bad) && bad.Column == "" && cell >= 0 && cell < len(t.head.names) {
		bad.Column = t.head.names[cell]
	}
	return err
}

// enter sets what is the same for all rows of a file.
func (r *Reader) enter(file int) {
	r.file = file
	if r.s.tables != nil {
		r.check = r.s.tables[file].check
	}
	if r.l.cells != nil {
		r.cells = r.l.cells[file]
	}
	name := r.s.Files[file].Name
	if p := r.s.spec.FromPath; p != nil {
		r.fits = p.Match(name, r.groups)
	}
	for _, c := range r.l.file {
		text := name
		if c.group >= 0 {
			text = r.groups[c.group]
		}
		r.vals[c.slot] = schema.Value{Kind: schema.Text, Text: []byte(text)}
	}
}

func (r *Reader) misfit(file int) error {
	return &schema.RowError{Code: "PATH_PATTERN", At: -1, Message: fmt.Sprintf("%s does not fit from_path %q", schema.Quote([]byte(r.s.Files[file].Name)), r.s.spec.FromPath.text)}
}

// tree reads the file that is the row.
func (r *Reader) tree(file int) error {
	s := &r.s.spec
	f := &r.s.Files[file]
	if !f.Regular {
		return notRegular()
	}
	if f.Size > int64(s.Limits.Record) {
		return tooLong(f.Size, s.Limits.Record)
	}
	flags := unix.O_NOFOLLOW
	if s.FollowLinks {
		flags = 0
	}
	var facts image.Facts
	if !r.l.names {
		var err error
		r.content, err = r.readFile(r.content[:0], f, flags)
		if err == ErrNotRegular {
			return notRegular()
		}
		if err != nil {
			return &InputError{r.s.Path(file), err}
		}
		if s.Kind == Images {
			if facts, err = r.examine(r.content, "image", f.Name); err != nil {
				return err
			}
		}
	}
	r.texts = r.texts[:0]
	for _, o := range r.l.own {
		r.vals[o.slot] = r.treeColumn(o.name, file, &facts)
	}
	return nil
}

// readFile reads a file of the source's folder, which stays open: the way to a
// file is shorter from there.
func (r *Reader) readFile(buf []byte, f *File, flags int) ([]byte, error) {
	if r.dir == nil {
		var err error
		if r.dir, err = os.Open(r.s.spec.Dir); err != nil {
			return buf, err
		}
	}
	return readFile(buf, int(r.dir.Fd()), f, flags)
}

func (r *Reader) treeColumn(name string, file int, facts *image.Facts) schema.Value {
	rel := r.s.Files[file].Name
	text := ""
	switch name {
	case "image", "content":
		return schema.Value{Kind: schema.Bytes, Text: r.content}
	case "path":
		text = rel
	case "filename":
		text = path.Base(rel)
	case "stem":
		base := path.Base(rel)
		text = strings.TrimSuffix(base, path.Ext(base))
	case "class":
		var has bool
		if text, has = r.class(rel, file); !has {
			return schema.Value{}
		}
	default:
		return fact(&r.texts, strings.TrimPrefix(name, "image."), facts)
	}
	at := len(r.texts)
	r.texts = append(r.texts, text...)
	return schema.Value{Kind: schema.Text, Text: r.texts[at:]}
}

// class is the first folder below dir, or what class_per_file says.
func (r *Reader) class(rel string, file int) (string, bool) {
	if r.s.spec.HasClasses {
		return r.s.spec.Classes[file], true
	}
	class, _, below := strings.Cut(rel, "/")
	return class, below
}

// fact is a column of an image; its text is put into buf.
func fact(buf *[]byte, name string, facts *image.Facts) schema.Value {
	number := func(n int) schema.Value {
		at := len(*buf)
		*buf = strconv.AppendInt(*buf, int64(n), 10)
		return schema.Value{Kind: schema.Number, Text: (*buf)[at:len(*buf):len(*buf)]}
	}
	switch name {
	case "height":
		return number(facts.Height)
	case "width":
		return number(facts.Width)
	case "channels":
		return number(facts.Channels)
	case "orientation":
		return number(facts.Orientation)
	case "format":
		return schema.Value{Kind: schema.Text, Text: []byte(facts.Format.String())}
	}
	return schema.Value{Kind: schema.Text, Text: []byte(facts.Colorspace)}
}
