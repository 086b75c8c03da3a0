package csv

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"tfr-build/internal/bytemask"
	"tfr-build/schema"
)

// A Scanner scans records one at a time, in place. It belongs to one
// goroutine.
type Scanner struct {
	// Cell is the index of the cell that the last error concerns; -1 where
	// it concerns none.
	Cell int

	cutter  Cutter
	limit   int
	delim   uint64 // the delimiter's only byte, eight times
	quote   uint64 // the same of the quote; of LF where quotes are data
	generic bool   // the delimiter has several bytes
	quick   bool   // records are scanned by masks, unless something about them is rare
	blocks  [rowBlocks]bytemask.Block
	ends    []int  // of the cells of the record, where it is scanned so
	scratch []byte // unescaped cells of the record
}

// NewScanner returns a Scanner for records of the format.
func (f Format) NewScanner() *Scanner {
	s := &Scanner{Cell: -1, cutter: Cutter{format: f}, limit: f.maxRecord(), quote: lfs}
	d := f.delimiter()
	s.delim = uint64(d[0]) * ones
	s.generic = len(d) > 1
	s.quick = bytemask.Quick() && !s.generic && !f.Trim
	if f.Quotes {
		s.quote = '"' * ones
	}
	return s
}

// Scan reads the record that data begins with; data reaches to the end of
// the file. It returns the length of the record, with its line end, also
// with an error, which is a *schema.RowError.
//
// Cell i goes to vals[cells[i]], or nowhere where that is -1; there are as
// many cells as columns in the file. An unquoted empty cell is Missing, any
// other Text, whose bytes are those of data or, where quotes in it were
// doubled, hold until the next Scan. Other slots, and List, stay as they are.
// Check says what the file may hold besides.
func (s *Scanner) Scan(data []byte, cells []int32, vals []schema.Value, check Check) (n int, err error) {
	if s.scratch = s.scratch[:0]; cap(s.scratch) > scratchMost {
		s.scratch = nil
	}
	view := data
	if len(view) > s.limit {
		view = view[:s.limit+1]
	}
	n, count := s.record(view, cells, vals)
	if n >= 0 && n <= s.limit && count == len(cells) && check == 0 && (count > 1 || lineEnd(data) == 0 && !isCtrlZ(data[:n])) {
		return n, nil
	}
	return s.judge(data, n, count, len(cells), check)
}

// record scans the record that data begins with. It returns its length, negative
// if a quote is illegal, and the number of its cells.
func (s *Scanner) record(data []byte, cells []int32, vals []schema.Value) (n, count int) {
	if s.quick {
		if n, count := s.masked(data, cells, vals); n > 0 {
			return n, count
		}
	}
	if s.generic {
		return s.slow(data, cells, vals)
	}
	return s.fast(data, cells, vals)
}

// fast scans a record whose delimiter is a single byte, eight bytes a step.
// It is longer than a function should be so that its state
// stays in registers.
func (s *Scanner) fast(data []byte, cells []int32, vals []schema.Value) (n, count int) {
	delim, quote, trimming := s.delim, s.quote, s.cutter.format.Trim
	start, base := 0, 0
words:
	for {
		var w uint64
		if base+8 <= len(data) {
			w = binary.LittleEndian.Uint64(data[base:])
		} else {
			w = lastWord(data[base:])
		}
		m := stops(w, delim, quote)
		for ; m != 0; m &= m - 1 {
			k := bits.TrailingZeros64(m) &^ 7
			c := byte(w >> k)
			i := base + k>>3
			end := i
			switch {
			case c == byte(delim):
			case c == '\n':
				if i < len(data) && end > start && data[end-1] == '\r' {
					end--
				}
			case i > start:
				return -1, count
			default:
				var last bool
				start, last = s.quoted(data, i, count, cells, vals)
				count++
				if last {
					return start, count
				}
				base = start
				continue words
			}
			if count < len(cells) && cells[count] >= 0 {
				if trimming {
					start, end = trim(data, start, end)
				}
				put(&vals[cells[count]], data, start, end)
			}
			count++
			start = i + 1
			if c == '\n' {
				return min(start, len(data)), count
			}
		}
		base += 8
	}
}

// put sets the value of an unquoted cell.
func put(v *schema.Value, data []byte, start, end int) {
	kind := schema.Missing
	if end > start {
		kind = schema.Text
	}
	v.Text = data[start:end] // not cut: the encoder reads numbers by whole words
	v.At = uint32(start)
	v.Kind = kind
}

// trim moves the ends of an unquoted cell past spaces and tabs.
func trim(data []byte, start, end int) (int, int) {
	for start < end && (data[start] == ' ' || data[start] == '\t') {
		start++
	}
	for start < end && (data[end-1] == ' ' || data[end-1] == '\t') {
		end--
	}
	return start, end
}

// quoted scans the quoted cell that begins at the offset. It returns where
// the next cell begins, or the record's length if this is the last one,
// negative if a quote is illegal.
func (s *Scanner) quoted(data []byte, at, count int, cells []int32, vals []schema.Value) (next int, last bool) {
	end, doubled := closingQuote(data, at+1)
	if end < 0 {
		return -1, true
	}
	if count < len(cells) && cells[count] >= 0 {
		v := &vals[cells[count]]
		v.Text = data[at+1 : end-1]
		if doubled {
			v.Text = s.unescape(v.Text)
		}
		v.At = uint32(at)
		v.Kind = schema.Text
	}
	rest := data[end:]
	if d := s.cutter.format.delimiter(); hasPrefix(rest, d) {
		return end + len(d), false
	}
	if n := lineEnd(rest); n > 0 || len(rest) == 0 {
		return end + n, true
	}
	return -1, true
}

// How much memory is taken at a time for unescaped cells, and how much of it
// outlasts a record.
const (
	scratchLeast = 4 << 10
	scratchMost  = 1 << 20
)

// unescape is text with one quote for two. Where a cell does not fit into the
// memory that is left it takes its own, and those before it keep theirs: together
// they take no more than they are long.
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
