package parquet

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go/format"

	"tfr-build/internal/plural"
)

// A decoder decodes the pages of a chunk into a block, a stretch of values after another.
type decoder struct {
	block
	chunk   *chunk
	pages   pages
	unpack  *unpacker
	limit   int  // bytes that a row may have
	stretch int  // values that are decoded at once
	cuts    bool // rows that are too long are cut
	dict    *values
	kept    int    // bytes of the blob that are the dictionary's
	used    int    // bytes of the blob that views refer to
	left    int64  // values of the pages to come
	page    []byte // decompressed, where it is not decoded where it lies

	todo    int  // values of the page at hand that are not decoded
	levels  runs // their definition levels
	repeats runs // their repetition levels
	begins  bool // none of them is decoded
	taking  taking
	inBlob  bool // the values of the page stay in the blob
	cost    int  // of the row at hand, where it is cut
}

// newDecoder decodes a chunk that in reads, whole pages at once.
func newDecoder(f *leaf, c *chunk, in io.Reader, u *unpacker, limit int) *decoder {
	const slack = 64 << 10 // some writers leave out the headers, or levels
	return &decoder{
		block: newBlock(f), chunk: c, unpack: u, left: c.values, limit: limit, stretch: math.MaxInt,
		pages: pages{in: in, left: c.size, plain: 2*c.plain + slack},
	}
}

// stretchValues is how many values are decoded at once where rows are read one after
// another.
const stretchValues = 1 << 16

// inStretches has next decode no more than a stretch, and keep of a row that is too long
// only as much as shows it.
func (d *decoder) inStretches() *decoder {
	d.stretch, d.cuts = stretchValues, d.most.rep > 0
	return d
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

// next decodes the next values; io.EOF follows the last.
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
			err = d.dictionary(h)
		case h.Type == format.DataPage && h.DataPageHeader.Valid:
			err = d.first(h)
		case h.Type == format.DataPageV2 && h.DataPageHeaderV2.Valid:
			err = d.second(h)
		case h.Type == format.IndexPage:
			err = d.pages.pass(h)
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
	return d.take(min(d.todo, d.stretch))
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
	if inBlob {
		d.blob = d.blob[:max(d.kept, d.used)]
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

// longValue is how long the only value of a page is, if it is a byte array that is longer
// than a row may be, by the header alone. Besides it there are levels of so many bytes.
func (d *decoder) longValue(plain, values int32, levels int, e format.Encoding) (size uint32, is bool) {
	const lengthOf, slack = 4, 32 // some writers pack levels, and deltas have heads
	if d.width > 0 || values != 1 || e != format.Plain && e != format.DeltaLengthByteArray && e != format.DeltaByteArray {
		return 0, false
	}
	rest := int64(plain) - lengthOf - int64(levels)
	return uint32(max(rest, 0)), rest-slack > int64(d.limit)
}

// levelsOfOne is how many bytes the levels of one value have in a page of version 1, of
// one kind: their number, and a run.
const levelsOfOne = 4 + 2

// dictionary reads the page of the dictionary.
func (d *decoder) dictionary(h *format.PageHeader) error {
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
		return d.pages.pass(h)
	}
	body, err := d.pages.take(h)
	if err != nil {
		return err
	}
	data, err := d.plain(body, int(h.UncompressedPageSize), true, d.width == 0)
	if err != nil {
		return err
	}
	if of.NumValues < 0 || int64(of.NumValues) > 8*int64(len(data)) {
		return damaged("a dictionary of %d bytes claims %d values", len(data), of.NumValues)
	}
	d.dict = &values{width: d.width, blob: d.blob}
	t, err := d.dict.newTaking(format.Plain, data, int(of.NumValues), d.physical, nil)
	if err == nil {
		err = t.take(d.dict, int(of.NumValues))
	}
	d.kept, d.used = len(d.blob), len(d.blob)
	return err
}

// long takes the only value of a page, which is too long to be read.
func (d *decoder) long(size uint32, rep byte) error {
	level, value := len(d.reps), d.values.count()
	if d.most.rep > 0 {
		d.reps = append(d.reps, rep)
	}
	if d.most.def > 0 {
		d.defs = append(d.defs, d.most.def)
	}
	d.views = append(d.views, view{unread, size})
	if d.cuts {
		d.cut(level, value)
	}
	return d.checkFirst()
}

// repeatOf is the repetition level of the only value of a page, whose levels data begins
// with; ok is false where there is none.
func (d *decoder) repeatOf(data []byte) (rep byte, ok bool) {
	if d.most.rep == 0 {
		return 0, true
	}
	levels := newLevels(data, d.most.rep)
	one, err := levels.appendLevels(nil, 1, d.most.rep)
	return append(one, 0)[0], err == nil
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
func (d *decoder) first(h *format.PageHeader) error {
	of := &h.DataPageHeader.V
	n, err := d.claim(of.NumValues)
	if err != nil {
		return err
	}
	levels := 0
	if d.most.def > 0 {
		levels = levelsOfOne
	}
	if d.most.rep > 0 {
		levels += levelsOfOne
	}
	size, isLong := d.longValue(h.UncompressedPageSize, of.NumValues, levels, of.Encoding)
	if isLong && d.most.rep == 0 {
		return cmp.Or(d.pages.pass(h), d.long(size, 0))
	}
	body, err := d.pages.take(h)
	if err != nil {
		return err
	}
	if isLong {
		begin := d.unpack.beginning(d.chunk.codec, body)
		if rep, ok := d.repeatOf(begin[min(4, len(begin)):]); ok {
			return d.long(size, rep)
		}
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
	return d.begin(of.Encoding, reps, defs, data, n)
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
func (d *decoder) second(h *format.PageHeader) error {
	of := &h.DataPageHeaderV2.V
	n, err := d.claim(of.NumValues)
	if err != nil {
		return err
	}
	reps, defs := int64(of.RepetitionLevelsByteLength), int64(of.DefinitionLevelsByteLength)
	levels := reps + defs
	if reps < 0 || defs < 0 || levels > int64(h.CompressedPageSize) || levels > int64(h.UncompressedPageSize) {
		return damaged("the levels of a page are cut off")
	}
	size, isLong := d.longValue(h.UncompressedPageSize, of.NumValues, int(levels), of.Encoding)
	if isLong && d.most.rep == 0 {
		return cmp.Or(d.pages.pass(h), d.long(size, 0))
	}
	body, err := d.pages.take(h)
	if err != nil {
		return err
	}
	if isLong {
		if rep, ok := d.repeatOf(body[:reps]); ok {
			return d.long(size, rep)
		}
	}
	isPacked := !of.IsCompressed.Valid || of.IsCompressed.V
	data, err := d.plain(body[levels:], int(int64(h.UncompressedPageSize)-levels), isPacked, d.isInBlob(of.Encoding))
	if err != nil {
		return err
	}
	return d.begin(of.Encoding, body[:reps], body[reps:levels], data, n)
}
