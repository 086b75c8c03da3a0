package parquet

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go/format"

	"tfr-build/sources/compress"
)

// oldDictionary is PLAIN_DICTIONARY, which old writers use for a dictionary and for the indexes
// in it.
const oldDictionary format.Encoding = 2

// A valueDecoder decodes the values of a page in batches, because a short page may have any number
// of equal values. Other encodings than PLAIN and runs are decoded when the page begins, to PLAIN
// or to byte arrays in the blob.
type valueDecoder struct {
	encoding format.Encoding // PLAIN for values that are decoded when the page begins
	physical format.Type
	count    int     // values of the page
	decoded  int     // values that are decoded
	data     []byte  // bytes that are not decoded
	base     int     // offset of data in the blob, if the values are in the blob
	dict     *values // dictionary of the indexes
	runs     runs    // dictionary indexes, or bools
	views    []view  // byte arrays whose lengths are stored before them
}

// newValueDecoder begins the n values of a page. If the values are in the blob, data is the end
// of the blob.
func (v *values) newValueDecoder(e format.Encoding, data []byte, n int, physical format.Type,
	dict *values) (t valueDecoder, err error) {
	isInt := physical == format.Int32 || physical == format.Int64
	t = valueDecoder{encoding: e, physical: physical, count: n, data: data, base: len(v.blob) - len(data), dict: dict}
	switch {
	case e == format.Plain:
		return t, nil
	case e == oldDictionary || e == format.RLEDictionary:
		return t, t.beginIndexes()
	case e == format.RLE && physical == format.Boolean:
		data, _, ok := cutSized(data)
		if !ok {
			return t, errShort
		}
		t.runs = runs{data: data, width: 1}
		return t, nil
	case e == format.DeltaBinaryPacked && isInt:
		t.encoding = format.Plain
		t.data, _, err = decodeDeltas(data, n, v.width)
		return t, err
	case e == format.DeltaLengthByteArray && v.width == 0:
		return t, t.beginLengths(v)
	case e == format.DeltaByteArray && (v.width == 0 || physical == format.FixedLenByteArray):
		return t, t.beginPrefixes(v)
	case e == format.ByteStreamSplit && v.width > 0 && physical != format.Boolean && physical != format.Int96:
		if n > len(data)/v.width {
			return t, errShort
		}
		t.encoding, t.data = format.Plain, joinStreams(data, n, v.width)
		return t, nil
	}
	return t, unsupported("values of the type %s are encoded as %s, which is not read", physical, e)
}

func (t *valueDecoder) beginIndexes() error {
	if t.dict == nil {
		return damaged("a page refers to a dictionary, which is missing before it")
	}
	if t.count == 0 {
		return nil
	}
	if len(t.data) == 0 || t.data[0] > 32 {
		return errRuns
	}
	t.runs = runs{data: t.data[1:], width: uint(t.data[0])}
	return nil
}

// decode appends the next n values to v.
func (t *valueDecoder) decode(v *values, n int) (err error) {
	if n > t.count-t.decoded {
		return errShort
	}
	switch {
	case t.encoding == format.Plain && t.physical == format.Boolean:
		err = t.decodeBools(v, n)
	case t.encoding == format.Plain:
		left := len(t.data)
		t.data, err = v.appendPlain(t.data, n, t.base)
		t.base += left - len(t.data)
	case t.encoding == format.RLE:
		v.fixed, err = t.runs.appendLevels(v.fixed, n, 1)
	case t.views != nil:
		v.views, t.views = append(v.views, t.views[:n]...), t.views[n:]
	default:
		err = v.appendIndexed(&t.runs, n, t.dict)
	}
	t.decoded += n
	return err
}

// decodeBools decodes bools of one bit each.
func (t *valueDecoder) decodeBools(v *values, n int) error {
	if n > len(t.data)*8-t.decoded {
		return errShort
	}
	v.fixed = slices.Grow(v.fixed, n)
	for i := t.decoded; i < t.decoded+n; i++ {
		v.fixed = append(v.fixed, t.data[i/8]>>(i%8)&1)
	}
	return nil
}

// decodeLengths decodes n lengths of byte arrays. It returns them, their sum, and the bytes after them.
func decodeLengths(data []byte, n int) (list []uint32, sum uint64, rest []byte, err error) {
	plain, rest, err := decodeDeltas(data, n, 4)
	if err != nil {
		return nil, 0, nil, err
	}
	list = make([]uint32, n)
	for i := range list {
		if list[i] = binary.LittleEndian.Uint32(plain[4*i:]); list[i] > math.MaxInt32 {
			return nil, 0, nil, errShort
		}
		sum += uint64(list[i])
	}
	return list, sum, rest, nil
}

// beginLengths begins byte arrays whose lengths are all stored before the first one. They are at the
// end of the blob.
func (t *valueDecoder) beginLengths(v *values) error {
	sizes, sum, rest, err := decodeLengths(t.data, t.count)
	if err == nil && sum > uint64(len(rest)) {
		err = errShort
	}
	at := len(v.blob) - len(rest)
	t.views = make([]view, len(sizes))
	for i, size := range sizes {
		t.views[i] = view{uint32(at), size}
		at += int(size)
	}
	return err
}

var errBlob = unsupported("has more than 4 GiB of strings in a row group")

// beginPrefixes begins byte arrays, each stored as the length of the prefix it shares with the
// previous one and a suffix. In a column of fixed width, each value must have that width.
func (t *valueDecoder) beginPrefixes(v *values) error {
	shared, sum, rest, err := decodeLengths(t.data, t.count)
	if err != nil {
		return err
	}
	own, more, rest, err := decodeLengths(rest, t.count)
	switch sum += more; {
	case err != nil:
		return err
	case more > uint64(len(rest)):
		return errShort
	case uint64(len(v.blob))+sum > maxBlob:
		return errBlob
	}
	if err := checkExpanded(sum, t.data); err != nil {
		return err
	}
	var last, plain []byte
	if v.width == 0 {
		plain = v.blob
	}
	plain, t.views = slices.Grow(plain, int(sum)), make([]view, t.count)
	for i := range t.views {
		size := shared[i] + own[i]
		if int(shared[i]) > len(last) || v.width > 0 && int(size) != v.width {
			return errShort
		}
		t.views[i] = view{uint32(len(plain)), size}
		plain = append(append(plain, last[:shared[i]]...), rest[:own[i]]...)
		last, rest = plain[len(plain)-int(size):], rest[own[i]:]
	}
	if v.width == 0 {
		v.blob = plain
	} else {
		t.encoding, t.data = format.Plain, plain
	}
	return nil
}

// maxExpanded is how many bytes the values of a short page may have when they are decoded.
const maxExpanded = 64 << 20

// checkExpanded compares the size of a page's decoded values with the page.
func checkExpanded(size uint64, data []byte) error {
	if size > max(maxExpanded, compress.TrustedRatio*uint64(len(data))) {
		return unsupported("has a page of %d bytes whose values are %d bytes when decoded", len(data), size)
	}
	return nil
}

// joinStreams decodes n values that are stored as all their first bytes, then all their second
// bytes, and so on.
func joinStreams(data []byte, n, width int) []byte {
	plain := make([]byte, n*width)
	for k := range width {
		for i, b := range data[k*n : (k+1)*n] {
			plain[i*width+k] = b
		}
	}
	return plain
}
