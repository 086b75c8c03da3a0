package jsonl

import (
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// ValueColumn is the column name of an element that is not an object.
const ValueColumn = "value"

// An ElementScanner parses the elements of a document: values of an array, or members of an object
// with their keys. It parses an element that is not an object like an object with the key `value`.
// It may be used by one goroutine.
type ElementScanner struct {
	s         *Scanner
	skip      Skipper
	member    bool
	slots     []int  // slots that receive the member's key
	text      []byte // the member's key
	keyBuffer []byte // buffer for a key with escapes
}

// NewElementScanner returns an ElementScanner for elements of an array.
func (p *Paths) NewElementScanner() *ElementScanner {
	s := p.NewScanner()
	s.multiline, s.inDocument = true, true
	return &ElementScanner{s: s, skip: Skipper{Depth: p.limits.Depth}}
}

// NewMemberScanner returns an ElementScanner for members of an object. It stores their keys in the
// slots.
func (p *Paths) NewMemberScanner(slots []int) *ElementScanner {
	e := p.NewElementScanner()
	e.member, e.slots = true, slots
	return e
}

// Scan parses the element that data begins with, as [Scanner.Scan] parses a row. A [Skipper] must
// have checked the element before. n is the length of the element.
func (e *ElementScanner) Scan(data []byte, vals []schema.Value, checkUTF8 bool) (n int, err error) {
	limit := e.s.paths.limits.Record
	if len(data) > limit+1 {
		data = data[:limit+1]
	}
	if checkUTF8 {
		n, err := e.findEnd(data)
		if err == nil && !utf8.Valid(data[:n]) {
			err = NotUTF8(data[:n], 0)
		}
		if err != nil {
			return e.reject(data, err)
		}
	}
	at, err := e.scanKey(data)
	if err != nil {
		return e.reject(data, err)
	}
	n, err = e.s.scanElement(data[at:], vals)
	if bad, ok := err.(*schema.RowError); ok && bad.At >= 0 {
		bad.At += at
	}
	if n += at; err != nil || n > limit {
		return e.reject(data, err)
	}
	if e.member {
		e.setMember(vals, uint32(at))
	}
	return n, nil
}

// scanKey skips the member's key at the start of data, and returns the offset of its value.
func (e *ElementScanner) scanKey(data []byte) (value int, err error) {
	if !e.member {
		return 0, nil
	}
	q := special(data, 1)
	end := q + 1
	if e.text = data[1:q]; at(data, q) != '"' {
		if e.keyBuffer, end, err = e.s.decode(e.keyBuffer[:0], data, 1, q); err != nil {
			return 0, err
		}
		e.text = e.keyBuffer
	}
	if end = e.s.skipSpace(data, end); at(data, end) != ':' {
		return 0, e.s.syntaxError(data, end, "a colon after the key")
	}
	return e.s.skipSpace(data, end+1), nil
}

// ValueAt returns the offset of the value in a member that a [Skipper] has checked.
func ValueAt(member []byte) int {
	e := ElementScanner{s: &Scanner{multiline: true}, member: true}
	at, err := e.scanKey(member)
	if err != nil {
		return len(member)
	}
	return at
}

// setMember moves the offsets of all values by the offset of the member's value, and stores the
// key.
func (e *ElementScanner) setMember(vals []schema.Value, by uint32) {
	for i := range e.s.paths.columns {
		vals[e.s.paths.columns[i].Slot].Move(by)
	}
	for _, slot := range e.slots {
		vals[slot] = schema.Value{Kind: schema.String, Text: e.text}
	}
}

// scanElement parses the element that data begins with.
func (s *Scanner) scanElement(data []byte, vals []schema.Value) (n int, err error) {
	if n, ok := s.scanFast(data, vals); ok {
		return n, nil
	}
	s.reset(vals)
	s.used = true
	if at(data, 0) == '{' {
		n, err = s.scanObject(s.paths.root, data, 0, 1)
	} else {
		n, err = s.scanValue(s.paths.root.find([]byte(ValueColumn)), data, 0, 0)
	}
	if err == nil {
		err = s.resolveColumns()
	}
	if err == nil && len(s.rowKeys) > 0 {
		s.learn(data)
	}
	return n, err
}

// reject returns the error of an invalid element. Errors about the complete element come before
// errors within it, even if those were found first.
func (e *ElementScanner) reject(data []byte, err error) (int, error) {
	limit := e.s.paths.limits.Record
	n, cut := e.findEnd(data)
	if cut != nil || n > limit {
		return len(data), input.LongElement(limit)
	}
	return n, err
}

// findEnd returns where the element that data begins with ends.
func (e *ElementScanner) findEnd(data []byte) (int, error) {
	e.skip.Begin(0)
	if e.member {
		e.skip.BeginMember(0)
	}
	n, _, err := e.skip.Skip(data, 0, true)
	return n, err
}
