package parquet

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/parquet-go/parquet-go/format"
)

// oldDictionary is PLAIN_DICTIONARY, which old writers use for a dictionary and for the indexes
// in it.
const oldDictionary format.Encoding = 2

// A valueDecoder decodes the values of a page in batches, because a page may claim any number of
// values.
type valueDecoder struct {
	encoding format.Encoding
	physical format.Type
	count    int     // values of the page
	decoded  int     // values that are decoded
	data     []byte  // bytes that are not decoded
	base     int     // offset of data in the blob, if the values are in the blob
	dict     *values // dictionary of the indexes
	runs     runs    // dictionary indexes, or bools
	deltas   *deltas // integers, lengths, or lengths of the prefix shared with the value before
	own      *deltas // lengths of the suffixes after the shared prefixes
	last     []byte  // the previous value
	shared   []uint32
	sizes    []uint32
	size     int    // bytes of the page
	expanded uint64 // bytes of all values including their shared prefixes
}

// newValueDecoder begins the n values of a page. If the values are in the blob, data is the end
// of the blob.
func (v *values) newValueDecoder(e format.Encoding, data []byte, n int, physical format.Type, dict *values) (t valueDecoder, err error) {
	isInt := physical == format.Int32 || physical == format.Int64
	t = valueDecoder{encoding: e, physical: physical, count: n, data: data, size: len(data), base: len(v.blob) - len(data), dict: dict}
	switch {
	case e == format.Plain:
		return t, nil
	case e == oldDictionary || e == format.RLEDictionary:
		return t, t.beginIndexes()
	case e == format.RLE && physical == format.Boolean:
		if len(data) < 4 || uint64(binary.LittleEndian.Uint32(data)) > uint64(len(data)-4) {
			return t, errShort
		}
		t.runs = runs{data: data[4 : 4+binary.LittleEndian.Uint32(data)], width: 1}
		return t, nil
	case e == format.DeltaBinaryPacked && isInt:
		t.deltas, err = newDeltas(data, n)
		return t, err
	case e == format.DeltaLengthByteArray && v.width == 0:
		t.deltas, t.data, err = splitDeltas(data, n)
		return t, err
	case e == format.DeltaByteArray && (v.width == 0 || physical == format.FixedLenByteArray):
		if t.deltas, t.data, err = splitDeltas(data, n); err == nil {
			t.own, t.data, err = splitDeltas(t.data, n)
		}
		return t, err
	case e == format.ByteStreamSplit && v.width > 0 && physical != format.Boolean && physical != format.Int96:
		if n > len(data)/v.width {
			return t, errShort
		}
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

// splitDeltas reads the header of n deltas, and returns the bytes after the deltas.
func splitDeltas(data []byte, n int) (d *deltas, rest []byte, err error) {
	if d, err = newDeltas(data, n); err == nil {
		rest, err = d.rest()
	}
	return d, rest, err
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
	case t.encoding == format.DeltaBinaryPacked:
		err = t.decodeIntegers(v, n)
	case t.encoding == format.DeltaLengthByteArray:
		err = t.decodeDeltaLength(v, n)
	case t.encoding == format.DeltaByteArray:
		err = t.decodeDeltaByteArray(v, n)
	case t.encoding == format.ByteStreamSplit:
		t.decodeByteStreamSplit(v, n)
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
	v.fixed = grown(v.fixed, n)
	for i := t.decoded; i < t.decoded+n; i++ {
		v.fixed = append(v.fixed, t.data[i/8]>>(i%8)&1)
	}
	return nil
}

// decodeIntegers decodes integers that are stored as deltas.
func (t *valueDecoder) decodeIntegers(v *values, n int) error {
	if v.width == 4 {
		return t.deltas.each(n, func(x int64) { v.fixed = binary.LittleEndian.AppendUint32(v.fixed, uint32(x)) })
	}
	return t.deltas.each(n, func(x int64) { v.fixed = binary.LittleEndian.AppendUint64(v.fixed, uint64(x)) })
}

// lengths appends the next n lengths of byte arrays to list. It is an error if they add up to
// more than most bytes.
func lengths(list []uint32, d *deltas, n int, most uint64) (_ []uint32, sum uint64, err error) {
	isBad := false
	err = d.each(n, func(x int64) {
		if x = int64(int32(x)); x < 0 {
			isBad = true
		}
		sum += uint64(uint32(x))
		list = append(list, uint32(x))
	})
	if err == nil && (isBad || sum > most) {
		err = errShort
	}
	return list, sum, err
}

// decodeDeltaLength decodes byte arrays whose lengths are all stored before the first one.
func (t *valueDecoder) decodeDeltaLength(v *values, n int) (err error) {
	var sum uint64
	if t.sizes, sum, err = lengths(t.sizes[:0], t.deltas, n, uint64(len(t.data))); err != nil {
		return err
	}
	if uint64(len(v.blob))+sum > maxBlob {
		return errBlob
	}
	at := len(v.blob)
	v.blob = append(v.blob, t.data[:sum]...)
	t.data = t.data[sum:]
	for _, size := range t.sizes {
		v.views = append(v.views, view{uint32(at), size})
		at += int(size)
	}
	return nil
}

var errBlob = unsupported("has more than 4 GiB of strings in a row group")

// maxExpanded is how many bytes the byte arrays of a short page may have with their shared
// prefixes.
const maxExpanded = 64 << 20

// decodeDeltaByteArray decodes byte arrays, each stored as the length of the prefix it shares
// with the previous one and a suffix. In a column of fixed width, each value must have that
// width.
func (t *valueDecoder) decodeDeltaByteArray(v *values, n int) (err error) {
	var sum, more uint64
	if t.shared, sum, err = lengths(t.shared[:0], t.deltas, n, math.MaxUint32); err != nil {
		return err
	}
	if t.sizes, more, err = lengths(t.sizes[:0], t.own, n, uint64(len(t.data))); err != nil {
		return err
	}
	t.expanded += sum + more
	switch {
	case uint64(len(v.blob))+sum+more > maxBlob:
		return errBlob
	case t.expanded > max(maxExpanded, trustedRatio*uint64(t.size)):
		return unsupported("has a page of %d bytes whose strings are %d bytes when decoded, because they begin alike", t.size, t.expanded)
	case v.width > 0 && sum+more != uint64(n)*uint64(v.width):
		return errShort
	case v.width == 0:
		v.blob = grown(v.blob, int(sum+more))
	}
	last := t.last
	for i := range n {
		shared, own := int(t.shared[i]), int(t.sizes[i])
		if shared > len(last) || own > len(t.data) {
			return errShort
		}
		ends := t.data[:own]
		t.data = t.data[own:]
		if v.width > 0 {
			if shared+own != v.width {
				return errShort
			}
			v.fixed = append(append(v.fixed, last[:shared]...), ends...)
			last = v.fixed[len(v.fixed)-v.width:]
			continue
		}
		at := len(v.blob)
		v.blob = append(append(v.blob, last[:shared]...), ends...)
		last = v.blob[at:]
		v.views = append(v.views, view{uint32(at), uint32(len(last))})
	}
	if t.decoded+n < t.count {
		t.last = bytes.Clone(last) // later appends may move the values
	}
	return nil
}

// decodeByteStreamSplit decodes values that are stored as all their first bytes, then all their
// second bytes, and so on.
func (t *valueDecoder) decodeByteStreamSplit(v *values, n int) {
	if n == 0 { // a batch of nulls
		return
	}
	at := len(v.fixed)
	v.fixed = grown(v.fixed, n*v.width)[:at+n*v.width]
	for k := range v.width {
		from := k*t.count + t.decoded
		stream, to := t.data[from:from+n], v.fixed[at+k:]
		for i, b := range stream {
			to[i*v.width] = b
		}
	}
}
