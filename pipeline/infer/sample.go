package infer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sources"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// How much is read of a table. One that is no larger than wholeMost is read whole; of
// others the beginning, and stretches that lie evenly between it and the end.
const (
	wholeMost     = 32 << 20
	beginningMost = 6 << 20
	stretches     = 32
	stretchSize   = 256 << 10
	filesMost     = 32 // of which something is read, where there are more
)

// An extent is how much of an input was looked at.
type extent struct {
	rows   int
	bad    int              // of these, rows that cannot be read
	hashes int              // of those, rows that begin with a #
	first  *schema.RowError // why the first of them cannot
	where  string           // that row
	size   int64            // bytes of all files
	part   bool             // there is more
	what   string           // what was read, where there is more
}

// note notes a row that cannot be read.
func (e *extent) note(path string, rec *input.Record, err error) error {
	bad := new(schema.RowError)
	if !errors.As(err, &bad) {
		return err
	}
	if bytes.HasPrefix(rec.Raw, []byte("#")) {
		e.hashes++
	}
	if e.bad++; e.first == nil {
		kept := *bad
		at := rec.Position(base(path), bad)
		e.first, e.where = &kept, at.String()
	}
	return nil
}

// A walk reads rows of a source, of which there may be too many to read all.
type walk struct {
	ctx    context.Context
	sys    *files.System
	src    *sources.Source
	reader *sources.Reader
	to     *extent
	take   func(vals []schema.Value, raw []byte)
}

var errEnough = errors.New("enough rows")

// rows reads the rows of a source into columns, or a sample of them.
func rows(ctx context.Context, sys *files.System, src *sources.Source, layout *sources.Layout, to *extent, take func(vals []schema.Value, raw []byte)) error {
	w := &walk{ctx, sys, src, layout.NewReader(), to, take}
	defer w.reader.Close()
	listed := src.Listing().Files
	for i := range listed {
		to.size += listed[i].Size
	}
	print := src.Footprint()
	if print.Text <= wholeMost {
		for i := range listed {
			if err := w.beginning(i, -1); err != nil {
				return err
			}
		}
		return nil
	}
	to.part = true
	return w.sample(print.Streamed || print.Fetched || slices.Contains(fromBeginning, src.Spec().Kind.Name))
}

// fromBeginning are the kinds of files in which nobody tells where a row begins but those who
// read from the beginning.
var fromBeginning = []string{"json", "parquet", "tfrecord", "tar", "zip"}

// sample reads of a large source. What can only be read from its beginning is read
// there alone.
func (w *walk) sample(ordered bool) error {
	all := len(w.src.Listing().Files)
	some := make([]int, min(all, filesMost))
	for i := range some {
		some[i] = i * all / len(some)
	}
	begin, each := beginningMost, max(1, stretches/len(some))
	w.to.what = fmt.Sprintf("the beginning and %d stretches of %s", each*len(some), plural.Of(len(some), "file"))
	if ordered {
		begin, each = 2*begin, 0
		w.to.what = "the beginning of " + plural.Of(len(some), "file")
	}
	for _, file := range some {
		if err := w.beginning(file, begin/len(some)); err != nil {
			return err
		}
		if each > 0 {
			if err := w.spread(file, each, int64(begin/len(some))); err != nil {
				return err
			}
		}
	}
	return nil
}

// beginning reads the first so many bytes of a file, or all where most is negative.
func (w *walk) beginning(file, most int) error {
	read := 0
	err := input.EachRow(w.ctx, w.src, file, func(rec *input.Record) error {
		if most >= 0 && read > most {
			return errEnough
		}
		read += len(rec.Raw)
		return w.row(file, rec)
	})
	if errors.Is(err, errEnough) {
		w.to.part = true
		return nil
	}
	return err
}

func (w *walk) row(file int, rec *input.Record) error {
	w.to.rows++
	if rec.Bad != nil {
		return w.to.note(w.src.Path(file), rec, rec.Bad)
	}
	vals, err := w.reader.Read(file, rec.Offset, rec.Raw)
	if err != nil {
		return w.to.note(w.src.Path(file), rec, err)
	}
	w.take(vals, rec.Raw)
	return nil
}

// spread reads n stretches of a file that is mapped, after its beginning.
func (w *walk) spread(file, n int, from int64) error {
	listed := &w.src.Listing().Files[file]
	data, err := w.sys.Map(w.src.Path(file), listed)
	if err != nil {
		return &input.Error{Path: w.src.Path(file), Err: err}
	}
	defer files.Unmap(data)
	size := int64(len(data))
	for i := range int64(n) {
		at := from + (size-from)*i/int64(n)
		if at+stretchSize > size {
			continue
		}
		if err := w.stretch(file, data, at); err != nil {
			return err
		}
	}
	return nil
}

// surely is how many rows that can be read one after another show that the first of
// them is one: a line may also begin inside a quoted cell.
const surely = 3

// stretch reads the rows of a stretch that begins anywhere. Rows that begin in it end
// within the text that is looked at, or are left alone.
func (w *walk) stretch(file int, data []byte, at int64) error {
	if w.ctx.Err() != nil {
		return context.Cause(w.ctx)
	}
	text := data[at : at+stretchSize]
	// The slice ends where the file may go on: a row that reaches to it may be cut.
	for begin := afterLine(text, 0); begin >= 0; begin = afterLine(text, begin) {
		if n := w.follow(file, at, text, begin, surely); n == surely {
			w.follow(file, at, text, begin, -1)
			return nil
		}
	}
	return nil
}

// follow reads rows from an offset of the text on, at most so many where most is not
// negative; without a limit they are taken. It stops at one that cannot be read.
func (w *walk) follow(file int, at int64, text []byte, from, most int) (n int) {
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
			w.to.rows++
			w.take(vals, text[from:from+size])
		}
		from += size
	}
	return n
}

// blank reports whether the text begins with an empty line.
func blank(text []byte) bool {
	return text[0] == '\n' || bytes.HasPrefix(text, []byte("\r\n"))
}

// afterLine is where the line after that at from begins; -1 where none does.
func afterLine(text []byte, from int) int {
	n := bytes.IndexByte(text[from:], '\n')
	if n < 0 || from+n+1 == len(text) {
		return -1
	}
	return from + n + 1
}
