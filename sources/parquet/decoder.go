package parquet

import (
	"cmp"
	"encoding/binary"
	"io"
	"math"

	"github.com/parquet-go/parquet-go/format"

	"tfr-build/internal/plural"
	"tfr-build/sources/input"
)

// A decoder decodes the pages of a chunk into a block, one batch of values at a time.
type decoder struct {
	block
	chunk     *chunk
	pages     pages
	decomp    *decompressor
	limit     int  // maximum bytes of a row
	batch     int  // maximum values of a batch
	truncates bool // rows that exceed the limit are truncated
	dict      *values
	kept      int    // bytes of the dictionary, at the start of the blob
	used      int    // end of the blob's bytes that views refer to
	left      int64  // values of the pages that are not begun
	page      []byte // decompressed page, unless it is decoded where it is

	todo        int  // values of the current page that are not decoded
	levels      runs // definition levels of the page
	repeats     runs // repetition levels of the page
	atPageStart bool // no value of the page is decoded yet
	pageValues  valueDecoder
	inBlob      bool // the page's values are in the blob
	cost        int  // bytes of the current row so far, if rows are truncated
}

// newDecoder returns a decoder of the chunk that in reads. By default a batch is a complete page.
func newDecoder(f *leaf, c *chunk, in io.Reader, u *decompressor, limit int) *decoder {
	const slack = 64 << 10 // some writers do not count the page headers, or the levels
	return &decoder{
		block: newBlock(f), chunk: c, decomp: u, left: c.values, limit: limit, batch: math.MaxInt,
		pages: pages{in: in, left: c.size, plain: 2*c.plain + slack},
	}
}

// batchValues is the maximum number of values of a batch when rows are read in order.
const batchValues = 1 << 16

// inBatches limits the batches of next. Of a list that exceeds the row limit it keeps only enough
// values to show that it does.
func (d *decoder) inBatches() *decoder {
	d.batch, d.truncates = batchValues, d.max.rep > 0
	return d
}

