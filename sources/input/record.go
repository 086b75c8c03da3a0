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

// Rows reads the rows of a file from its beginning. It defines where rows begin and end, and is
// the way to read input that cannot be read at offsets.
type Rows interface {
	// Next returns the next row, or io.EOF. The row is valid until the next call, which may
	// release its memory to the system.
	Next() (*Record, error)
	// Blank returns how many lines were skipped that are not rows.
	Blank() int
	Close() error
}

// NoBlank is the part of Rows that are not lines.
type NoBlank struct{}

// Blank returns 0.
func (NoBlank) Blank() int { return 0 }

// A Record is a row as Rows returns it, before it is scanned.
type Record struct {
	Offset int64            // its position: the offset of its first byte in the decompressed file, before decoding
	Line   int64            // its first line, from 1; 0 if rows have no lines
	Before int64            // bytes before it in that line
	Binary bool             // rows have no lines, and Number identifies them
	Number int64            // how many rows are before it in its file, if Binary
	Row    bool             // it is a row of an array, if Binary: its Offset is its number too
	Raw    []byte           // UTF-8 unless Binary; only the beginning if the row is longer than the limit
	Bad    *schema.RowError // why the row cannot be scanned; usually nil

	Judged []byte // with Bad: the bytes that Bad.At is an offset in, which may be more than Raw
}

// BadCode returns the code of Bad. It is empty if the row can be scanned.
func (r *Record) BadCode() string {
	if r.Bad == nil {
		return ""
	}
	return r.Bad.Code
}

// A Position is the position of a row, for messages.
type Position struct {
	Path      string
	Line, Col int // from 1; 0 if rows have no lines
	Excerpt   excerpt.Excerpt

	Binary         bool  // the file has records and no lines
	Record, Offset int64 // if Binary: the number of the record, from 0, and its offset in the decompressed file
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

// Position returns the position of the error bad in the row, which is in the file at path.
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
		p.Excerpt.CutBefore = p.Excerpt.CutBefore || bad.At >= 0 && r.Before > 0
	}
	return p
}

// sizeOf returns how many bytes of text are the value of the error bad, with its quotes. It is 0
// if the value is not in text, such as one of a joined column, or if it has escapes.
func sizeOf(text []byte, bad *schema.RowError) int {
	for _, quotes := range []int{0, 1} {
		if end := quotes + bad.Size; bad.Size > 0 && end <= len(text) && schema.Quote(text[quotes:end]) == bad.Found {
			return min(end+quotes, len(text))
		}
	}
	return 0
}

// Seek skips the rows before offset and returns the row that begins there. If none does, the
// error is an *Error with files.ErrChanged, for the file at path.
func Seek(ctx context.Context, rows Rows, path string, offset int64) (*Record, error) {
	for {
		rec, err := rows.Next()
		switch {
		case err == io.EOF || err == nil && rec.Offset > offset:
			return nil, &Error{Path: path, Err: files.ErrChanged}
		case err != nil || rec.Offset == offset:
			return rec, err
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		}
	}
}

// EachRow calls visit for the rows of a file, in their order.
func EachRow(ctx context.Context, in Finder, file int, visit func(*Record) error) error {
	rows, err := in.Rows(file)
	if err != nil {
		return err
	}
	defer rows.Close()
	rec, err := rows.Next()
	return eachRow(ctx, rows, rec, err, visit)
}

// eachRow calls visit for the first row of a file, and those after it. rec and err are the result of the first Next.
func eachRow(ctx context.Context, rows Rows, rec *Record, err error, visit func(*Record) error) error {
	for ; err != io.EOF; rec, err = rows.Next() {
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
	return nil
}
