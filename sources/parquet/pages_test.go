package parquet

import (
	"bytes"
	"encoding/binary"
	"io"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// A pageSpec is a page of any bytes with the header of a data page.
type pageSpec struct {
	values   int
	levels   [2]int // bytes of repetition and of definition levels, in pages of version 2
	encoding format.Encoding
	plain    int // decompressed bytes
	body     []byte
}

func (p *pageSpec) appendTo(dst []byte, isV2 bool) []byte {
	h := &format.PageHeader{Type: format.DataPage, UncompressedPageSize: int32(p.plain),
		CompressedPageSize: int32(len(p.body))}
	if isV2 {
		h.Type = format.DataPageV2
		h.DataPageHeaderV2 = thrift.New(format.DataPageHeaderV2{
			NumValues: int32(p.values), NumRows: int32(p.values), Encoding: p.encoding, IsCompressed: thrift.New(true),
			RepetitionLevelsByteLength: int32(p.levels[0]), DefinitionLevelsByteLength: int32(p.levels[1]),
		})
	} else {
		h.DataPageHeader = thrift.New(format.DataPageHeader{
			NumValues: int32(p.values), Encoding: p.encoding, DefinitionLevelEncoding: format.RLE,
			RepetitionLevelEncoding: format.RLE,
		})
	}
	header, err := thrift.Marshal(new(thrift.CompactProtocol), h)
	if err != nil {
		panic(err)
	}
	return append(append(dst, header...), p.body...)
}

// decodeRows decodes a chunk at once, or with batch > 0 in batches, and returns each row serialized. A
// panic is not recovered.
func decodeRows(l *leaf, c *chunk, data []byte, batch int) (rows [][]byte, err error) {
	d := newDecoder(l, c, bytes.NewReader(data), new(decompressor), 1<<20)
	if batch == 0 {
		for err == nil {
			err = d.next()
		}
		if err != io.EOF {
			return nil, err
		}
		d.finishRows()
		for i := range d.rows {
			rows = append(rows, d.appendRow(nil, i))
		}
		return rows, nil
	}
	d.batch = batch
	cur := cursor{decoder: d}
	for !cur.ended {
		if err := cur.fill(); err != nil {
			return nil, err
		}
		for i := range cur.rows {
			rows = append(rows, cur.block.appendRow(nil, i))
		}
	}
	return rows, nil
}

// FuzzPages decodes two pages of arbitrary bytes, at once and in batches: both return the same rows or
// an error, and none panics. Values in BYTE_STREAM_SPLIT equal the values of the same page in PLAIN.
func FuzzPages(f *testing.F) {
	const split = 9
	nulls := []byte{2, 0, 0, 0, 200, 1, 0} // a run of 100 nulls, in a page of version 1
	f.Add(nulls, 100, uint16(0), byte(split), byte(4), byte(1), byte(0), uint16(7))
	f.Add([]byte{200, 1, 0}, 100, uint16(3), byte(split), byte(5), byte(1), byte(1), uint16(7))
	f.Add([]byte{4, 0, 0, 0, 2, 1, 4, 0, 1, 2, 3, 4}, 3, uint16(0), byte(split), byte(1), byte(1), byte(0), uint16(1))
	f.Add([]byte{2, 0, 0, 0, 6, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 3, uint16(0), byte(split), byte(4), byte(1),
		byte(0), uint16(1))
	f.Add([]byte{4, 0, 0, 0, 2, 0, 4, 1, 2, 0, 0, 0, 6, 2, 1, 0, 0, 0, 'a', 0, 0, 0, 0, 1, 0, 0, 0, 'b'}, 3, uint16(0),
		byte(0), byte(6), byte(2), byte(0), uint16(1))
	f.Add([]byte{6, 1, 128, 1, 4, 3, 2, 0, 0, 0, 0, 0}, 3, uint16(2), byte(5), byte(2), byte(1), byte(1), uint16(2))
	f.Add([]byte("000000"), 41, uint16(0), byte(0), byte(0), byte(0), byte(0), uint16(24)) // values that are never null
	f.Fuzz(func(t *testing.T, data []byte, values int, levels uint16, encoding, physical, nesting, version byte,
		step uint16) {
		if len(data) > 4<<10 || values < 0 || values > 1<<17 {
			return
		}
		l := &leaf{name: "x", physical: format.Type(physical % 8), max: level{def: nesting % 4}}
		l.size = []int{1, 4, 8, 12, 4, 8, 0, 5}[l.physical]
		if nesting%4 > 1 { // lists
			l.max.rep = nesting%4 - 1
			for n := range l.max.rep {
				l.lists = append(l.lists, level{n + 1, n + 1})
			}
		}
		half := len(data)
		if version&2 != 0 {
			half = len(data) / 2
		}
		codec := []format.CompressionCodec{format.Uncompressed, format.Snappy, format.Gzip, format.Brotli, format.Zstd,
			format.Lz4Raw}[version>>2%6]
		var body []byte
		count := int64(0)
		for _, part := range [][]byte{data[:half], data[half:]} {
			p := pageSpec{values: values, levels: [2]int{int(levels >> 8), int(levels & 255)},
				encoding: format.Encoding(encoding % 10), plain: len(part), body: part}
			if codec != format.Uncompressed {
				p.plain = int(step) * 16
			}
			if len(part) > 0 || half == 0 {
				body = p.appendTo(body, version&1 != 0)
				count += int64(values)
			}
		}
		c := &chunk{physical: l.physical, codec: codec, values: count, size: int64(len(body)), plain: 1 << 20}
		before := allocated()
		rows, err := decodeRows(l, c, body, 0)
		pieces, piecesErr := decodeRows(l, c, body, max(1, int(step)))
		if taken := allocated() - before; taken > 48<<20+512*uint64(count) {
			t.Errorf("%d bytes are allocated for %d values in %d bytes", taken, count, len(body))
		}
		if (err == nil) != (piecesErr == nil) {
			t.Fatalf("at once %v, in batches %v", err, piecesErr)
		}
		if err != nil {
			return
		}
		compareRows(t, rows, pieces)
		if format.Encoding(encoding%10) == format.ByteStreamSplit && half == len(data) &&
			codec == format.Uncompressed && len(l.lists) == 0 {
			page := asPlain(l, rows, values)
			whole := *c
			whole.size = int64(len(page))
			plain, err := decodeRows(l, &whole, page, 0)
			if err != nil {
				t.Fatal(err)
			}
			compareRows(t, rows, plain)
		}
	})
}

func compareRows(t *testing.T, a, b [][]byte) {
	t.Helper()
	if len(a) != len(b) {
		t.Fatalf("%d rows and %d", len(a), len(b))
	}
	for i := range a {
		if !bytes.Equal(a[i], b[i]) {
			t.Fatalf("row %d is %x and %x", i, a[i], b[i])
		}
	}
}

// asPlain returns a page of version 1 in PLAIN of serialized rows.
func asPlain(l *leaf, rows [][]byte, values int) []byte {
	var defs, body []byte
	for _, r := range rows {
		defs = append(defs, 1<<1, r[0]*l.max.def)
		body = append(body, r[1:]...)
	}
	if l.max.def > 0 {
		body = append(append(binary.LittleEndian.AppendUint32(nil, uint32(len(defs))), defs...), body...)
	}
	p := pageSpec{values: values, encoding: format.Plain, plain: len(body), body: body}
	return p.appendTo(nil, false)
}