// decodeAll decodes the complete chunk, which must have the given number of rows.
func (d *decoder) decodeAll(rows int64) error {
	for {
		err := d.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	d.finishRows()
	return d.checkRows(int64(d.rows), rows)
}

// checkRows compares the rows that were found in the chunk with those the footer claims.
func (d *decoder) checkRows(found, claimed int64) error {
	if found != claimed {
		return input.Damaged("PARQUET_ROWS", "has %d rows, and the footer claims %d", found, claimed)
	}
	return nil
}

// next decodes the next batch, or returns io.EOF after the last one.
func (d *decoder) next() error {
	for d.todo == 0 {
		h, err := d.pages.header()
		if err == io.EOF && d.left > 0 {
			return damaged("has %s fewer than the footer claims", plural.Of(d.left, "value"))
		}
		if err != nil {
			return err
		}
		switch {
		case h.Type == format.DictionaryPage && h.DictionaryPageHeader.Valid:
			err = d.readDictionary(h)
		case h.Type == format.DataPage && h.DataPageHeader.Valid:
			err = d.readPageV1(h)
		case h.Type == format.DataPageV2 && h.DataPageHeaderV2.Valid:
			err = d.readPageV2(h)
		case h.Type == format.IndexPage:
			err = d.pages.skipBody(h)
		default:
			err = damaged("a page is of the type %d, or its header lacks what pages of it have", h.Type)
		}
		if err != nil {
			return err
		}
		if h.Type != format.DictionaryPage && h.Type != format.IndexPage && d.todo == 0 {
			return nil // a page without values, or one whose only value is too long
		}
	}
	return d.decodeBatch(min(d.todo, d.batch))
}

// decompressPage returns a page's decompressed bytes. With inBlob they are at the end of the blob.
func (d *decoder) decompressPage(packed []byte, size int, isPacked, inBlob bool) ([]byte, error) {
	d.blob = d.blob[:max(d.kept, d.used)]
	if !isPacked || d.chunk.codec == format.Uncompressed {
		if len(packed) != size {
			return nil, damaged("a page has %d bytes, and claims %d", len(packed), size)
		}
		if !inBlob {
			return packed, nil
		}
	}
	to := &d.page
	d.page = d.page[:0]
	if inBlob {
		to = &d.blob
	}
	from := len(*to)
	if inBlob && uint64(from)+uint64(size) > maxBlob {
		return nil, errBlob
	}
	var err error
	if !isPacked || d.chunk.codec == format.Uncompressed {
		*to = append(*to, packed...)
	} else if size > 0 || len(packed) > 0 {
		*to, err = d.decomp.decompress(*to, d.chunk.codec, packed, size)
	}
	return (*to)[from:], err
}

// isInBlob reports whether the page is decompressed to the blob, where its values stay.
func (d *decoder) isInBlob(e format.Encoding) bool {
	return d.width == 0 && (e == format.Plain || e == format.DeltaLengthByteArray)
}

// longValue returns the size of a page's only value, if it is a byte array that exceeds the row
// limit. It uses the header alone. levels is the size of the page's levels in bytes.
func (d *decoder) longValue(plain, values int32, levels int, e format.Encoding) (size uint32, is bool) {
	const lengthOf, slack = 4, 32 // some writers pack levels, and deltas have headers
	if d.width > 0 || values != 1 || e != format.Plain && e != format.DeltaLengthByteArray &&
		e != format.DeltaByteArray {
		return 0, false
	}
	rest := int64(plain) - lengthOf - int64(levels)
	return uint32(max(rest, 0)), rest-slack > int64(d.limit)
}

// levelsOfOne is the size in bytes of a value's repetition or definition levels, alone in a page
// of version 1: their length, and a run.
const levelsOfOne = 4 + 2

// readDictionary reads the dictionary page.
func (d *decoder) readDictionary(h *format.PageHeader) error {
	of := &h.DictionaryPageHeader.V
	switch {
	case d.dict != nil:
		return damaged("has a second dictionary")
	case d.left != d.chunk.values:
		return damaged("has a dictionary after its first page")
	case of.Encoding != format.Plain && of.Encoding != oldDictionary:
		return unsupported("has a dictionary that is encoded as %s", of.Encoding)
	}
	if size, is := d.longValue(h.UncompressedPageSize, of.NumValues, 0, format.Plain); is {
		d.dict = &values{views: []view{{unread, size}}}
		return d.pages.skipBody(h)
	}
	body, err := d.pages.readBody(h)
	if err != nil {
		return err
	}
	data, err := d.decompressPage(body, int(h.UncompressedPageSize), true, d.width == 0)
	if err != nil {
		return err
	}
	if of.NumValues < 0 || int64(of.NumValues) > 8*int64(len(data)) {
		return damaged("a dictionary of %d bytes claims %d values", len(data), of.NumValues)
	}
	d.dict = &values{width: d.width, blob: d.blob}
	t, err := d.dict.newValueDecoder(format.Plain, data, int(of.NumValues), d.physical, nil)
	if err == nil {
		err = t.decode(d.dict, int(of.NumValues))
	}
	d.kept, d.used = len(d.blob), len(d.blob)
	return err
}

// addLongValue adds the only value of a page, which is too long to be read, by its size.
func (d *decoder) addLongValue(size uint32, rep byte) error {
	level, value := len(d.reps), d.values.count()
	if d.max.rep > 0 {
		d.reps = append(d.reps, rep)
	}
	if d.max.def > 0 {
		d.defs = append(d.defs, d.max.def)
	}
	d.views = append(d.views, view{unread, size})
	if d.truncates {
		d.truncateRows(level, value)
	}
	return d.checkFirst()
}

// repetitionLevel returns the repetition level of a page's only value. data begins with the
// levels. ok is false if it has none.
func (d *decoder) repetitionLevel(data []byte) (rep byte, ok bool) {
	if d.max.rep == 0 {
		return 0, true
	}
	levels := newLevels(data, d.max.rep)
	one, err := levels.appendLevels(nil, 1, d.max.rep)
	return append(one, 0)[0], err == nil
}

// claimValues subtracts the values of a page from those that are left in the chunk.
func (d *decoder) claimValues(n int32) (int, error) {
	if n < 0 || int64(n) > d.left {
		return 0, damaged("a page claims %d values, and the footer %d for it and those after it", n, d.left)
	}
	if len(d.lists) > 0 && uint64(len(d.reps))+uint64(n) > math.MaxUint32 {
		return 0, unsupported("has more than 2^32 values in a row group")
	}
	d.left -= int64(n)
	return int(n), nil
}

// readPageV1 reads a data page of version 1: levels and values are compressed together.
func (d *decoder) readPageV1(h *format.PageHeader) error {
	of := &h.DataPageHeader.V
	n, err := d.claimValues(of.NumValues)
	if err != nil {
		return err
	}
	levels := 0
	if d.max.def > 0 {
		levels = levelsOfOne
	}
	if d.max.rep > 0 {
		levels += levelsOfOne
	}
	size, isLong := d.longValue(h.UncompressedPageSize, of.NumValues, levels, of.Encoding)
	if isLong && d.max.rep == 0 {
		return cmp.Or(d.pages.skipBody(h), d.addLongValue(size, 0))
	}
	body, err := d.pages.readBody(h)
	if err != nil {
		return err
	}
	if isLong {
		begin := d.decomp.readBeginning(d.chunk.codec, body)
		if rep, ok := d.repetitionLevel(begin[min(4, len(begin)):]); ok {
			return d.addLongValue(size, rep)
		}
	}
	data, err := d.decompressPage(body, int(h.UncompressedPageSize), true, d.isInBlob(of.Encoding))
	if err != nil {
		return err
	}
	var reps, defs []byte
	if d.max.rep > 0 {
		if reps, data, err = splitLevels(data, of.RepetitionLevelEncoding); err != nil {
			return err
		}
	}
	if d.max.def > 0 {
		if defs, data, err = splitLevels(data, of.DefinitionLevelEncoding); err != nil {
			return err
		}
	}
	return d.beginPage(of.Encoding, reps, defs, data, n)
}

// splitLevels splits the levels off the beginning of a page of version 1.
func splitLevels(data []byte, e format.Encoding) (levels, rest []byte, err error) {
	if e != format.RLE {
		return nil, nil, unsupported("has levels that are encoded as %s, which is not read", e)
	}
	levels, rest, ok := cutSized(data)
	if !ok {
		return nil, nil, damaged("the levels of a page are cut off")
	}
	return levels, rest, nil
}

// cutSized cuts off bytes whose number is before them. ok is false if data has fewer.
func cutSized(data []byte) (part, rest []byte, ok bool) {
	if len(data) < 4 || uint64(binary.LittleEndian.Uint32(data)) > uint64(len(data)-4) {
		return nil, nil, false
	}
	end := 4 + int(binary.LittleEndian.Uint32(data))
	return data[4:end], data[end:], true
}

// readPageV2 reads a data page of version 2: the levels are before the compressed values.
func (d *decoder) readPageV2(h *format.PageHeader) error {
	of := &h.DataPageHeaderV2.V
	n, err := d.claimValues(of.NumValues)
	if err != nil {
		return err
	}
	reps, defs := int64(of.RepetitionLevelsByteLength), int64(of.DefinitionLevelsByteLength)
	levels := reps + defs
	if reps < 0 || defs < 0 || levels > int64(h.CompressedPageSize) || levels > int64(h.UncompressedPageSize) {
		return damaged("the levels of a page are cut off")
	}
	size, isLong := d.longValue(h.UncompressedPageSize, of.NumValues, int(levels), of.Encoding)
	if isLong && d.max.rep == 0 {
		return cmp.Or(d.pages.skipBody(h), d.addLongValue(size, 0))
	}
	body, err := d.pages.readBody(h)
	if err != nil {
		return err
	}
	if isLong {
		if rep, ok := d.repetitionLevel(body[:reps]); ok {
			return d.addLongValue(size, rep)
		}
	}
	isPacked := !of.IsCompressed.Valid || of.IsCompressed.V
	data, err := d.decompressPage(body[levels:], int(int64(h.UncompressedPageSize)-levels), isPacked,
		d.isInBlob(of.Encoding))
	if err != nil {
		return err
	}
	return d.beginPage(of.Encoding, body[:reps], body[reps:levels], data, n)
}
