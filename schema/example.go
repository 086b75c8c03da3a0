package schema

import (
	"encoding/binary"

	"google.golang.org/protobuf/encoding/protowire"
)

// An exampleEncoder encodes rows as a tf.train.Example, or as the context of a SequenceExample.
type exampleEncoder struct {
	features *featureEncoder
	width    int // bytes of the varint that has the size of the last Example's features
}

func newExampleEncoder(s *Schema, values *gatherer) *exampleEncoder {
	return &exampleEncoder{features: newFeatureEncoder(s, values), width: 1}
}

// append appends a row as an Example, or as the context of a SequenceExample.
func (e *exampleEncoder) append(dst []byte, vals []Value) ([]byte, *RowError) {
	start := len(dst)
	// The size of all features comes before them, but is known after them. Guess that it takes as
	// many bytes as in the last row; if it does, the features need not be moved.
	buf, err := e.features.append(dst, start, start+1+e.width, vals)
	if err != nil {
		return dst, err
	}
	return e.closeFeatures(buf, start), nil
}

// closeFeatures writes the tag and the size of the features before them. They end at the end of
// buf.
func (e *exampleEncoder) closeFeatures(buf []byte, start int) []byte {
	from := start + 1 + e.width
	size := len(buf) - from
	if width := protowire.SizeVarint(uint64(size)); width != e.width {
		to := start + 1 + width
		buf = room(buf[:cap(buf)], len(buf), max(0, to-from))
		copy(buf[to:], buf[from:from+size])
		e.features.noted.move(e.features.schema.fastFields, to-from)
		// Rows are similar: the next one probably needs the same number of bytes.
		e.width, buf = width, buf[:to+size]
	}
	buf[start] = tag1
	binary.PutUvarint(buf[start+1:], uint64(size))
	return buf
}
