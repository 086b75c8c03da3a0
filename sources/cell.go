package sources

import (
	"bytes"
	"slices"

	"tfr-build/schema"
)

// A jsonCell is a column whose texts are JSON, which rows hold as what it says.
type jsonCell struct {
	column   string
	nulls    []string // texts that are left as they are, for they mean missing
	from, to int      // slots of the text and of the value
}

// cells fills the slots of JSON from those of their texts.
func (r *Reader) cells(data []byte) error {
	r.json.Reset()
	for i := range r.l.cells {
		c := &r.l.cells[i]
		v := &r.vals[c.to]
		*v = r.vals[c.from]
		if v.Kind != schema.List {
			if err := r.cell(c, data, v); err != nil {
				return err
			}
			continue
		}
		room := r.lists.Take(len(v.List)) // of a side table with many matches: a cell each
		copy(room, v.List)
		v.List = room
		for k := range v.List {
			if err := r.cell(c, nil, &v.List[k]); err != nil {
				return err
			}
		}
	}
	return nil
}

// cell makes of a text in v what it says; data is the row that it stands in, nil
// where that is another one.
func (r *Reader) cell(c *jsonCell, data []byte, v *schema.Value) error {
	if v.Kind != schema.Text && v.Kind != schema.String || slices.Contains(c.nulls, string(v.Text)) {
		return nil
	}
	text, at := v.Text, v.At
	if err := r.add(len(text), c.column); err != nil { // each element has a byte there
		return err
	}
	if int(at) < len(data) && data[at] == '"' {
		at++
	}
	if err := r.json.Scan(text, v); err != nil {
		if bad, ok := err.(*schema.RowError); ok {
			doubled := 0
			if at != v.At { // the quotes inside a quoted cell are written twice
				doubled = bytes.Count(text[:min(max(bad.At, 0), len(text))], []byte{'"'})
			}
			bad.At, bad.Column = int(at)+bad.At+doubled, c.column
		}
		return err
	}
	move(v, at)
	return nil
}

// move makes the offsets of a value and of all inside it those in a row, where it
// begins at an offset.
func move(v *schema.Value, by uint32) {
	v.At += by
	for i := range v.List {
		move(&v.List[i], by)
	}
}
