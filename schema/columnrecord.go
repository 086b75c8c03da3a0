package schema

import "google.golang.org/protobuf/encoding/protowire"

// A columnEncoder encodes rows whose record is the string or the bytes in a column.
type columnEncoder struct {
	field  *field
	values *gatherer
}

func newColumnEncoder(s *Schema, values *gatherer) *columnEncoder {
	return &columnEncoder{field: &s.fields[0], values: values}
}

// append appends the string or the bytes in a column.
func (e *columnEncoder) append(dst []byte, vals []Value) ([]byte, *RowError) {
	f := e.field
	v := vals[f.slots[0]].unwrapSingle()
	if f.copiesBytes(v) {
		return append(dst, v.Text...), nil
	}
	if _, err := e.values.gather(f, vals); err != nil {
		return dst, err
	}
	text, _ := protowire.ConsumeBytes(e.values.conv.body[1:]) // the first byte is the tag
	return append(dst, text...), nil
}
