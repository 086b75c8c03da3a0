package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go/format"

	"tfr-build/internal/plural"
)

// A decoder decodes the pages of a chunk into a block.
type decoder struct {
	block
	chunk  *chunk
	pages  pages
	unpack *unpacker
	dict   *values
	kept   int    // bytes of the blob that are the dictionary's
	left   int64  // values of the pages to come
	page   []byte // decompressed, where it is not decoded where it lies
}

// newDecoder decodes a chunk that in reads.
func newDecoder(f *leaf, c *chunk, in io.Reader, u *unpacker) *decoder {
	const slack = 64 << 10 // some writers leave out the headers, or levels
	return &decoder{
		block: newBlock(f), chunk: c, unpack: u, left: c.values,
		pages: pages{in: in, left: c.size, bytes: 2*c.plain + slack},
	}
}

// all decodes the whole chunk, which has so many rows.
func (d *decoder) all(rows int64) error {
	for {
		err := d.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	d.settle()
	return d.hold(int64(d.rows), rows)
}

// hold holds the rows of the chunk against those that the footer claims.
func (d *decoder) hold(found, claimed int64) error {
	if found != claimed {
		return &damage{"PARQUET_ROWS", fmt.Sprintf("has %d rows, and the footer claims %d", found, claimed)}
	}
	return nil
}

// next decodes the next page that has values; io.EOF follows the last.
func (d *decoder) next() error {
	for {
		h, body, err := d.pages.next()
		if err == io.EOF && d.left > 0 {
			return damaged("has %s fewer than the footer claims", plural.Of(d.left, "value"))
		}
		if err != nil {
			return err
		}
		switch {
		case h.Type == format.DictionaryPage && h.DictionaryPageHeader.Valid:
			err = d.dictionary(h, body)
		case h.Type == format.DataPage && h.DataPageHeader.Valid:
			return d.first(h, body)
		case h.Type == format.DataPageV2 && h.DataPageHeaderV2.Valid:
			return d.second(h, body)
		case h.Type != format.IndexPage:
			err = damaged("a page is of the type %d, or its header lacks what pages of it have", h.Type)
		}
		if err != nil {
			return err
		}
	}
}

// plain is a page as it was before it was compressed. inBlob puts it at the end of the
// blob.
func (d *decoder) plain(packed []byte, size int, isPacked, inBlob bool) ([]byte, error) {
	if !isPacked || d.chunk.codec == format.Uncompressed {
		if len(packed) != size {
			return nil, damaged("a page has %d bytes, and claims %d", len(packed), size)
		}
		if !inBlob {
			return packed, nil
		}
	}
	to := &d.page
	if inBlob {
		to = &d.blob
	} else {
		d.page = d.page[:0]
	}
	from := len(*to)
	if inBlob && uint64(from)+uint64(size) > mostBlob {
		return nil, errBlob
	}
	var err error
	if !isPacked || d.chunk.codec == format.Uncompressed {
		*to = append(*to, packed...)
	} else if size > 0 || len(packed) > 0 {
		*to, err = d.unpack.unpack(*to, d.chunk.codec, packed, size)
	}
	return (*to)[from:], err
}

// isInBlob reports whether values stay where their page lies.
func (d *decoder) isInBlob(e format.Encoding) bool { return d.width == 0 && e == format.Plain }

// dictionary reads the page of the dictionary.
func (d *decoder) dictionary(h *format.PageHeader, body []byte) error {
	of := &h.DictionaryPageHeader.V
	switch {
	case d.dict != nil:
		return damaged("has a second dictionary")
	case d.left != d.chunk.values:
		return damaged("has a dictionary after its first page")
	case of.Encoding != format.Plain && of.Encoding != oldDictionary:
		return unsupported("has a dictionary that is encoded as %s", of.Encoding)
	}
	data, err := d.plain(body, int(h.UncompressedPageSize), true, d.width == 0)
	if err != nil {
		return err
	}
	if of.NumValues < 0 || int64(of.NumValues) > 8*int64(len(data)) {
		return damaged("a dictionary of %d bytes claims %d values", len(data), of.NumValues)
	}
	d.dict = &values{width: d.width, blob: d.blob}
	if err := d.dict.appendPlain(data, int(of.NumValues), d.physical); err != nil {
		return err
	}
	d.kept = len(d.blob)
	return nil
}

// claim takes the values that a page claims off those that are to come.
func (d *decoder) claim(n int32) (int, error) {
	if n < 0 || int64(n) > d.left {
		return 0, damaged("a page claims %d values, and the footer %d for it and those after it", n, d.left)
	}
	if len(d.lists) > 0 && uint64(len(d.reps))+uint64(n) > math.MaxUint32 {
		return 0, unsupported("has more than 2^32 values in a row group")
	}
	d.left -= int64(n)
	return int(n), nil
}

// first reads a data page of version 1: levels and values are compressed together.
func (d *decoder) first(h *format.PageHeader, body []byte) error {
	of := &h.DataPageHeader.V
	n, err := d.claim(of.NumValues)
	if err != nil {
		return err
	}
	data, err := d.plain(body, int(h.UncompressedPageSize), true, d.isInBlob(of.Encoding))
	if err != nil {
		return err
	}
	var reps, defs []byte
	if d.most.rep > 0 {
		if reps, data, err = cutLevels(data, of.RepetitionLevelEncoding); err != nil {
			return err
		}
	}
	if d.most.def > 0 {
		if defs, data, err = cutLevels(data, of.DefinitionLevelEncoding); err != nil {
			return err
		}
	}
	return d.take(of.Encoding, reps, defs, data, n)
}

// cutLevels cuts levels off the beginning of a page of version 1.
func cutLevels(data []byte, e format.Encoding) (levels, rest []byte, err error) {
	if e != format.RLE {
		return nil, nil, unsupported("has levels that are encoded as %s, which is not read", e)
	}
	if len(data) < 4 || uint64(binary.LittleEndian.Uint32(data)) > uint64(len(data)-4) {
		return nil, nil, damaged("the levels of a page are cut off")
	}
	n := binary.LittleEndian.Uint32(data)
	return data[4 : 4+n], data[4+n:], nil
}

// second reads a data page of version 2: levels stand before what is compressed.
func (d *decoder) second(h *format.PageHeader, body []byte) error {
	of := &h.DataPageHeaderV2.V
	n, err := d.claim(of.NumValues)
	if err != nil {
		return err
	}
	reps, defs := int64(of.RepetitionLevelsByteLength), int64(of.DefinitionLevelsByteLength)
	levels := reps + defs
	if reps < 0 || defs < 0 || levels > int64(len(body)) || levels > int64(h.UncompressedPageSize) {
		return damaged("the levels of a page are cut off")
	}
	isPacked := !of.IsCompressed.Valid || of.IsCompressed.V
	data, err := d.plain(body[levels:], int(int64(h.UncompressedPageSize)-levels), isPacked, d.isInBlob(of.Encoding))
	if err != nil {
		return err
	}
	return d.take(of.Encoding, body[:reps], body[reps:levels], data, n)
}

// take decodes n levels, and the values that they say are there.
func (d *decoder) take(e format.Encoding, reps, defs, data []byte, n int) (err error) {
	from, there := len(d.defs), n
	if d.most.rep > 0 {
		if d.reps, err = appendLevels(d.reps, reps, n, d.most.rep); err != nil {
			return err
		}
		if len(d.reps) > 0 && d.reps[0] != 0 {
			return damaged("the first row begins in the middle of a list")
		}
	}
	if d.most.def > 0 {
		if d.defs, err = appendLevels(d.defs, defs, n, d.most.def); err != nil {
			return err
		}
		there = bytes.Count(d.defs[from:], []byte{d.most.def})
	}
	return d.appendPage(e, data, there, d.physical, d.dict)
}
