package input

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"tfr-build/internal/excerpt"
	"tfr-build/schema"
	"tfr-build/sources/files"
)

// Rows reads the rows of a file one after another: the definition of what they
// are, and the way to read what cannot be read where it stands.
type Rows interface {
	// Next is the next row. It holds until the call after, which may give its
	// memory back to the system; io.EOF follows the last.
	Next() (*Record, error)
	// Blank is how many lines were skipped that are no rows.
	Blank() int
	Close() error
}

// A Record is a row as Rows found it.
type Record struct {
	Offset int64            // its position: of its first byte in the decompressed file, before decoding
	Line   int64            // its first line, from 1; 0 where rows have no lines
	Before int64            // bytes before it in that line, where rows have lines
	Binary bool             // rows have no lines: Number counts them
	Number int64            // of the rows before it in its file, where it is Binary
	Row    bool             // of an array, where it is Binary: its Offset is its number, too
	Raw    []byte           // UTF-8, unless it is Binary; of a row longer than the limit just its beginning
	Bad    *schema.RowError // why it is no row that can be scanned; nil for most

	Judged []byte // with Bad: what the verdict is about, which may be longer than Raw
}

// BadCode is the code of Bad; empty where the row can be scanned.
func (r *Record) BadCode() string {
	if r.Bad == nil {
		return ""
	}
	return r.Bad.Code
}

// A Position is where a row stands, for people.
type Position struct {
	Path      string
	Line, Col int // from 1; 0 where rows have no lines
	Excerpt   excerpt.Excerpt

	Binary         bool  // the file is records, without lines
	Record, Offset int64 // of a Binary file: the record's number, from 0, and its first byte in the decompressed file
	Row            bool  // the records are rows of an array, which have only numbers
}

func (p *Position) String() string {
	switch {
	case p.Row:
		return fmt.Sprintf("%s: row %d", p.Path, p.Record)
	case p.Binary:
		return fmt.Sprintf("%s: record %d at byte %d", p.Path, p.Record, p.Offset)
	case p.Line > 0:
		return fmt.Sprintf("%s:%d:%d", p.Path, p.Line, p.Col)
	}
	return p.Path
}

// Position is where bad spoils the row, which is of the file at path.
func (r *Record) Position(path string, bad *schema.RowError) Position {
	p := Position{Path: path, Binary: r.Binary}
	if r.Binary {
		p.Record, p.Offset, p.Row = r.Number, r.Offset, r.Row
	}
	if r.Line == 0 {
		return p
	}
	text := r.Raw
	if bad == r.Bad {
		text = r.Judged
	}
	before := text[:min(max(bad.At, 0), len(text))]
	p.Line = int(r.Line) + bytes.Count(before, []byte{'\n'})
	p.Col = len(before) - bytes.LastIndexByte(before, '\n')
	if bad.At >= 0 {
		p.Excerpt = excerpt.At(text, bad.At, sizeOf(text[len(before):], bad))
	}
	if p.Line == int(r.Line) {
		p.Col += int(r.Before)
		p.Excerpt.CutBefore = p.Excerpt.CutBefore || r.Before > 0
	}
	return p
}

// sizeOf returns how many bytes of text are the value that bad is about, with its quotes;
// 0 if the value is not there, as of a joined column, or has escapes.
func sizeOf(text []byte, bad *schema.RowError) int {
	for _, quotes := range []int{0, 1} {
		if end := quotes + bad.Size; bad.Size > 0 && end <= len(text) && schema.Quote(text[quotes:end]) == bad.Found {
			return min(end+quotes, len(text))
		}
	}
	return 0
}

// Seek skips the rows before offset and returns the one that begins there. It is
// an Error around files.ErrChanged, of the file at path, where none does.
func Seek(ctx context.Context, rows Rows, path string, offset int64) (*Record, error) {
	for {
		rec, err := rows.Next()
		switch {
		case err == io.EOF || err == nil && rec.Offset > offset:
			return nil, &Error{path, files.ErrChanged}
		case err != nil || rec.Offset == offset:
			return rec, err
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		}
	}
}

// EachRow calls visit for the rows of a file, one after another.
func EachRow(ctx context.Context, in Finder, file int, visit func(*Record) error) error {
	rows, err := in.Rows(file)
	if err != nil {
		return err
	}
	defer rows.Close()
	for {
		rec, err := rows.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = visit(rec)
		}
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}
