package schema

import (
	"fmt"
	"slices"
)

// An Encoder converts rows into the serialized messages of a schema. It has scratch space: use one
// per goroutine.
type Encoder struct {
	schema  *Schema
	values  *gatherer
	message recordEncoder
}

// A recordEncoder encodes rows as one message. Each message has its own, in its own file.
type recordEncoder struct {
	// append appends a row to dst as one record.
	append func(dst []byte, vals []Value) ([]byte, *RowError)
	// features encodes the entries, if the message has them one after another; otherwise nil.
	features *featureEncoder
}

// Noted has what the record of the last Append consists of. Entry i is of Entries()[i] of the schema. All
// offsets are in the buffer, which must stay below 4 GiB.
//
// Only messages that [Message.HasBounds] have their entries one after another in that order. For other
// messages nothing is noted.
type Noted struct {
	// Row has a word for each entry that is not in Slow: an integer, the bits of a float32 or a float64, or the
	// end of a string<<32 | its size. No words are noted if it is empty.
	Row []uint64
	// Slow has the other entries: without a value, of several values, or of a value that is long or unusual.
	Slow []SlowEntry
	// Bounds has the start of the first entry and the end of each; equal if a record is without an entry. No
	// bounds are noted if it is empty.
	Bounds []uint32
}

// A SlowEntry is an entry by its offsets. They are equal if the record is without it.
type SlowEntry struct{ Field, Begin, End int }

// move adds by to all offsets. Words of entries in Slow mean nothing, before and after.
func (n *Noted) move(fields []fastField, by int) {
	for i := range n.Row {
		if to := fields[i].to; to == toBytes || to == toString {
			n.Row[i] += uint64(by) << 32
		}
	}
	for i := range n.Slow {
		n.Slow[i].Begin += by
		n.Slow[i].End += by
	}
	for i := range n.Bounds {
		n.Bounds[i] += uint32(by)
	}
}

// NewEncoder returns an encoder of rows with the columns s.Columns.
func (s *Schema) NewEncoder() *Encoder {
	values := newGatherer(s)
	return &Encoder{schema: s, values: values, message: s.record.Message.row().newEncoder(s, values)}
}

// Note makes Append store in n what each record consists of.
func (e *Encoder) Note(n *Noted) {
	if e.message.features != nil {
		e.message.features.noted = n
	}
}

// Append appends a row to dst as one record. vals has one value per column of the schema; Append
// does not keep them. It may overwrite bytes between the end of dst and its capacity.
//
// An error is a *RowError. Then dst is returned with its original length, and the encoder can be
// used for the next row.
func (e *Encoder) Append(dst []byte, vals []Value) ([]byte, error) {
	start, values := len(dst), e.values
	values.losses = values.losses[:0]
	dst, err := e.message.append(dst, vals)
	if err != nil {
		return dst[:start], err
	}
	if len(dst)-start > values.limit.size {
		return dst[:start], values.limit.tooLarge(len(dst) - start)
	}
	if len(values.losses) > 0 {
		values.countLosses()
	}
	return dst, nil
}

// EachError calls visit for each feature that cannot be made from a row. Append returns only the first
// error.
func (e *Encoder) EachError(vals []Value, visit func(*RowError)) {
	var buf []byte
	var err *RowError
	for _, fields := range [][]field{e.schema.fields, e.schema.lists} {
		for i := range fields {
			f := &fields[i]
			if f.form == formLengths {
				continue // the flat values have the same errors
			}
			if buf, err = e.values.appendEntry(buf[:0], f, vals); err != nil {
				visit(err)
			}
		}
	}
}

// maxExample is the size of the largest Example, in bytes, that TensorFlow reads.
const maxExample = 1<<31 - 1

// A sizeLimit is the largest size of a record.
type sizeLimit struct {
	size   int
	record string // what is too large, with its article
}

func (l sizeLimit) tooLarge(size int) *RowError {
	return &RowError{
		Code:    "LIMIT_RECORD",
		At:      -1,
		Message: fmt.Sprintf("%s of %d bytes; TensorFlow reads less than 2 GiB", l.record, size),
	}
}

// room returns buf with space for more bytes at offset n. It keeps the bytes before n.
func room(buf []byte, n, more int) []byte {
	if len(buf)-n >= more {
		return buf
	}
	buf = slices.Grow(buf[:n], more)
	return buf[:cap(buf)] // appendFast writes at offsets up to the capacity
}
