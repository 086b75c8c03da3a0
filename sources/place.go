package sources

import (
	"bytes"
	"context"
	"io"

	"tfr-build/schema"
)

// A Place is where a row stands, for people.
type Place struct {
	Path      string
	Line, Col int // from 1; 0 where rows are files
}

// Place is where bad spoils rec.
func (s *Source) Place(file int, rec *Record, bad *schema.RowError) Place {
	p := Place{Path: s.Path(file)}
	if !s.spec.Kind.IsTable() {
		return p
	}
	text := rec.Raw
	if bad == rec.Bad {
		text = rec.judged
	}
	text = text[:min(max(bad.At, 0), len(text))]
	p.Line = int(rec.Line) + bytes.Count(text, newline)
	p.Col = len(text) - bytes.LastIndexByte(text, '\n')
	return p
}

// Seek passes over the rows before offset and returns the one that begins there.
// It is an error that is ErrChanged where none does.
func (r *Rows) Seek(ctx context.Context, offset int64) (*Record, error) {
	for {
		rec, err := r.Next()
		switch {
		case err == io.EOF || err == nil && rec.Offset > offset:
			return nil, &InputError{r.s.Path(r.file), ErrChanged}
		case err != nil || rec.Offset == offset:
			return rec, err
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		}
	}
}

// SetChecks makes readers look for everything that can spoil a row of file,
// for rows that no Finder went over.
func (s *Source) SetChecks(file int) { s.tables[file].check = checkAll }
