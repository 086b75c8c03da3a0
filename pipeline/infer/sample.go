package infer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// A table of at most wholeMost bytes is read completely. The sample of a larger table is its
// beginning, and stretches that are evenly spaced between it and the end.
const (
	wholeMost     = 32 << 20
	beginningMost = 6 << 20
	stretches     = 32
	stretchSize   = 256 << 10
	filesMost     = 32 // files that are read of an input with more files
)

// A coverage says how much of an input was read.
type coverage struct {
	input.Reading
	footer  int    // invalid rows below all others
	joined  tally  // rows of several lines
	gaps    tally  // rows below lines that are not rows, other than the first
	partial bool   // the input has more
	what    string // description of what was read, if the input has more
}

// valid returns the number of rows that can be read.
func (e *coverage) valid() int { return e.Rows - e.Invalid }

// addError counts a row that cannot be read. It returns errors that are not about a row.
func (e *coverage) addError(src *sources.Source, file int, rec *input.Record, err error) error {
	bad := new(schema.RowError)
	if !errors.As(err, &bad) {
		return err
	}
	if bytes.HasPrefix(rec.Raw, []byte("#")) {
		e.Marked++
	}
	e.footer++
	if e.Invalid++; e.First == nil {
		rowError, name := *bad, base(src.PathOf(file, bad.Column))
		if listed := src.Listing(); listed.Sized {
			name = listed.Files[file].Name
		}
		at := rec.Position(name, bad)
		e.First, e.Where = &rowError, at.String()
	}
	return nil
}

// A rowSampler reads the rows of a source, or a sample of them.
type rowSampler struct {
	*summary
	ctx    context.Context
	src    *sources.Source
	reader *sources.Reader
	next   int64 // line after a row; 0 at the beginning of a file
	visit  func(vals []schema.Value) error
}

var errEnough = errors.New("enough rows")

// readAll calls visit for the rows of all sources, or for a sample of them. The first error of visit ends the reading.
func (s *summary) readAll(ctx context.Context, slots []schema.Column, visit func(vals []schema.Value) error) error {
	for i, src := range s.opened {
		layout, err := src.Bind(slots)
		if err != nil {
			return err
		}
		s.reading.source = i + 1
		w := &rowSampler{s, ctx, src, layout.NewReader(), 0, func(vals []schema.Value) error {
			raw := s.reading.raw
			s.footer = 0
			if len(raw) > 0 && raw[0] == '#' {
				s.Hashes++
			}
			s.Wide = s.Wide || utf8.RuneCount(raw) < len(raw)
			if s.typ.NullWords && bytes.IndexByte(bytes.TrimRight(raw, "\r\n"), '\n') >= 0 {
				s.joined.add(&s.reading, raw, 1)
			}
			return visit(vals)
		}}
		err = w.readSource(wholeMost, !s.typ.AnyLine)
		w.reader.Close()
		if err != nil && !errors.Is(err, errEnough) {
			return err
		}
	}
	return nil
}

// readSource reads all rows of a source, or a sample of one with more than most bytes: of many files that are rows,
// some that are evenly spaced, and otherwise the beginning of files and stretches of them. If ordered is true, files
// are only read from their beginning.
func (w *rowSampler) readSource(most int64, ordered bool) error {
	listed, print := w.src.Listing().Files, w.src.Footprint()
	n, begin, each, what := len(listed), -1, 0, ""
	switch {
	case w.src.Listing().Sized && n > lookedMost:
		n, what = lookedMost, share(lookedMost, n, "file")
	case print.Text <= most:
	case ordered || print.Streamed || print.Fetched:
		n = min(n, filesMost)
		begin, what = 2*beginningMost/n, "the beginning of "+plural.Of(n, "file")
	default:
		n = min(n, filesMost)
		begin, each = beginningMost/n, max(1, stretches/n)
		what = fmt.Sprintf("the beginning and %d stretches of %s", each*n, plural.Of(n, "file"))
	}
	if what != "" {
		w.partial, w.what = true, what
	}
	for i := range n {
		file := i * len(listed) / n
		if err := w.readBeginning(file, begin); err != nil {
			return err
		}
		if each > 0 {
			if err := w.readStretches(file, each, int64(begin)); err != nil {
				return err
			}
		}
	}
	return nil
}

// readBeginning reads the first most bytes of a file; the complete file if most is negative.
func (w *rowSampler) readBeginning(file, most int) error {
	read := 0
	w.next = 0
	err := input.EachRow(w.ctx, w.src, file, func(rec *input.Record) error {
		if most >= 0 && read > most {
			return errEnough
		}
		read += len(rec.Raw)
		return w.readRow(file, rec)
	})
	if errors.Is(err, errEnough) {
		w.partial = true
		return nil
	}
	return err
}

