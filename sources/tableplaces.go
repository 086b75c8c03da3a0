package sources

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A tablePlaces says where the values of a lookup table are in its files. Each value has a number, which is its At: the
// row that gets the value has another text.
type tablePlaces struct {
	rows   []rowPlace   // in the order of the table
	values []valuePlace // by number of the value, from 1
	lines  lineCounter  // of the last row

	sorted          []int32 // by row in the order of the table: its number in the columns
	binary, isArray bool    // rows have no lines; they are rows of an array
}

type rowPlace struct {
	first  uint32 // the number of its first value
	file   int32
	number int64 // of the row in its file, from 0
	offset int64 // of the row; only if rows have no lines
}

type valuePlace struct{ line, col uint32 } // from 1; 0 if rows have no lines

// begin begins a row, which is the given one in its file.
func (p *tablePlaces) begin(file int, number int64, rec *input.Record) {
	p.rows = append(p.rows, rowPlace{uint32(min(len(p.values)+1, math.MaxUint32)), int32(file), number, rec.Offset})
	p.lines, p.binary, p.isArray = lineCounter{rec: rec}, rec.Binary, rec.Row
}

// add adds a value of the last row, and returns its number; 0 if there are too many.
func (p *tablePlaces) add(offset uint32) uint32 {
	if len(p.values) >= math.MaxUint32-1 {
		return 0
	}
	p.values = append(p.values, p.lines.placeOf(offset))
	return uint32(len(p.values))
}

// A lineCounter returns the lines and columns of values in a row, which are mostly in ascending order.
type lineCounter struct {
	rec  *input.Record
	at   int // offset in the row
	line int // number of lines that begin in the row up to at
	last int // offset of the last of these lines
}

// placeOf returns the line and column of an offset in the row. They are 0 if the rows have no lines.
func (c *lineCounter) placeOf(offset uint32) valuePlace {
	if c.rec.Line == 0 {
		return valuePlace{}
	}
	to := min(int(offset), len(c.rec.Raw))
	if to < c.at { // columns come in the order of requests, and not of the file
		c.at, c.line, c.last = 0, 0, 0
	}
	between := c.rec.Raw[c.at:to]
	if n := bytes.Count(between, []byte{'\n'}); n > 0 {
		c.line += n
		c.last = c.at + bytes.LastIndexByte(between, '\n') + 1
	}
	c.at = to
	col := int64(to - c.last + 1)
	if c.line == 0 {
		col += c.rec.Before
	}
	return valuePlace{uint32(c.rec.Line) + uint32(c.line), uint32(min(col, math.MaxUint32))}
}

// describe returns where the value with a number is, a value of a column: its file, line, and column, and the path to
// it. It returns "" if the number is not of a value of the column.
func (t *lookupTable) describe(column int, number uint32) string {
	p := &t.places
	if number == 0 || int(number) > len(p.values) {
		return ""
	}
	k, found := slices.BinarySearchFunc(p.rows, number, func(r rowPlace, n uint32) int {
		return cmp.Compare(r.first, n)
	})
	if !found { // not the first value of its row, which is the row before
		k--
	}
	row := &p.rows[k]
	at := input.Position{Path: t.pathOf(int(row.file)), Line: int(p.values[number-1].line),
		Col: int(p.values[number-1].col)}
	if at.Line == 0 && p.binary {
		at.Binary, at.Record, at.Offset, at.Row = true, row.number, row.offset, p.isArray
	}
	path, found := pathOf(&t.values[column][p.sorted[k]], number)
	if !found {
		return ""
	}
	return at.String() + ", " + t.rowName(row.number) + elementName(t.requested.Columns()[column], path)
}

// pathOf returns the indices that lead to the value with a number in v.
func pathOf(v *schema.Value, number uint32) (path []int, ok bool) {
	if v.At == number {
		return nil, true
	}
	for i := range v.List {
		if path, ok := pathOf(&v.List[i], number); ok {
			return append([]int{i}, path...), true
		}
	}
	return nil, false
}

// rowName returns the path of a row of a JSON document, with a point after it; "" for other tables.
func (t *lookupTable) rowName(number int64) string {
	document, ok := t.source.Input.(interface{ RowsPath() string })
	if !ok {
		return ""
	}
	return document.RowsPath() + strconv.FormatInt(number, 10) + "."
}

// elementName returns the name of a column with the indices of an element. Each * of the name is an index.
func elementName(name string, path []int) string {
	steps := strings.Split(name, ".")
	for i := range steps {
		if steps[i] == "*" && len(path) > 0 {
			steps[i], path = strconv.Itoa(path[0]), path[1:]
		}
	}
	for _, index := range path {
		steps = append(steps, strconv.Itoa(index))
	}
	return strings.Join(steps, ".")
}

// pathOf returns the path of a file of the table as the config has it: below the directory of the config if it is
// there.
func (t *lookupTable) pathOf(file int) string {
	path := t.source.Path(file)
	if below, ok := strings.CutPrefix(path, strings.TrimSuffix(t.source.env.Resolve("."), "/")+"/"); ok {
		return below
	}
	return path
}
