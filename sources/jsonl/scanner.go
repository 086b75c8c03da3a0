package jsonl

import (
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/sources/input"
	"tfr-build/sources/lines"
)

// A Scanner scans rows for the columns of its Paths. It is for one goroutine.
type Scanner struct {
	paths       *Paths
	multiline   bool // line feeds are white space
	cell        bool // what is scanned is a cell, not a line
	inDocument  bool // what is scanned is an element of a document
	grammarOnly bool // duplicate keys are accepted

	fields    []field // the keys that are expected, in order
	unlearned []int   // slots of columns that no field leads to alone
	seen      []seen  // the keys of the row, where it is scanned in the general way
	patience  int     // rows until the next learning
	interval  int     // patience after that

	used     bool           // what follows holds something of the last row
	vals     []schema.Value // of the row at hand
	states   []state        // a column each
	taken    int            // values that were delivered, in all rows
	keys     []keyRef       // of the open objects, outermost first
	frames   []int          // open objects and arrays of a skipped value
	open     []openList     // open arrays of a captured value
	elements []schema.Value // of captured arrays
	inner    input.Room     // of arrays inside arrays
	fanned   int            // elements that a * gave to the columns
	names    []byte         // decoded keys
	scratch  []byte         // decoded strings
}

// NewScanner makes a Scanner for these columns.
func (p *Paths) NewScanner() *Scanner {
	return &Scanner{paths: p, states: make([]state, len(p.columns)), interval: 1}
}

// Scan scans the row that data begins with and puts the value of each column
// into its slot of vals; other slots are left as they are. data may hold more
// than the row, up to the end of the file; it need not.
//
// Kinds are String (decoded), Number and Bool (as written), List, Object (as
// written) and Missing. A value's text is a view of data, or of the scanner's
// memory where a string has escapes; lists are the scanner's. Both hold until
// the next Scan. At is the value's offset in the row; that of an absent value
// is 0.
//
// n is the length of the line with its LF, also when the row cannot be used;
// then err is a *schema.RowError, and the values mean nothing.
//
// checkUTF8 asks whether the row is valid UTF-8, which otherwise is taken for
// granted: because the whole file is, by lines.Chunk.Valid.
func (s *Scanner) Scan(data []byte, vals []schema.Value, checkUTF8 bool) (n int, err error) {
	whole := data
	if len(data) > s.paths.limits.Record+1 {
		data = data[:s.paths.limits.Record+1]
	}
	if checkUTF8 {
		if end, _ := lineEnd(data); !utf8.Valid(data[:end]) {
			return s.refuse(whole, nil)
		}
	}
	n, ok := s.quick(data, vals)
	if !ok {
		s.reset(vals)
		s.used = true
		if n, err = s.row(data); err == nil {
			err = s.conclude()
		}
	}
	if err != nil || n > s.paths.limits.Record && data[n-1] != '\n' {
		return s.refuse(whole, err)
	}
	if !ok {
		s.learn(data)
	}
	return n, nil
}

// quick scans a row with the expected keys; ok is false if it has others, or if
// anything is wrong with it.
func (s *Scanner) quick(data []byte, vals []schema.Value) (n int, ok bool) {
	if s.used {
		s.reset(vals)
	}
	for _, slot := range s.unlearned {
		vals[slot] = schema.Value{}
	}
	if n, ok = s.expected(data, vals); !ok {
		return 0, false
	}
	return n, !s.used || s.conclude() == nil
}

// refuse returns the one error of a bad row: what is wrong with the whole line
// counts before what is wrong in it, whatever was found first.
func (s *Scanner) refuse(data []byte, err error) (int, error) {
	end, n := lineEnd(data)
	if end > s.paths.limits.Record {
		return n, rowError("LIMIT_RECORD", s.paths.limits.Record, "the line has more than %d bytes", s.paths.limits.Record)
	}
	if bad := lines.FirstInvalid(data[:end]); err == nil && bad < end {
		return n, rowError("UTF8_INVALID", bad, "found %s; expected UTF-8", schema.Quote(data[bad:bad+1]))
	}
	return n, err
}

// row scans the row in the general way.
func (s *Scanner) row(data []byte) (n int, err error) {
	p := s.space(data, 0)
	if at(data, p) != '{' {
		return 0, s.noObject(data, p)
	}
	if p, err = s.object(s.paths.root, data, p, 1); err != nil {
		return 0, err
	}
	p = s.space(data, p)
	switch {
	case p == len(data):
		return p, nil
	case data[p] == '\n':
		return p + 1, nil
	}
	if data[p-1] == '\r' {
		return 0, rowError("JSON_TRAILING", p, "found %s after the object and a lone CR; expected the end of the line, LF or CRLF", schema.Quote(token(data, p)))
	}
	return 0, rowError("JSON_TRAILING", p, "found %s after the object; expected the end of the line", schema.Quote(token(data, p)))
}

func (s *Scanner) noObject(data []byte, p int) error {
	if p == len(data) || data[p] == '\n' {
		return s.syntax(data, p, "an object")
	}
	if _, err := s.skip(data, p, 0); err != nil {
		return err
	}
	return rowError("JSON_NOT_OBJECT", p, "found %s; expected an object", KindOf(data[p]))
}

// conclude resolves the columns that may be found by key and by path.
func (s *Scanner) conclude() error {
	var first error
	best := 0
	for _, c := range s.paths.dotted {
		st := &s.states[c]
		if f := st.fault; f != nil && !st.exact && (first == nil || f.At < best) {
			first, best = f, f.At
		}
	}
	return first
}

// roomMost is how many bytes or elements of scratch outlast a row.
const roomMost = 1 << 16

func (s *Scanner) reset(vals []schema.Value) {
	s.used, s.vals = false, vals
	s.seen = s.seen[:0]
	s.keys = emptied(s.keys)
	s.frames = emptied(s.frames)
	s.open = emptied(s.open)
	s.elements = emptied(s.elements)
	s.inner.Reset()
	s.fanned = 0
	s.names = emptied(s.names)
	s.scratch = emptied(s.scratch)
	for i := range s.paths.columns {
		vals[s.paths.columns[i].Slot] = schema.Value{}
	}
	for _, c := range s.paths.dotted {
		st := &s.states[c]
		*st = state{lists: emptied(st.lists), bases: st.bases[:0]}
	}
}

func emptied[T any](room []T) []T {
	if cap(room) > roomMost {
		return nil
	}
	return room[:0]
}
