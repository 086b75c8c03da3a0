package jsonl

import "tfr-build/schema"

// A DocumentScanner parses strings that are one JSON object each, over any number of lines, for the
// columns of its Paths. It may be used by one goroutine.
type DocumentScanner struct{ s *Scanner }

// NewDocumentScanner returns a DocumentScanner for these columns.
func (p *Paths) NewDocumentScanner() *DocumentScanner {
	s := p.NewScanner()
	s.multiline = true
	return &DocumentScanner{s}
}

// Scan stores the value of each column in its slot of vals, as Scanner.Scan does. The text is
// UTF-8. The error is a *schema.RowError whose At is an offset in text.
func (d *DocumentScanner) Scan(text []byte, vals []schema.Value) error {
	s := d.s
	s.reset(vals)
	if _, err := s.scanSlow(text); err != nil {
		return err
	}
	return s.resolveColumns()
}
