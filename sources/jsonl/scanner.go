package jsonl

import (
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A Scanner parses rows for the columns of its Paths. It may be used by one goroutine.
type Scanner struct {
	paths       *Paths
	multiline   bool // line feeds are white space
	cell        bool // the input is a cell, not a line
	inDocument  bool // the input is an element of a document
	grammarOnly bool // duplicate keys are accepted

	fields    []field  // the expected keys, in order
	unlearned []int    // slots of columns that are not the slot of a field
	rowKeys   []rowKey // keys of the row, in the slow path
	patience  int      // rows until learn learns again
	interval  int      // the next value of patience

	used     bool           // the fields below have content from the last row
	vals     []schema.Value // of the current row
	states   []state        // by column
	taken    int            // number of values delivered, in all rows
	keys     []keyRef       // of the open objects, outermost first
	skipper  Skipper        // of a value that no column uses, or of an object
	open     []openList     // open arrays of a captured value
	elements []schema.Value // of captured arrays
	lists    input.RowLists // of the stars of paths, and arrays inside arrays
	unstored schema.Value   // an element that is not stored
	names    []byte         // decoded keys
	scratch  []byte         // decoded strings
}

// NewScanner returns a Scanner for these columns.
func (p *Paths) NewScanner() *Scanner {
	return &Scanner{paths: p, states: make([]state, len(p.columns)), interval: 1,
		lists: input.NewRowLists(p.columns, p.limits.Record)}
}

// Scan parses the row that data begins with, and stores the value of each column in its slot of
// vals. Other slots are not changed. data may be longer than the row, up to the end of the file.
//
// The kinds of values are String (decoded), Number and Bool (as written), List, Object (as
// written), and Missing. The text of a value points into data, or into the scanner's memory if a
// string has escapes. Lists are in the scanner's memory. Both are valid until the next Scan. At is
// the value's offset in the row; it is 0 if the value is absent.
//
// n is the length of the line with its LF, even if the row is invalid. Then err is a
// *schema.RowError, and the values are undefined.
//
// If checkUTF8 is true, Scan checks that the row is valid UTF-8. Otherwise the caller knows that
// the complete file is, from lines.Chunk.Valid.
func (s *Scanner) Scan(data []byte, vals []schema.Value, checkUTF8 bool) (n int, err error) {
	full := data
	if len(data) > s.paths.limits.Record+1 {
		data = data[:s.paths.limits.Record+1]
	}
	if checkUTF8 {
		if end, _ := lineEnd(data); !utf8.Valid(data[:end]) {
			return s.reject(full, NotUTF8(data[:end], 0))
		}
	}
	n, ok := s.scanFast(data, vals)
	if !ok {
		s.reset(vals)
		s.used = true
		if n, err = s.scanSlow(data); err == nil {
			err = s.resolveColumns()
		}
	}
	if err != nil || n > s.paths.limits.Record && data[n-1] != '\n' {
		return s.reject(full, err)
	}
	if !ok {
		s.learn(data)
	}
	return n, nil
}

// ScanDocument stores the value of each column in its slot of vals, as Scan does. The text is one JSON object over any
// number of lines, and UTF-8. The error is a *schema.RowError whose At is an offset in text.
func (s *Scanner) ScanDocument(text []byte, vals []schema.Value) error {
	s.multiline = true
	s.reset(vals)
	if _, err := s.scanSlow(text); err != nil {
		return err
	}
	return s.resolveColumns()
}

// scanFast parses a row with the expected keys. If the row has other keys, or is invalid, ok is
// false.
func (s *Scanner) scanFast(data []byte, vals []schema.Value) (n int, ok bool) {
	if s.used {
		s.reset(vals)
	}
	for _, slot := range s.unlearned {
		vals[slot] = schema.Value{}
	}
	if n, ok = s.scanExpected(data, vals); !ok {
		return 0, false
	}
	return n, !s.used || s.resolveColumns() == nil
}

// reject returns the error of an invalid row. Errors of the complete line come before errors within
// it.
func (s *Scanner) reject(data []byte, err error) (int, error) {
	end, n := lineEnd(data)
	if end > s.paths.limits.Record {
		return n, input.LongLine(s.paths.limits.Record)
	}
	return n, err
}

// scanSlow parses the row in the slow path.
func (s *Scanner) scanSlow(data []byte) (n int, err error) {
	p := s.skipSpace(data, 0)
	if at(data, p) != '{' {
		return 0, s.notObject(data, p)
	}
	if p, err = s.scanObject(s.paths.root, data, p, 1); err != nil {
		return 0, err
	}
	p = s.skipSpace(data, p)
	switch {
	case p == len(data):
		return p, nil
	case data[p] == '\n':
		return p + 1, nil
	}
	if data[p-1] == '\r' {
		return 0, rowError("JSON_TRAILING", p,
			"found %s after the object and a lone CR; expected the end of the line, LF or CRLF",
			schema.Quote(token(data, p)))
	}
	return 0, rowError("JSON_TRAILING", p, "found %s after the object; expected the end of the line",
		schema.Quote(token(data, p)))
}

func (s *Scanner) notObject(data []byte, p int) error {
	if p == len(data) || data[p] == '\n' {
		return s.syntaxError(data, p, "an object")
	}
	if _, err := s.skip(data, p, 0); err != nil {
		return err
	}
	return rowError("JSON_NOT_OBJECT", p, "found %s; expected an object", KindOf(data[p]))
}

// resolveColumns returns the error of too many elements, or else the first TYPE error of a column that was not found
// by its exact key.
func (s *Scanner) resolveColumns() error {
	if err := s.lists.Err(); err != nil {
		return err
	}
	var first error
	best := 0
	for _, c := range s.paths.dotted {
		st := &s.states[c]
		if f := st.typeError; f != nil && !st.exact && (first == nil || f.At < best) {
			first, best = f, f.At
		}
	}
	return first
}

func (s *Scanner) reset(vals []schema.Value) {
	s.used, s.vals = false, vals
	s.rowKeys = s.rowKeys[:0]
	s.keys = input.Reuse(s.keys)
	s.open = input.Reuse(s.open)
	s.elements = input.Reuse(s.elements)
	s.lists.Reset()
	s.names = input.Reuse(s.names)
	s.scratch = input.Reuse(s.scratch)
	for i := range s.paths.columns {
		vals[s.paths.columns[i].Slot] = schema.Value{}
	}
	for _, c := range s.paths.dotted {
		s.states[c] = state{}
	}
}
