package schema

import (
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"tfr-build/message"
)

// An Encoder turns rows into the serialized messages of a schema. It holds
// scratch space: one is for one goroutine.
type Encoder struct {
	schema  *Schema
	limit   int    // of a record's size
	width   int    // size of the size of the last Example's features
	body    []byte // values, as their list has them
	path    []int  // of the element being converted
	column  string // the column being converted
	digits  []byte // the text of a number of an Array
	scratch []byte // what JSON is made of
	example message.Message
	notices []Notice  // by field
	losses  []loss    // of the row at hand
	texts   [][]byte  // names of classes, where a field only collects them
	bounds  *[]uint32 // where the entries begin, and by field where its own ends; none where nobody asks
}

// NewEncoder returns an encoder for rows of s.Columns.
func (s *Schema) NewEncoder() *Encoder {
	return &Encoder{schema: s, limit: maxExample, width: 1, notices: make([]Notice, len(s.fields)+len(s.lists)), bounds: new([]uint32)}
}

// NoteBounds has Append note where the entries of the record are that it appends, in
// what bounds points to at that time: the i-th of [Schema.Entries] is between the i-th
// bound and the one after it, which are the same where the record lacks it. They are
// offsets in the buffer, which has to stay below 4 GiB, and one more than there are
// entries.
//
// Only the entries of an Example and of an OFRecord stand one after another in that
// order: of another message there is nothing to note.
func (e *Encoder) NoteBounds(bounds *[]uint32) {
	if m := e.schema.record.Message; m == ExampleMessage || m == OFRecordMessage {
		e.bounds = bounds
	}
}

// Append appends a row to dst as one record. The i-th value is that of the i-th of
// the schema's columns; Append does not keep it. It may write anywhere between the
// end of dst and its capacity.
//
// An error is a *RowError; then dst is returned with the length it had, and the
// encoder is as good as before.
func (e *Encoder) Append(dst []byte, vals []Value) ([]byte, error) {
	start := len(dst)
	e.losses = e.losses[:0]
	var err *RowError
	if e.schema.record.Message == ExampleMessage {
		dst, err = e.appendExample(dst, vals)
	} else {
		dst, err = e.appendOther(dst, vals)
	}
	if err != nil {
		return dst[:start], err
	}
	if len(dst)-start > e.limit {
		return dst[:start], e.tooLarge(len(dst) - start)
	}
	if len(e.losses) > 0 {
		e.noticeLosses()
	}
	return dst, nil
}

// appendOther appends a row as another message than an Example.
func (e *Encoder) appendOther(dst []byte, vals []Value) ([]byte, *RowError) {
	switch e.schema.record.Message {
	case OFRecordMessage:
		return e.appendFeatures(dst, len(dst), len(dst), vals)
	case SequenceMessage:
		return e.appendSequence(dst, vals)
	case JSONExampleMessage:
		return e.appendJSONExample(dst, vals)
	case JSONMessage:
		return e.appendJSON(dst, vals)
	}
	return e.appendColumn(dst, vals)
}

// appendExample appends a row as an Example, or what a SequenceExample has of one.
func (e *Encoder) appendExample(dst []byte, vals []Value) ([]byte, *RowError) {
	start := len(dst)
	// The size of all features comes before them, and is known after them. They
	// are written where they belong if that size takes as many bytes as that of
	// the row before, which saves moving them.
	buf, err := e.appendFeatures(dst, start, start+1+e.width, vals)
	if err != nil {
		return dst, err
	}
	return e.close(buf, start), nil
}

// appendFeatures appends the entries of all features from n on, which is beyond the
// end of dst. The record begins at start.
func (e *Encoder) appendFeatures(dst []byte, start, n int, vals []Value) ([]byte, *RowError) {
	buf := room(dst[:cap(dst)], start, n-start)
	bounds := *e.bounds
	if len(bounds) > 0 {
		bounds[0] = uint32(n)
	}
	for i := 0; ; i++ {
		buf = room(buf, n, shortRoom)
		if n, i = e.appendShorts(buf, n, i, vals); i == len(e.schema.shorts) {
			return buf[:n], nil
		}
		rest, err := e.general(buf[:n], &e.schema.fields[i], vals)
		// After each feature, since a few large files would fill the memory first.
		if err == nil && len(rest)-start > e.limit {
			err = e.tooLarge(len(rest) - start)
		}
		if err != nil {
			return buf[:start], err
		}
		n, buf = len(rest), rest[:cap(rest)]
		if len(bounds) > i+1 {
			bounds[i+1] = uint32(n)
		}
	}
}

// appendColumn appends the text or the bytes of a column.
func (e *Encoder) appendColumn(dst []byte, vals []Value) ([]byte, *RowError) {
	f := &e.schema.fields[0]
	v := vals[f.slots[0]].lone()
	if f.takesWhole(v) {
		return append(dst, v.Text...), nil
	}
	if _, err := e.gather(f, vals); err != nil {
		return dst, err
	}
	text, _ := protowire.ConsumeBytes(e.body[1:]) // after its tag
	return append(dst, text...), nil
}

// Faults calls visit for each feature that cannot be made of a row. Append tells
// the first alone.
func (e *Encoder) Faults(vals []Value, visit func(*RowError)) {
	var buf []byte
	var err *RowError
	for _, fields := range [][]field{e.schema.fields, e.schema.lists} {
		for i := range fields {
			f := &fields[i]
			if f.form == formLengths {
				continue // the values of the feature have said it
			}
			if buf, err = e.appendEntry(buf[:0], f, vals); err != nil {
				visit(err)
			}
		}
	}
}

// appendEntry appends the entry of a feature, or of a feature list.
func (e *Encoder) appendEntry(dst []byte, f *field, vals []Value) (_ []byte, err *RowError) {
	e.losses = e.losses[:0]
	if f.steps == nil {
		return e.general(dst, f, vals)
	}
	dst, _, err = e.appendList(dst, f, vals)
	return dst, err
}

// room returns buf with space for more bytes at n; the bytes before n are kept.
func room(buf []byte, n, more int) []byte {
	if len(buf)-n >= more {
		return buf
	}
	buf = slices.Grow(buf[:n], more)
	return buf[:cap(buf)] // appendShorts writes beyond n, at places that it computes
}
