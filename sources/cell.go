package sources

import (
	"bytes"

	"tfr-build/schema"
	"tfr-build/sources/input"
	"tfr-build/sources/jsonl"
)

// A CellScanner parses strings that are one JSON value each.
type CellScanner = jsonl.CellScanner

// NewCellScanner returns a CellScanner for values with at most depth levels of nesting. Their lists may take record
// bytes per row.
func NewCellScanner(depth, record int) *CellScanner { return jsonl.NewCellScanner(depth, record) }

// A jsonCell is a column whose strings are JSON. Rows have the values of the JSON instead.
type jsonCell struct {
	column   string
	nulls    []string // strings that mean missing and are not parsed
	from, to int      // slots of the string and of the value
}

// parseCells fills the slots of JSON values from the slots of their strings.
func (r *Reader) parseCells(data []byte) error {
	r.json.Reset()
	for i := range r.l.cells {
		c := &r.l.cells[i]
		v := &r.vals[c.to]
		*v = r.vals[c.from]
		if v.Kind != schema.List {
			if err := r.parseCell(c, data, v); err != nil {
				return err
			}
			continue
		}
		if err := r.addSize(input.ElementSize*len(v.List), c.column); err != nil {
			return err
		}
		list := r.lists.Take(len(v.List)) // the matches of a lookup table; each has a cell
		copy(list, v.List)
		v.List = list
		for k := range v.List {
			if err := r.parseCell(c, nil, &v.List[k]); err != nil {
				return err
			}
		}
	}
	return nil
}

// parseCell replaces a string in v by the value of its JSON. The row with the string is data, or
// nil if it is in a lookup table.
func (r *Reader) parseCell(c *jsonCell, data []byte, v *schema.Value) error {
	if v.Kind != schema.Text && v.Kind != schema.String || schema.HasWord(c.nulls, v.Text) {
		return nil
	}
	text, at := v.Text, v.At
	if err := r.addSize(len(text), c.column); err != nil {
		return err
	}
	listed := r.json.Elements()
	if int(at) < len(data) && data[at] == '"' { // At is the quote of a CSV cell, and not its content
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
	v.Move(at)
	return r.addSize(input.ElementSize*(r.json.Elements()-listed), c.column)
}
