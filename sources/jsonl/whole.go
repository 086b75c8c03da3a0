package jsonl

import "tfr-build/schema"

// A DocumentScanner scans texts that are one JSON object each, over any number of
// lines, for the columns of its Paths. It is for one goroutine.
type DocumentScanner struct{ s *Scanner }

// NewDocumentScanner makes a DocumentScanner for these columns.
func (p *Paths) NewDocumentScanner() *DocumentScanner {
	s := p.NewScanner()
	s.multiline = true
	return &DocumentScanner{s}
}

// Scan puts the value of each column into its slot of vals, as Scanner.Scan does. The
// text is UTF-8. An error is a *schema.RowError whose At is an offset in it.
func (d *DocumentScanner) Scan(text []byte, vals []schema.Value) error {
	s := d.s
	s.reset(vals)
	if _, err := s.row(text); err != nil {
		return err
	}
	return s.conclude()
}
