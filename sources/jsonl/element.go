package jsonl

import (
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// Whole is the column of an element that is no object.
const Whole = "value"

// An ElementScanner scans the elements of a document: the values of an array, or the
// members of an object, each with its key. One that is no object is scanned as if it
// were the value of the key `value` of one. It is for one goroutine.
type ElementScanner struct {
	s      *Scanner
	skip   Skipper
	member bool
	slots  []int  // that are given the key
	text   []byte // of the key
	room   []byte // for one that is decoded
}

// NewElementScanner makes an ElementScanner for elements of an array.
func (p *Paths) NewElementScanner() *ElementScanner {
	s := p.NewScanner()
	s.multiline, s.inDocument = true, true
	return &ElementScanner{s: s, skip: Skipper{Depth: p.limits.Depth}}
}

// NewMemberScanner makes an ElementScanner for members of an object; their keys go to
// the slots.
func (p *Paths) NewMemberScanner(slots []int) *ElementScanner {
	e := p.NewElementScanner()
	e.member, e.slots = true, slots
	return e
}

// Scan scans the element that data begins with, as [Scanner.Scan] does a row. It is
// for elements that a [Skipper] has passed. n is how long the element is.
func (e *ElementScanner) Scan(data []byte, vals []schema.Value, checkUTF8 bool) (n int, err error) {
	limit := e.s.paths.limits.Record
	if len(data) > limit+1 {
		data = data[:limit+1]
	}
	if checkUTF8 {
		n, err := e.end(data)
		if err == nil && !utf8.Valid(data[:n]) {
			err = notUTF8(data[:n], 0)
		}
		if err != nil {
			return e.refuse(data, err)
		}
	}
	at, err := e.key(data)
	if err != nil {
		return e.refuse(data, err)
	}
	n, err = e.s.scanElement(data[at:], vals)
	if bad, ok := err.(*schema.RowError); ok && bad.At >= 0 {
		bad.At += at
	}
	if n += at; err != nil || n > limit {
		return e.refuse(data, err)
	}
	if e.member {
		e.moved(vals, uint32(at))
	}
	return n, nil
}

// key passes the key that data begins with, and tells where its value is.
func (e *ElementScanner) key(data []byte) (value int, err error) {
	if !e.member {
		return 0, nil
	}
	q := special(data, 1)
	end := q + 1
	if e.text = data[1:q]; at(data, q) != '"' {
		if e.room, end, err = e.s.decode(e.room[:0], data, 1, q); err != nil {
			return 0, err
		}
		e.text = e.room
	}
	if end = e.s.space(data, end); at(data, end) != ':' {
		return 0, e.s.syntax(data, end, "a colon after the key")
	}
	return e.s.space(data, end+1), nil
}

// ValueAt is where the value begins of a member that a [Skipper] has passed.
func ValueAt(member []byte) int {
	e := ElementScanner{s: &Scanner{multiline: true}, member: true}
	at, err := e.key(member)
	if err != nil {
		return len(member)
	}
	return at
}

// moved makes the places of values those in a member, whose value is at an offset, and
// gives it its key.
func (e *ElementScanner) moved(vals []schema.Value, by uint32) {
	for i := range e.s.paths.columns {
		move(&vals[e.s.paths.columns[i].Slot], by)
	}
	for _, slot := range e.slots {
		vals[slot] = schema.Value{Kind: schema.String, Text: e.text}
	}
}

// move makes a value's places those in data that begins so many bytes earlier.
func move(v *schema.Value, by uint32) {
	v.At += by
	for i := range v.List {
		move(&v.List[i], by)
	}
}

// scanElement scans the element that data begins with.
func (s *Scanner) scanElement(data []byte, vals []schema.Value) (n int, err error) {
	if n, ok := s.quick(data, vals); ok {
		return n, nil
	}
	s.reset(vals)
	s.used = true
	if at(data, 0) == '{' {
		n, err = s.object(s.paths.root, data, 0, 1)
	} else {
		n, err = s.value(s.paths.root.find(Whole), data, 0, 0)
	}
	if err == nil {
		err = s.conclude()
	}
	if err == nil && len(s.seen) > 0 {
		s.learn(data)
	}
	return n, err
}

// refuse returns the one error of a bad element: what is wrong with all of it counts
// before what is wrong in it, whatever was found first.
func (e *ElementScanner) refuse(data []byte, err error) (int, error) {
	limit := e.s.paths.limits.Record
	n, cut := e.end(data)
	if cut != nil || n > limit {
		return len(data), input.LongElement(limit)
	}
	return n, err
}

// end is where the element ends that data begins with.
func (e *ElementScanner) end(data []byte) (int, error) {
	e.skip.Begin(0)
	if e.member {
		e.skip.BeginMember(0)
	}
	n, _, err := e.skip.Skip(data, 0, true)
	return n, err
}
