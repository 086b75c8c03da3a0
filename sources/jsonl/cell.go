package jsonl

import "tfr-build/schema"

// A CellScanner scans texts that are one JSON value each, such as cells of CSV, with
// the grammar, the limits and the codes of rows. It is for one goroutine.
type CellScanner struct{ s *Scanner }

// NewCellScanner makes a CellScanner for values that are nested so deep at most.
func NewCellScanner(depth int) *CellScanner {
	p := &Paths{root: &node{}, limits: Limits{Depth: depth}}
	s := p.NewScanner()
	s.multiline, s.cell = true, true
	return &CellScanner{s}
}

// Reset begins another row: what Scan gave holds no longer.
func (c *CellScanner) Reset() { c.s.reset(nil) }

// Scan makes v of a text in UTF-8; of one without any value a Missing. At is the
// value's offset in the text. An error is a *schema.RowError whose At is that, too.
func (c *CellScanner) Scan(text []byte, v *schema.Value) error {
	s := c.s
	*v = schema.Value{}
	p := s.space(text, 0)
	if p == len(text) {
		return nil
	}
	s.keys, s.frames, s.used = s.keys[:0], s.frames[:0], true
	end, err := s.capture(text, p, v, 0)
	if err != nil {
		return err
	}
	if end = s.space(text, end); end < len(text) {
		return rowError("JSON_TRAILING", end, "found %s after the value; expected the end of the cell", schema.Quote(token(text, end)))
	}
	return nil
}
