package arrays

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"unicode/utf8"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// Bind records the slots of the columns.
func (in *arraysInput) Bind(columns []input.Bound) (input.Layout, error) {
	return func(*input.Observations, bool) input.Scanner {
		s := &scanner{in: in}
		for _, c := range columns {
			at := 0
			for i := range in.arrays {
				if a := &in.arrays[i]; a.column == c.Name {
					s.cells = append(s.cells, cell{array: a, slot: c.Slot, begin: at})
				}
				at += in.arrays[i].stride
			}
		}
		return s
	}, nil
}

// A scanner parses the values of rows.
type scanner struct {
	in    *arraysInput
	cells []cell
}

// A cell is a column that is used.
type cell struct {
	*array
	slot  int
	begin int    // offset in the text of a row
	buf   []byte // a row with swapped bytes
	text  []byte // of a number or of strings
	list  []schema.Value
}

// Scan parses the row with the index offset of the mapped files. If data is not nil, it is the text
// of the row.
func (s *scanner) Scan(_ int, offset int64, data []byte, vals []schema.Value) (int, error) {
	for i := range s.cells {
		c := &s.cells[i]
		var row []byte
		if data == nil {
			row, c.buf = c.row(c.buf, s.in.mapped[c.file], offset)
		} else {
			row = data[c.begin : c.begin+c.stride]
		}
		v, err := c.parseRow(row)
		if err != nil {
			return s.in.size, err
		}
		vals[c.slot] = v
	}
	return s.in.size, nil
}

// parseRow returns the value of a row of the array.
func (c *cell) parseRow(row []byte) (schema.Value, error) {
	c.text, c.list = c.text[:0], c.list[:0]
	if c.elem == schema.BoolType {
		if bad := slices.IndexFunc(row, func(b byte) bool { return b > 1 }); bad >= 0 {
			return schema.Value{}, c.rowError("BOOL_SYNTAX", "the byte %d is not a bool; expected 0 or 1", row[bad])
		}
	}
	v := schema.Value{Kind: schema.Array, Elem: c.elem, Text: row}
	switch {
	case c.class == byteText || c.class == unicode:
		return c.parseStrings(row)
	case len(c.shape) > 0:
		v.List = []schema.Value{} // a list, even of one number
		return v, nil
	case c.class == fraction:
		return v, nil
	}
	// The only number of a row is text, because it may decide a split or be the name of a class.
	c.text, _ = v.AsText(c.text)
	if v = (schema.Value{Kind: schema.Number, Text: c.text}); c.elem == schema.BoolType {
		v.Kind = schema.Bool
	}
	return v, nil
}

// parseStrings returns the strings of a row, like cells of a table, for both S and U. The value is
// a list if the array has more than one axis.
func (c *cell) parseStrings(row []byte) (schema.Value, error) {
	if c.class == unicode {
		c.text = slices.Grow(c.text, len(row)) // so that appending does not move earlier strings
	}
	if len(c.shape) > 0 {
		c.list = slices.Grow(c.list, len(row)/c.size)
	}
	for at := 0; at < len(row); at += c.size {
		v := schema.Value{Kind: schema.Text, Text: bytes.TrimRight(row[at:at+c.size], "\x00")}
		if c.class == unicode {
			from := len(c.text)
			if err := c.decode(row[at : at+c.size]); err != nil {
				return schema.Value{}, err
			}
			v.Text = c.text[from:]
		}
		if len(c.shape) == 0 {
			return v, nil
		}
		c.list = append(c.list, v)
	}
	return schema.Value{Kind: schema.List, List: c.list}, nil
}

// decode appends UTF-32 as UTF-8, without trailing NULs.
func (c *cell) decode(text []byte) error {
	for len(text) > 0 && binary.LittleEndian.Uint32(text[len(text)-4:]) == 0 {
		text = text[:len(text)-4]
	}
	for ; len(text) > 0; text = text[4:] {
		u := binary.LittleEndian.Uint32(text)
		if u > utf8.MaxRune || !utf8.ValidRune(rune(u)) {
			return c.rowError("ENCODING", "0x%x is not a character", u)
		}
		c.text = utf8.AppendRune(c.text, rune(u))
	}
	return nil
}

func (c *cell) rowError(code, format string, args ...any) error {
	return &schema.RowError{Code: code, At: -1, Column: c.column, Message: fmt.Sprintf(format, args...)}
}