func (w *rowSampler) readRow(file int, rec *input.Record) error {
	w.Rows++
	hasGap := w.next > 0 && rec.Line > w.next
	w.next = rec.Line + max(1, int64(bytes.Count(rec.Raw, []byte("\n"))))
	if rec.Bad != nil {
		return w.addError(w.src, file, rec, rec.Bad)
	}
	vals, err := w.reader.Read(file, rec.Offset, rec.Raw)
	if err != nil {
		return w.addError(w.src, file, rec, err)
	}
	w.reading.path, w.reading.record, w.reading.raw = w.src.Path(file), rec, rec.Raw
	if hasGap {
		w.gaps.add(&w.reading, rec.Raw, 1)
	}
	return w.visit(vals)
}

// readStretches reads n stretches of a mapped file, after its beginning.
func (w *rowSampler) readStretches(file, n int, from int64) error {
	listed := &w.src.Listing().Files[file]
	data, err := w.Map(w.src.Path(file), listed)
	if err != nil {
		return &input.Error{Path: w.src.Path(file), Err: err}
	}
	defer files.Unmap(data)
	size := int64(len(data))
	for i := range int64(n) {
		at := from + (size-from)*(i+1)/int64(n+1) // after the rows of the beginning
		if at+stretchSize > size {
			continue
		}
		if err := w.readStretch(file, data, at); err != nil {
			return err
		}
	}
	return nil
}

// surely is the number of consecutive readable rows that show that the first of them is a row. A
// line may also begin inside a quoted cell.
const surely = 3

// readStretch reads the rows of a stretch that begins at any offset. It skips a row that does not
// end inside the stretch.
func (w *rowSampler) readStretch(file int, data []byte, at int64) error {
	if w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	text := data[at : at+stretchSize]
	// A row that reaches the end of the slice may continue in the file.
	for begin := afterLine(text, 0); begin >= 0; begin = afterLine(text, begin) {
		if n, _ := w.readRows(file, at, text, begin, surely); n == surely {
			_, err := w.readRows(file, at, text, begin, -1)
			return err
		}
	}
	return nil
}

// readRows reads rows from an offset of the text on. If most is negative, it visits them; otherwise
// it only counts up to most rows. It stops at a row that cannot be read.
func (w *rowSampler) readRows(file int, at int64, text []byte, from, most int) (n int, err error) {
	for n != most && from < len(text) {
		if blank(text[from:]) {
			from = afterLine(text, from)
			if from < 0 {
				break
			}
			continue
		}
		vals, err := w.reader.Read(file, at+int64(from), text[from:])
		size := w.reader.Size()
		if err != nil || size <= 0 || from+size >= len(text) {
			break
		}
		if n++; most < 0 {
			w.Rows++
			w.reading.path, w.reading.record, w.reading.raw = w.src.Path(file), nil, text[from:from+size]
			w.reading.offset = at + int64(from)
			if err := w.visit(vals); err != nil {
				return n, err
			}
		}
		from += size
	}
	return n, nil
}

// blank reports whether the text begins with an empty line.
func blank(text []byte) bool {
	return text[0] == '\n' || bytes.HasPrefix(text, []byte("\r\n"))
}

// afterLine returns the offset of the line after the one at from; -1 if that is the last line.
func afterLine(text []byte, from int) int {
	n := bytes.IndexByte(text[from:], '\n')
	if n < 0 || from+n+1 == len(text) {
		return -1
	}
	return from + n + 1
}

// A reading is the row that is read, with what its values need. One goroutine must use it.
type reading struct {
	source  int           // its number, from 1
	path    string        // of the file
	record  *input.Record // nil for a row of a stretch
	offset  int64
	raw     []byte
	asBytes bool   // strings are bytes, which may be text
	seen    string // position, in place of the row's

	cells    []*sources.CellScanner // for the values of objects, by depth
	lists    *sources.CellScanner   // for lists in strings
	areLists bool                   // a value may be repeated in other rows: each is a list
}

// where returns the position of the row.
func (t *reading) where() string {
	switch r := t.record; {
	case t.seen != "":
		return t.seen
	case r == nil:
		return fmt.Sprintf("%s, byte %d", base(t.path), t.offset)
	case r.Binary:
		at := r.Position(base(t.path), &schema.RowError{At: -1})
		return at.String()
	case t.areLists || r.Line == 0: // a document
		return base(t.path)
	default:
		return base(t.path) + ":" + strconv.FormatInt(r.Line, 10)
	}
}

// isQuoted reports whether a cell is in quotes.
func (t *reading) isQuoted(v *schema.Value) bool {
	return int(v.At) < len(t.raw) && t.raw[v.At] == '"'
}
