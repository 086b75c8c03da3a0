package schema

// A featureEncoder encodes the features of a row as the entries of a map, one after another. That is
// an OFRecord, and a part of an Example.
type featureEncoder struct {
	schema *Schema
	values *gatherer
	noted  *Noted // what the caller of Note wants to know
}

func newFeatureEncoder(s *Schema, values *gatherer) *featureEncoder {
	return &featureEncoder{schema: s, values: values, noted: new(Noted)}
}

// append appends the entries of all features from offset n on, which is beyond the end of
// dst. The record begins at offset start.
func (e *featureEncoder) append(dst []byte, start, n int, vals []Value) ([]byte, *RowError) {
	buf := room(dst[:cap(dst)], start, n-start)
	row, bounds := e.noted.Row, e.noted.Bounds
	if e.noted.Slow = e.noted.Slow[:0]; len(bounds) > 0 {
		bounds[0] = uint32(n)
	}
	for i := 0; ; i++ {
		buf = room(buf, n, fastRoom)
		end, done := appendFast(buf, n, e.schema.fastFields[i:], vals, bounds[min(i+1, len(bounds)):],
			row[min(i, len(row)):])
		if n, i = end, i+done; i == len(e.schema.fastFields) {
			return buf[:n], nil
		}
		rest, err := e.values.appendField(buf[:n], &e.schema.fields[i], vals)
		// Check after each feature: a few large files would fill the memory before the end of the
		// row.
		if err == nil && len(rest)-start > e.values.limit.size {
			err = e.values.limit.tooLarge(len(rest) - start)
		}
		if err != nil {
			return buf[:start], err
		}
		e.noted.Slow = append(e.noted.Slow, SlowEntry{i, n, len(rest)})
		n, buf = len(rest), rest[:cap(rest)]
		if len(bounds) > i+1 {
			bounds[i+1] = uint32(n)
		}
	}
}
