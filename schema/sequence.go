package schema

import (
	"bytes"
	"fmt"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// This file encodes a tf.train.SequenceExample:
//
//	0a n                                   SequenceExample.context, like Example.features
//	12 n                                   SequenceExample.feature_lists
//	  0a ENTRY                             one entry of the map, by ascending key
//	    0a n  key
//	    12 n  { 0a FEATURE  tag LIST  … }  and its value, one Feature per step
//
// Both fields are always written.

// A sequenceEncoder encodes rows as a SequenceExample.
type sequenceEncoder struct {
	schema  *Schema
	context *exampleEncoder
	lists   listEncoder
}

func newSequenceEncoder(s *Schema, values *gatherer) *sequenceEncoder {
	return &sequenceEncoder{s, newExampleEncoder(s, values), listEncoder{values}}
}

// append appends a row as a SequenceExample.
func (e *sequenceEncoder) append(dst []byte, vals []Value) ([]byte, *RowError) {
	start := len(dst)
	dst, err := e.context.append(dst, vals)
	if err != nil {
		return dst, err
	}
	from := len(dst)
	var first *field // the first feature with a list
	length := 0      // of first's list
	for i := range e.schema.lists {
		f := &e.schema.lists[i]
		var n int
		if dst, n, err = e.lists.appendList(dst, f, vals); err != nil {
			return dst, err
		}
		switch {
		case len(dst)-start > e.lists.values.limit.size:
			return dst, e.lists.values.limit.tooLarge(len(dst) - start)
		case n < 0 || e.schema.record.Free:
		case first == nil:
			first, length = f, n
		case n != length:
			return dst, e.lists.values.pos.unequal(f, n, first, length)
		}
	}
	size := len(dst) - from // known only now, so the lists move to make room for it
	dst = insertRoom(dst, from, 1+protowire.SizeVarint(uint64(size)))
	protowire.AppendVarint(append(dst[:from], tag2), uint64(size))
	return dst, nil
}

// insertRoom moves the bytes from dst[from] on by n bytes, which may be negative.
func insertRoom(dst []byte, from, n int) []byte {
	dst = slices.Grow(dst, n)[:len(dst)+n]
	copy(dst[from+n:], dst[from:])
	return dst
}

// A listEncoder encodes the feature lists of a row.
type listEncoder struct {
	values *gatherer
}

// appendList appends the entry of a feature list and returns its number of steps, or -1 if the row
// has no value for it.
func (e *listEncoder) appendList(dst []byte, f *field, vals []Value) ([]byte, int, *RowError) {
	e.values.beginField(f)
	from, n := len(dst), 0
	var err *RowError
	switch {
	case f.Repeat != "":
		dst, n, err = e.appendRepeated(dst, f, vals)
	case len(f.Columns) > 1:
		dst, n, err = e.appendColumns(dst, f, vals)
	default:
		dst, n, err = e.appendSteps(dst, f, &vals[f.slots[0]])
	}
	switch {
	case err != nil:
		return dst[:from], 0, err
	case len(f.slots) > 0:
		e.values.recordLosses(f, vals, n >= 0, n == 0)
	}
	if n < 0 {
		return append(dst[:from], f.absent...), n, nil
	}
	return f.closeSteps(dst, from), n, nil
}

// closeSteps writes the tags, the sizes, and the key of a feature list before its steps, which
// begin at dst[from].
func (x *field) closeSteps(dst []byte, from int) []byte {
	size := len(dst) - from
	entry := len(x.steps) + 1 + protowire.SizeBytes(size)
	dst = insertRoom(dst, from, 1+protowire.SizeBytes(entry)-size)
	head := protowire.AppendVarint(append(dst[:from], tag1), uint64(entry))
	head = append(append(head, x.steps...), tag2)
	protowire.AppendVarint(head, uint64(size))
	return dst
}

// appendSteps appends the steps in a column, and returns their number.
func (e *listEncoder) appendSteps(dst []byte, f *field, v *Value) (_ []byte, n int, err *RowError) {
	split := f.Separator != "" && v.Kind == Text
	switch {
	case f.Separator != "" && (v.Kind == Missing || split && len(v.Text) == 0):
		return dst, 0, nil
	case f.isMissing(v):
		return dst, -1, e.values.allowAbsent(f, v)
	case !split && (v.length() < 0 || v.Kind == Array && f.labels != nil):
		return dst, 0, e.values.pos.notList(f, v)
	case v.Kind == Array && (f.size < 0 || v.count()%f.size != 0):
		return dst, 0, e.values.pos.badCount(f, v, v.count())
	}
	e.values.pos.path = append(e.values.pos.path, 0)
	switch {
	case split:
		for rest, more, at := v.Text, true, v.At; more && err == nil; e.values.pos.path[0]++ {
			elem := Value{Kind: Text, At: at}
			elem.Text, rest, more = bytes.Cut(rest, f.separator)
			if len(elem.Text) == 0 {
				elem.Kind = Missing
			}
			dst, err = e.appendStep(dst, f, &elem)
			at += uint32(len(elem.Text) + len(f.separator))
		}
	case v.Kind == Array:
		for i := 0; i < v.count() && err == nil; i += f.size {
			part := v.subarray(i, f.size)
			dst, err = e.appendStep(dst, f, &part)
			e.values.pos.path[0]++
		}
	default:
		for i := range v.List {
			buf := room(dst[:cap(dst)], len(dst), fastRoom)
			end, done := appendFast(buf, len(dst), f.fast, v.List[i:], nil, nil)
			if dst = buf[:end]; done > 0 {
				continue
			}
			e.values.pos.path[0] = i
			if dst, err = e.appendStep(dst, f, &v.List[i]); err != nil {
				break
			}
		}
		return dst, len(v.List), err
	}
	return dst, e.values.pos.path[0], err
}

// appendColumns appends one step per column.
func (e *listEncoder) appendColumns(dst []byte, f *field, vals []Value) (_ []byte, n int, err *RowError) {
	missing, first := 0, 0
	for i, slot := range f.slots {
		v := vals[slot].unwrapSingle()
		if f.isMissing(v) && f.OnMissing != MissingDefault {
			if missing == 0 {
				first = i
			}
			missing++
			continue
		}
		e.values.pos.column = f.Columns[i]
		if dst, err = e.appendStep(dst, f, v); err != nil {
			return dst, 0, err
		}
	}
	if missing > 0 {
		return dst, -1, e.values.allowAbsentColumns(f, vals, missing, first)
	}
	return dst, len(f.slots), nil
}

// appendRepeated appends the same step once per element of another column.
func (e *listEncoder) appendRepeated(dst []byte, f *field, vals []Value) (_ []byte, n int, err *RowError) {
	from, v := len(dst), f.Constant
	if v == nil {
		v = vals[f.slots[0]].unwrapSingle()
	}
	if f.isMissing(v) && f.OnMissing != MissingDefault {
		return dst, -1, e.values.allowAbsent(f, v)
	}
	if dst, err = e.appendStep(dst, f, v); err != nil {
		return dst, 0, err
	}
	if n, err = e.values.repeatCount(f, vals); n <= 0 || err != nil {
		return dst[:from], n, err
	}
	size := len(dst) - from
	if size*n > e.values.limit.size {
		return dst, 0, e.values.limit.tooLarge(size * n)
	}
	for range n - 1 {
		dst = append(dst, dst[from:from+size]...)
	}
	return dst, n, nil
}

// appendStep appends one step.
func (e *listEncoder) appendStep(dst []byte, f *field, v *Value) ([]byte, *RowError) {
	e.values.conv.body = e.values.conv.body[:0]
	var err *RowError
	switch {
	case f.labels != nil:
		err = e.values.convertMultiHotStep(f, v)
	case len(f.Shape) == 0 && f.copiesBytes(v):
		return f.appendBytes(dst, v.Text), nil
	case f.copiesList(v):
		return f.appendValues(dst, v.Text), nil
	case f.isMissing(v) && f.size < 0 && f.allowsEmptyStep(): // a list without values
	case f.isMissing(v) && f.size < 0:
		err = e.values.pos.newError(f, v, "MISSING", "the step is missing", "")
	case f.isMissing(v):
		err = e.values.convertElement(f, v, f.size)
	case len(f.Shape) == 0:
		err = e.values.conv.convert(f, v)
	default:
		_, err = e.values.convertList(f, v)
	}
	if err != nil {
		return dst, err
	}
	return f.appendValues(dst, e.values.conv.body), nil
}

// allowsEmptyStep reports whether the step of a row without a value is an empty list. In a group each row
// is a step, so a cell is one list and not the list of all steps.
func (x *field) allowsEmptyStep() bool {
	return x.Part == EachRow && (x.Separator != "" || x.OnMissing == MissingEmptyList)
}

// unequal returns the error of a row whose feature lists have different lengths.
func (p *position) unequal(f *field, n int, first *field, length int) *RowError {
	message := fmt.Sprintf("found %s; feature %s of the row has %d", counted(n, "step"), quote(first.Key), length)
	return &RowError{Code: "SEQUENCE_LENGTHS", At: -1, Column: p.column, Feature: f.Key, Message: message,
		Hint: "lengths: free"}
}
