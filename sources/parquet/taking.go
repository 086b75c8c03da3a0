package parquet

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/parquet-go/parquet-go/format"
)

// oldDictionary is what old writers call the encoding of a dictionary, and that of the
// places in it.
const oldDictionary format.Encoding = 2

// A taking is the values of a page, which are decoded a stretch after another: the page
// may claim any number of them.
type taking struct {
	encoding format.Encoding
	physical format.Type
	count    int     // of the page
	taken    int     // values
	data     []byte  // what is not decoded
	base     int     // where data begins in the blob, where values stay there
	dict     *values // of places
	runs     runs    // of places, and of bools
	deltas   *deltas // integers, lengths, or how much is shared with the value before
	own      *deltas // how many bytes follow those that are shared
	last     []byte  // the value before
	shared   []uint32
	sizes    []uint32
	size     int    // of the page
	written  uint64 // bytes of all values with what they share
}

// newTaking begins the n values of a page. Where they stay in the blob, data is its end.
func (v *values) newTaking(e format.Encoding, data []byte, n int, physical format.Type, dict *values) (t taking, err error) {
	isInt := physical == format.Int32 || physical == format.Int64
	t = taking{encoding: e, physical: physical, count: n, data: data, size: len(data), base: len(v.blob) - len(data), dict: dict}
	switch {
	case e == format.Plain:
		return t, nil
	case e == oldDictionary || e == format.RLEDictionary:
		return t, t.beginPlaces()
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
		t.deltas, t.data, err = cutDeltas(data, n)
		return t, err
	case e == format.DeltaByteArray && (v.width == 0 || physical == format.FixedLenByteArray):
		if t.deltas, t.data, err = cutDeltas(data, n); err == nil {
			t.own, t.data, err = cutDeltas(t.data, n)
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

func (t *taking) beginPlaces() error {
	if t.dict == nil {
		return damaged("a page refers to a dictionary, and there is none before it")
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

// cutDeltas reads the head of n deltas, and returns what follows them.
func cutDeltas(data []byte, n int) (d *deltas, rest []byte, err error) {
	if d, err = newDeltas(data, n); err == nil {
		rest, err = d.rest()
	}
	return d, rest, err
}

// take appends the next n values to v.
func (t *taking) take(v *values, n int) (err error) {
	if n > t.count-t.taken {
		return errShort
	}
	switch {
	case t.encoding == format.Plain && t.physical == format.Boolean:
		err = t.takeBits(v, n)
	case t.encoding == format.Plain:
		left := len(t.data)
		t.data, err = v.appendPlain(t.data, n, t.base)
		t.base += left - len(t.data)
	case t.encoding == format.RLE:
		v.fixed, err = t.runs.appendLevels(v.fixed, n, 1)
	case t.encoding == format.DeltaBinaryPacked:
		err = t.takeDeltas(v, n)
	case t.encoding == format.DeltaLengthByteArray:
		err = t.takeSized(v, n)
	case t.encoding == format.DeltaByteArray:
		err = t.takePrefixed(v, n)
	case t.encoding == format.ByteStreamSplit:
		t.takeSplit(v, n)
	default:
		err = v.appendPlaces(&t.runs, n, t.dict)
	}
	t.taken += n
	return err
}

// takeBits takes bools of a bit each.
func (t *taking) takeBits(v *values, n int) error {
	if n > len(t.data)*8-t.taken {
		return errShort
	}
	v.fixed = grown(v.fixed, n)
	for i := t.taken; i < t.taken+n; i++ {
		v.fixed = append(v.fixed, t.data[i/8]>>(i%8)&1)
	}
	return nil
}

// takeDeltas takes integers that are stored as deltas.
func (t *taking) takeDeltas(v *values, n int) error {
	if v.width == 4 {
		return t.deltas.each(n, func(x int64) { v.fixed = binary.LittleEndian.AppendUint32(v.fixed, uint32(x)) })
	}
	return t.deltas.each(n, func(x int64) { v.fixed = binary.LittleEndian.AppendUint64(v.fixed, uint64(x)) })
}

// lengths appends n lengths of byte arrays to list, which together have at most so many bytes.
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

// takeSized takes byte arrays whose lengths stand before all of them.
func (t *taking) takeSized(v *values, n int) (err error) {
	var sum uint64
	if t.sizes, sum, err = lengths(t.sizes[:0], t.deltas, n, uint64(len(t.data))); err != nil {
		return err
	}
	if uint64(len(v.blob))+sum > mostBlob {
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

var errBlob = unsupported("has more than 4 GiB of texts in a row group")

// mostWritten is how many bytes a short page of texts that share their beginnings may
// have when they are written out.
const mostWritten = 64 << 20

// takePrefixed takes byte arrays, each of which shares its beginning with the one
// before. Of a column of fixed width that is what each is.
func (t *taking) takePrefixed(v *values, n int) (err error) {
	var sum, more uint64
	if t.shared, sum, err = lengths(t.shared[:0], t.deltas, n, math.MaxUint32); err != nil {
		return err
	}
	if t.sizes, more, err = lengths(t.sizes[:0], t.own, n, uint64(len(t.data))); err != nil {
		return err
	}
	t.written += sum + more
	switch {
	case uint64(len(v.blob))+sum+more > mostBlob:
		return errBlob
	case t.written > max(mostWritten, usualRatio*uint64(t.size)):
		return unsupported("has a page of %d bytes whose texts are %d bytes when written out, because they begin alike", t.size, t.written)
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
	if t.taken+n < t.count {
		t.last = bytes.Clone(last) // which may move
	}
	return nil
}

// takeSplit takes values whose first bytes stand together, then their second ones, and
// so on.
func (t *taking) takeSplit(v *values, n int) {
	at := len(v.fixed)
	v.fixed = grown(v.fixed, n*v.width)[:at+n*v.width]
	for k := range v.width {
		from := k*t.count + t.taken
		stream, to := t.data[from:from+n], v.fixed[at+k:]
		for i, b := range stream {
			to[i*v.width] = b
		}
	}
}
