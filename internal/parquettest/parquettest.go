// Package parquettest makes Parquet files for tests: one page per column and row group, with plain
// values, or pages of lists.
//
//	file := parquettest.File(1000,
//		parquettest.Column{Name: "id", Values: []int64{1, 2, 3}},
//		parquettest.Column{Name: "image.bytes", Values: [][]byte{a, b, c}})
//
// Columns with the same name before a dot are the fields of a struct.
package parquettest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/klauspost/compress/snappy"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// A Column is a column of a file.
type Column struct {
	Name    string
	Values  any                     // []int64, []float64, []string or [][]byte, one value per row
	Missing []bool                  // rows without a value; nil if all rows have one
	Logical format.LogicalTypeValue // of numbers; strings have the type string
	Pages   []Page                  // of lists, instead of Values, for a file of one row group
}

// A Change changes the metadata of a file before it is written, for files with false claims.
type Change struct {
	Page   func(*format.PageHeader)
	Footer func(*format.FileMetaData)
}

// File returns a file whose row groups have rows rows each.
func File(rows int, columns ...Column) []byte { return Changed(Change{}, rows, columns...) }

// Changed returns a file whose metadata is changed.
func Changed(change Change, rows int, columns ...Column) []byte {
	w := writer{change: change}
	w.file.WriteString("PAR1")
	meta := &format.FileMetaData{Version: 1, Schema: schemaOf(columns)}
	total := columns[0].count()
	for from := 0; from < total; from += rows {
		to := min(from+rows, total)
		g := format.RowGroup{NumRows: int64(to - from)}
		for i := range columns {
			g.Columns = append(g.Columns, w.chunk(&columns[i], from, to))
		}
		meta.NumRows += g.NumRows
		meta.RowGroups = append(meta.RowGroups, g)
	}
	if change.Footer != nil {
		change.Footer(meta)
	}
	footer := marshal(meta)
	w.file.Write(footer)
	w.file.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(footer))))
	w.file.WriteString("PAR1")
	return w.file.Bytes()
}

func marshal(v any) []byte {
	data, err := thrift.Marshal(new(thrift.CompactProtocol), v)
	if err != nil {
		panic(fmt.Sprintf("parquettest: %v", err))
	}
	return data
}

// schemaOf is the schema of columns.
func schemaOf(columns []Column) []format.SchemaElement {
	list := []format.SchemaElement{{Name: "schema"}}
	top := int32(0)
	for i := 0; i < len(columns); {
		top++
		group, _, nested := strings.Cut(columns[i].Name, ".")
		if !nested {
			list = append(list, columns[i].elements()...)
			i++
			continue
		}
		at := len(list)
		list = append(list, format.SchemaElement{Name: group, RepetitionType: thrift.New(format.Required)})
		fields := int32(0)
		for ; i < len(columns) && strings.HasPrefix(columns[i].Name, group+"."); i++ {
			list = append(list, columns[i].element(columns[i].Name[len(group)+1:]))
			fields++
		}
		list[at].NumChildren = thrift.New(fields)
	}
	list[0].NumChildren = thrift.New(top)
	return list
}

// element is the column in a schema.
func (c *Column) element(name string) format.SchemaElement {
	e := format.SchemaElement{Name: name, Type: thrift.New(c.physical()), RepetitionType: thrift.New(format.Required)}
	if c.Missing != nil {
		e.RepetitionType = thrift.New(format.Optional)
	}
	if _, ok := c.Values.([]string); ok {
		e.ConvertedType = thrift.New(deprecated.UTF8)
	}
	e.LogicalType.Value = c.Logical
	return e
}

func (c *Column) physical() format.Type {
	if len(c.Pages) > 0 {
		return c.Pages[0].Type
	}
	switch c.Values.(type) {
	case []int64:
		return format.Int64
	case []float64:
		return format.Double
	}
	return format.ByteArray
}

func (c *Column) count() int {
	if len(c.Pages) > 0 {
		return rowsOf(c.Pages)
	}
	switch v := c.Values.(type) {
	case []int64:
		return len(v)
	case []float64:
		return len(v)
	case []string:
		return len(v)
	case [][]byte:
		return len(v)
	}
	panic(fmt.Sprintf("parquettest: values of the type %T", c.Values))
}

type writer struct {
	change Change
	file   bytes.Buffer
}

// chunk writes some rows of a column.
func (w *writer) chunk(c *Column, from, to int) format.ColumnChunk {
	if len(c.Pages) > 0 {
		return w.lists(c)
	}
	at := int64(w.file.Len())
	page := c.page(from, to)
	packed := snappy.Encode(nil, page)
	h := &format.PageHeader{
		Type: format.DataPage, UncompressedPageSize: int32(len(page)), CompressedPageSize: int32(len(packed)),
		DataPageHeader: thrift.New(format.DataPageHeader{
			NumValues: int32(to - from), Encoding: format.Plain, DefinitionLevelEncoding: format.RLE,
			RepetitionLevelEncoding: format.RLE,
		}),
	}
	if w.change.Page != nil {
		w.change.Page(h)
	}
	header := marshal(h)
	w.file.Write(header)
	w.file.Write(packed)
	return format.ColumnChunk{FileOffset: at, MetaData: format.ColumnMetaData{
		Type: c.physical(), Encoding: []format.Encoding{format.Plain, format.RLE},
		PathInSchema: strings.Split(c.Name, "."),
		Codec:        format.Snappy,
		NumValues:    int64(to - from), TotalUncompressedSize: int64(len(header) + len(page)),
		TotalCompressedSize: int64(len(header) + len(packed)), DataPageOffset: at,
	}}
}

// page is some rows of a column as a page has them.
func (c *Column) page(from, to int) (page []byte) {
	if c.Missing != nil {
		levels := []byte{}
		for _, missing := range c.Missing[from:to] { // a run each
			level := byte(1)
			if missing {
				level = 0
			}
			levels = append(levels, 1<<1, level)
		}
		page = append(binary.LittleEndian.AppendUint32(page, uint32(len(levels))), levels...)
	}
	for i := from; i < to; i++ {
		if c.Missing == nil || !c.Missing[i] {
			page = c.appendValue(page, i)
		}
	}
	return page
}

func (c *Column) appendValue(page []byte, i int) []byte {
	text := ""
	switch v := c.Values.(type) {
	case []int64:
		return binary.LittleEndian.AppendUint64(page, uint64(v[i]))
	case []float64:
		return binary.LittleEndian.AppendUint64(page, math.Float64bits(v[i]))
	case []string:
		text = v[i]
	case [][]byte:
		text = string(v[i])
	}
	return append(binary.LittleEndian.AppendUint32(page, uint32(len(text))), text...)
}
