package csv

import (
	"bytes"

	"tfr-build/internal/bytemask"
	"tfr-build/schema"
)

// A Scanner parses records one at a time, in place. It may be used by one goroutine.
type Scanner struct {
	// Cell is the index of the cell with the last error, or -1 if the error is not about a cell.
	Cell int

	cutter   Cutter
	limit    int
	delim    byte // the first byte of the delimiter
	quote    byte // LF, if quotes are data everywhere
	trims    bool // blanks around unquoted cells are removed
	useMasks bool // records are parsed by masks, with rare cases left to scanCells
	blocks   [rowBlocks]bytemask.Block
	ends     []int  // ends of the record's cells; used with masks
	scratch  []byte // the record's cells in which quotes were doubled
}

// NewScanner returns a Scanner for records of the format.
func (f Format) NewScanner() *Scanner {
	d := f.delimiter()
	s := &Scanner{Cell: -1, cutter: Cutter{format: f}, limit: f.maxRecord(), delim: d[0], quote: '\n'}
	s.trims, s.useMasks = f.Trim || f.Delimiter == Whitespace, len(d) == 1 && !f.Rest
	if f.Quotes || f.Unquoted {
		s.quote = '"'
	}
	return s
}

// Scan parses the record that data begins with. data reaches the end of the file. Scan returns the
// length of the record with its line end, even with an error, which is a *schema.RowError.
//
// Cell i is stored in vals[cells[i]], or skipped if cells[i] is -1. The file has len(cells)
// columns. An unquoted empty cell is Missing, any other cell is Text. Its bytes point into data; if
// the cell has doubled quotes, they are valid until the next Scan. Scan does not change other
// slots, or the List of a value. The flags of check say what the file may contain besides.
func (s *Scanner) Scan(data []byte, cells []int32, vals []schema.Value, check Check) (n int, err error) {
	if s.scratch = s.scratch[:0]; cap(s.scratch) > scratchMost {
		s.scratch = nil
	}
	view := data
	if len(view) > s.limit {
		view = view[:s.limit+1] // one byte more shows that the record is too long
	}
	n, count := s.record(view, cells, vals)
	if n >= 0 && n <= s.limit && count == len(cells) && check == 0 &&
		(count > 1 || lineEnd(data) == 0 && !isCtrlZ(data[:n])) {
		return n, nil
	}
	return s.checkRecord(data, n, count, len(cells), check)
}

// record parses the record that data begins with. It returns the record's length, negative if a
// quote is illegal, and its number of cells.
func (s *Scanner) record(data []byte, cells []int32, vals []schema.Value) (n, count int) {
	if s.useMasks {
		if n, count := s.scanMasked(data, cells, vals); n > 0 {
			return n, count
		}
	}
	return s.scanCells(data, cells, vals)
}

// put sets the value of an unquoted cell.
func put(v *schema.Value, text []byte, at int) {
	v.Text, v.At, v.Kind = text, uint32(at), schema.Missing
	if len(text) > 0 {
		v.Kind = schema.Text
	}
}

// trim removes the blanks around an unquoted cell.
func trim(v *schema.Value) {
	n := blanks(v.Text)
	put(v, bytes.TrimRight(v.Text[n:], " \t"), int(v.At)+n)
}

// scanQuoted parses the quoted cell that begins at the offset. It returns where the next cell
// begins. After the last cell of a record it returns the record's length, negative if a quote is
// illegal.
func (s *Scanner) scanQuoted(data []byte, at, count int, cells []int32, vals []schema.Value) (next int, last bool) {
	end := closingQuote(data, at+1)
	if end < 0 {
		return -1, true
	}
	if count < len(cells) && cells[count] >= 0 {
		s.setQuoted(&vals[cells[count]], data, at, end)
	}
	rest := data[end:]
	if n := s.cutter.format.delimiterAt(rest); n > 0 {
		return end + n, false
	}
	if n := lineEnd(rest); n > 0 || len(rest) == 0 {
		return end + n, true
	}
	return -1, true
}

// Sizes of the memory for unescaped cells, in bytes: the minimum to allocate, and the maximum to
// keep for the next record.
const (
	scratchLeast = 4 << 10
	scratchMost  = 1 << 20
)

// unescape returns text with one quote for each doubled quote. A cell that does not fit into the
// rest of the scratch memory gets new memory, and earlier cells keep theirs. The cells of a record
// together take no more memory than they are long.
func (s *Scanner) unescape(text []byte) []byte {
	if cap(s.scratch)-len(s.scratch) < len(text) {
		s.scratch = make([]byte, 0, max(len(text), scratchLeast))
	}
	from := len(s.scratch)
	for i := bytes.IndexByte(text, '"'); i >= 0; i = bytes.IndexByte(text, '"') {
		s.scratch = append(s.scratch, text[:i+1]...)
		text = text[i+2:]
	}
	s.scratch = append(s.scratch, text...)
	return s.scratch[from:]
}
