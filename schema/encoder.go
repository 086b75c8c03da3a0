package schema

import (
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"tfr-build/message"
)

// An Encoder converts rows into the serialized messages of a schema. It has scratch space: use one
// per goroutine.
type Encoder struct {
	schema  *Schema
	limit   int    // largest size of a record
	width   int    // bytes of the varint that has the size of the last Example's features
	body    []byte // converted values, as their list stores them
	path    []int  // of the element being converted
	column  string // the column being converted
	digits  []byte // the decimal string of a number of an Array
	scratch []byte // an Example or a tensor that becomes JSON
	example message.Message
	notices []Notice  // by field
	losses  []loss    // of the current row
	texts   [][]byte  // class names, if a field collects them
	bounds  *[]uint32 // start of the entries, then the end of each field's entry; empty unless NoteBounds was called
}

// NewEncoder returns an encoder of rows with the columns s.Columns.
func (s *Schema) NewEncoder() *Encoder {
	return &Encoder{schema: s, limit: maxExample, width: 1, notices: make([]Notice, len(s.fields)+len(s.lists)), bounds: new([]uint32)}
}

// NoteBounds makes Append record the offsets of the entries in each record. Append writes them to
// the slice that bounds points to at the time of the call. Entry i of [Schema.Entries] is between
// bounds i and i+1, which are equal if the record is without it. So there is one more bound than there
// are entries. The bounds are offsets in the buffer, which must stay below 4 GiB.
//
// Only an Example and an OFRecord have their entries one after another in that order. For other
// messages, NoteBounds does nothing.
func (e *Encoder) NoteBounds(bounds *[]uint32) {
	if m := e.schema.record.Message; m == ExampleMessage || m == OFRecordMessage {
		e.bounds = bounds
	}
}

// Append appends a row to dst as one record. vals has one value per column of the schema; Append
// does not keep them. It may overwrite bytes between the end of dst and its capacity.
//
// An error is a *RowError. Then dst is returned with its original length, and the encoder can be
// used for the next row.
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
		e.countLosses()
	}
	return dst, nil
}

// appendOther appends a row as a message other than an Example.
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

// appendExample appends a row as an Example, or as the context of a SequenceExample.
func (e *Encoder) appendExample(dst []byte, vals []Value) ([]byte, *RowError) {
	start := len(dst)
	// The size of all features comes before them, but is known after them. Guess that it takes as
	// many bytes as in the last row; if it does, the features need not be moved.
	buf, err := e.appendFeatures(dst, start, start+1+e.width, vals)
	if err != nil {
		return dst, err
	}
	return e.closeFeatures(buf, start), nil
}

// appendFeatures appends the entries of all features from offset n on, which is beyond the end of
// dst. The record begins at offset start.
func (e *Encoder) appendFeatures(dst []byte, start, n int, vals []Value) ([]byte, *RowError) {
	buf := room(dst[:cap(dst)], start, n-start)
	bounds := *e.bounds
	if len(bounds) > 0 {
		bounds[0] = uint32(n)
	}
	for i := 0; ; i++ {
		buf = room(buf, n, fastRoom)
		if n, i = e.appendFast(buf, n, i, vals); i == len(e.schema.fastFields) {
			return buf[:n], nil
		}
		rest, err := e.appendField(buf[:n], &e.schema.fields[i], vals)
		// Check after each feature: a few large files would fill the memory before the end of the
		// row.
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

// appendColumn appends the string or the bytes in a column.
func (e *Encoder) appendColumn(dst []byte, vals []Value) ([]byte, *RowError) {
	f := &e.schema.fields[0]
	v := vals[f.slots[0]].unwrapSingle()
	if f.copiesBytes(v) {
		return append(dst, v.Text...), nil
	}
	if _, err := e.gather(f, vals); err != nil {
		return dst, err
	}
	text, _ := protowire.ConsumeBytes(e.body[1:]) // the first byte is the tag
	return append(dst, text...), nil
}

// Faults calls visit for each feature that cannot be made from a row. Append returns only the first
// error.
func (e *Encoder) Faults(vals []Value, visit func(*RowError)) {
	var buf []byte
	var err *RowError
	for _, fields := range [][]field{e.schema.fields, e.schema.lists} {
		for i := range fields {
			f := &fields[i]
			if f.form == formLengths {
				continue // the flat values have the same errors
			}
			if buf, err = e.appendEntry(buf[:0], f, vals); err != nil {
				visit(err)
			}
		}
	}
}

// appendEntry appends the entry of a feature or of a feature list.
func (e *Encoder) appendEntry(dst []byte, f *field, vals []Value) (_ []byte, err *RowError) {
	e.losses = e.losses[:0]
	if f.steps == nil {
		return e.appendField(dst, f, vals)
	}
	dst, _, err = e.appendList(dst, f, vals)
	return dst, err
}

// room returns buf with space for more bytes at offset n. It keeps the bytes before n.
func room(buf []byte, n, more int) []byte {
	if len(buf)-n >= more {
		return buf
	}
	buf = slices.Grow(buf[:n], more)
	return buf[:cap(buf)] // appendFast writes at offsets up to the capacity
}
