package parquettest

import (
	"encoding/binary"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// A Page is a page of a column of lists. Its levels are stored as runs, so a page of few bytes can
// have millions of values. A repetition level of 0 begins a row. The definition level is 3 for an
// element, 2 for a null, 1 for an empty list, and 0 for a missing list.
type Page struct {
	Type       format.Type
	Repeats    []Run
	Levels     []Run
	Encoding   format.Encoding
	Values     []byte // encoded
	IsBinary   bool   // byte arrays are not strings
	Dictionary int    // if above 0: this is a dictionary page of so many values, without levels
}

// A Run is a level that occurs Count times in a row.
type Run struct {
	Level byte
	Count int
}

// elements returns the schema elements of the column.
func (c *Column) elements() []format.SchemaElement {
	if len(c.Pages) == 0 {
		return []format.SchemaElement{c.element(c.Name)}
	}
	list := format.SchemaElement{Name: c.Name, RepetitionType: thrift.New(format.Optional),
		NumChildren: thrift.New[int32](1), ConvertedType: thrift.New(deprecated.List)}
	group := format.SchemaElement{Name: "list", RepetitionType: thrift.New(format.Repeated),
		NumChildren: thrift.New[int32](1)}
	value := format.SchemaElement{Name: "element", RepetitionType: thrift.New(format.Optional),
		Type: thrift.New(c.physical())}
	if c.physical() == format.ByteArray && !c.Pages[0].IsBinary {
		value.ConvertedType = thrift.New(deprecated.UTF8)
	}
	return []format.SchemaElement{list, group, value}
}

func count(runs []Run) (n int) {
	for _, r := range runs {
		n += r.Count
	}
	return n
}

// rowsOf returns the number of rows in pages.
func rowsOf(pages []Page) (n int) {
	for _, p := range pages {
		for _, r := range p.Repeats {
			if r.Level == 0 {
				n += r.Count
			}
		}
	}
	return n
}

// appendRuns appends the levels of a data page of version 1: their size, then runs.
func appendRuns(page []byte, runs []Run) []byte {
	var levels []byte
	for _, r := range runs {
		levels = append(binary.AppendUvarint(levels, uint64(r.Count)<<1), r.Level)
	}
	return append(binary.LittleEndian.AppendUint32(page, uint32(len(levels))), levels...)
}

// lists writes the pages of a column, compressed by Zstandard, so that a test of long lists has a small
// file. The metadata names neither the encoding of the pages nor the dictionary page: readers take both
// from the page headers.
func (w *writer) lists(c *Column) format.ColumnChunk {
	at, plain, values := int64(w.file.Len()), 0, 0
	packer, err := zstd.NewWriter(nil)
	if err != nil {
		panic("parquettest: " + err.Error())
	}
	for _, p := range c.Pages {
		var page []byte
		h := &format.PageHeader{Type: format.DataPage}
		if p.Dictionary > 0 {
			h.Type = format.DictionaryPage
			h.DictionaryPageHeader = thrift.New(format.DictionaryPageHeader{NumValues: int32(p.Dictionary),
				Encoding: format.Plain})
		} else {
			page = appendRuns(appendRuns(nil, p.Repeats), p.Levels)
			h.DataPageHeader = thrift.New(format.DataPageHeader{
				NumValues: int32(count(p.Levels)), Encoding: p.Encoding, DefinitionLevelEncoding: format.RLE,
				RepetitionLevelEncoding: format.RLE,
			})
		}
		page = append(page, p.Values...)
		packed := packer.EncodeAll(page, nil)
		h.UncompressedPageSize, h.CompressedPageSize = int32(len(page)), int32(len(packed))
		if w.change.Page != nil {
			w.change.Page(h)
		}
		header := marshal(h)
		w.file.Write(header)
		w.file.Write(packed)
		plain += len(header) + len(page)
		values += count(p.Levels)
	}
	return format.ColumnChunk{FileOffset: at, MetaData: format.ColumnMetaData{
		Type: c.physical(), Encoding: []format.Encoding{format.Plain, format.RLE},
		PathInSchema: []string{c.Name, "list", "element"}, Codec: format.Zstd,
		NumValues: int64(values), TotalUncompressedSize: int64(plain), TotalCompressedSize: int64(w.file.Len()) - at,
		DataPageOffset: at,
	}}
}
