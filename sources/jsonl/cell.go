package jsonl

import (
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A CellScanner parses strings that are one JSON value each, such as cells of CSV. It has the same
// grammar, limits, and error codes as rows. It may be used by one goroutine.
type CellScanner struct{ s *Scanner }

// NewCellScanner returns a CellScanner for values with at most depth levels of nesting. Their lists may take record
// bytes per row.
func NewCellScanner(depth, record int) *CellScanner {
	p := &Paths{root: &node{}, limits: Limits{Limits: input.Limits{Depth: depth, Record: record}}}
	s := p.NewScanner()
	s.multiline, s.cell = true, true
	return &CellScanner{s}
}

// Elements returns the number of elements in lists of all values since Reset.
func (c *CellScanner) Elements() int { return c.s.lists.Elements() }

// Reset begins another row. The values of earlier calls of Scan become invalid.
func (c *CellScanner) Reset() { c.s.reset(nil) }

// Scan sets v to the value in text, which is UTF-8. Text of only white space is Missing. The
// value's At is its offset in text. The error is a *schema.RowError whose At is an offset in text,
// too.
func (c *CellScanner) Scan(text []byte, v *schema.Value) error {
	s := c.s
	*v = schema.Value{}
	p := s.skipSpace(text, 0)
	if p == len(text) {
		return nil
	}
	s.keys, s.used = s.keys[:0], true
	end, err := s.capture(text, p, v, 0)
	if err != nil {
		return err
	}
	if end = s.skipSpace(text, end); end < len(text) {
		return rowError("JSON_TRAILING", end, "found %s after the value; expected the end of the cell",
			schema.Quote(token(text, end)))
	}
	return s.resolveColumns()
}
