package schema

import "slices"

// An Encoder turns rows into serialized tf.train.Example messages. It holds
// scratch space: one is for one goroutine.
type Encoder struct {
	schema  *Schema
	limit   int      // of an Example's size
	width   int      // size of the size of the last Example's features
	body    []byte   // values, as their list has them
	path    []int    // of the element being converted
	column  string   // the column being converted
	notices []Notice // by field
	texts   [][]byte // names of classes, where a field only collects them
}

// NewEncoder returns an encoder for rows of s.Columns.
func (s *Schema) NewEncoder() *Encoder {
	return &Encoder{schema: s, limit: maxExample, width: 1, notices: make([]Notice, len(s.fields))}
}

// Append appends a row to dst as one serialized Example. The i-th value is that
// of the i-th of the schema's columns; Append does not keep it. It may write
// anywhere between the end of dst and its capacity.
//
// An error is a *RowError; then dst is returned with the length it had, and the
// encoder is as good as before.
func (e *Encoder) Append(dst []byte, vals []Value) ([]byte, error) {
	start := len(dst)
	// The size of all features comes before them, and is known after them. They
	// are written where they belong if that size takes as many bytes as that of
	// the row before, which saves moving them.
	n := start + 1 + e.width
	buf := room(dst[:cap(dst)], start, 1+e.width)
	for i := range e.schema.shorts {
		s := &e.schema.shorts[i]
		if i%roomEvery == 0 {
			buf = room(buf, n, roomEvery*shortRoom)
		}
		if s.to != toNothing {
			v := &vals[s.slot]
			if s.takes(v) {
				if size := s.put(buf[n:], v); size > 0 {
					n += size
					continue
				}
			}
		}
		rest, err := e.general(buf[:n], &e.schema.fields[i], vals)
		// After each feature, since a few large files would fill the memory first.
		if err == nil && len(rest)-start > e.limit {
			err = tooLarge(len(rest) - start)
		}
		if err != nil {
			return buf[:start], err
		}
		n, buf = len(rest), room(rest[:cap(rest)], len(rest), roomEvery*shortRoom)
	}
	if buf, n = e.close(buf, start, n); n-start > e.limit {
		return buf[:start], tooLarge(n - start)
	}
	return buf[:n], nil
}

// Faults calls visit for each feature that cannot be made of a row. Append tells
// the first alone.
func (e *Encoder) Faults(vals []Value, visit func(*RowError)) {
	var buf []byte
	var err *RowError
	for i := range e.schema.fields {
		if buf, err = e.general(buf[:0], &e.schema.fields[i], vals); err != nil {
			visit(err)
		}
	}
}

// roomEvery is for how many entries at once room is made for put.
const roomEvery = 16

// room returns buf with space for more bytes at n; the bytes before n are kept.
func room(buf []byte, n, more int) []byte {
	if len(buf)-n >= more {
		return buf
	}
	buf = slices.Grow(buf[:n], more)
	return buf[:cap(buf)] // put writes beyond n, at places that it computes
}
