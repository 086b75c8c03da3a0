package parquet

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go/format"
)

// Values are those of a column that are there, one after another: of a fixed width, or
// byte arrays as they lie in decompressed pages.
type values struct {
	width int
	fixed []byte
	views []view
	blob  []byte
}

// A view is where a byte array lies in the blob.
type view struct{ at, size uint32 }

// at is the i-th value.
func (v *values) at(i int) []byte {
	if v.width > 0 {
		return v.fixed[i*v.width : (i+1)*v.width]
	}
	w := v.views[i]
	return v.blob[w.at : uint64(w.at)+uint64(w.size)]
}

// count is how many values there are.
func (v *values) count() int {
	if v.width > 0 {
		return len(v.fixed) / v.width
	}
	return len(v.views)
}

// grown is dst with room for n bytes more.
func grown(dst []byte, n int) []byte { return slices.Grow(dst, n) }

var errShort = damaged("a page has fewer values than it claims")

// mostBlob is how long a blob may be.
const mostBlob = math.MaxUint32

// appendPlain appends n values that stand in data as they are. Where they are byte
// arrays, data is the end of the blob.
func (v *values) appendPlain(data []byte, n int, physical format.Type) error {
	switch {
	case physical == format.Boolean:
		if n > len(data)*8 {
			return errShort
		}
		v.fixed = grown(v.fixed, n)
		for i := range n {
			v.fixed = append(v.fixed, data[i/8]>>(i%8)&1)
		}
		return nil
	case v.width > 0:
		if n > len(data)/v.width {
			return errShort
		}
		v.fixed = append(v.fixed, data[:n*v.width]...)
		return nil
	}
	if n > len(data)/4 {
		return errShort
	}
	v.views = slices.Grow(v.views, n)
	base := len(v.blob) - len(data)
	for at := 0; n > 0; n-- {
		if len(data)-at < 4 {
			return errShort
		}
		size := int(binary.LittleEndian.Uint32(data[at:]))
		if at += 4; size > len(data)-at {
			return errShort
		}
		v.views = append(v.views, view{uint32(base + at), uint32(size)})
		at += size
	}
	return nil
}

// oldDictionary is what old writers call the encoding of a dictionary, and that of the
// places in it.
const oldDictionary format.Encoding = 2

var errPlace = damaged("a value is said to stand in a dictionary that does not have it")

// appendPlaces appends n values by their places in a dictionary.
func (v *values) appendPlaces(data []byte, n int, dict *values) error {
	if n == 0 {
		return nil
	}
	if len(data) == 0 || data[0] > 32 {
		return errRuns
	}
	r := runs{data: data[1:], width: uint(data[0])}
	count := uint32(dict.count())
	if v.width > 0 {
		v.fixed = grown(v.fixed, n*v.width)
	} else {
		v.views = slices.Grow(v.views, n)
	}
	var block [1024]uint32
	for n > 0 {
		part := block[:min(n, len(block))]
		if err := r.read(part); err != nil {
			return err
		}
		if slices.Max(part) >= count {
			return errPlace
		}
		v.gather(part, dict)
		n -= len(part)
	}
	return nil
}

// gather appends values of a dictionary.
func (v *values) gather(places []uint32, dict *values) {
	switch v.width {
	case 0:
		for _, p := range places {
			v.views = append(v.views, dict.views[p])
		}
	case 4:
		for _, p := range places {
			v.fixed = append(v.fixed, dict.fixed[4*p:4*p+4]...)
		}
	case 8:
		at := len(v.fixed)
		v.fixed = v.fixed[:at+8*len(places)]
		for i, p := range places {
			binary.LittleEndian.PutUint64(v.fixed[at+8*i:], binary.LittleEndian.Uint64(dict.fixed[8*p:]))
		}
	default:
		for _, p := range places {
			v.fixed = append(v.fixed, dict.at(int(p))...)
		}
	}
}

// appendBools appends n bools that are stored as runs.
func (v *values) appendBools(data []byte, n int) (err error) {
	if len(data) < 4 || uint64(binary.LittleEndian.Uint32(data)) > uint64(len(data)-4) {
		return errShort
	}
	v.fixed, err = appendLevels(v.fixed, data[4:4+binary.LittleEndian.Uint32(data)], n, 1)
	return err
}

// appendDeltas appends n integers that are stored as deltas.
func (v *values) appendDeltas(data []byte, n int) error {
	d, err := newDeltas(data, n)
	if err != nil {
		return err
	}
	if v.width == 4 {
		_, err = d.each(func(x int64) { v.fixed = binary.LittleEndian.AppendUint32(v.fixed, uint32(x)) })
	} else {
		_, err = d.each(func(x int64) { v.fixed = binary.LittleEndian.AppendUint64(v.fixed, uint64(x)) })
	}
	return err
}

// lengths reads n lengths of byte arrays, which together have at most so many bytes.
func lengths(data []byte, n int, most uint64) (list []uint32, sum uint64, rest []byte, err error) {
	d, err := newDeltas(data, n)
	if err != nil {
		return nil, 0, nil, err
	}
	isBad := false
	rest, err = d.each(func(x int64) {
		if x = int64(int32(x)); x < 0 {
			isBad = true
		}
		sum += uint64(uint32(x))
		list = append(list, uint32(x))
	})
	if err == nil && (isBad || sum > most) {
		err = errShort
	}
	return list, sum, rest, err
}

// appendLengths appends n byte arrays whose lengths stand before them.
func (v *values) appendLengths(data []byte, n int) error {
	list, _, rest, err := lengths(data, n, uint64(len(data)))
	if err != nil {
		return err
	}
	if uint64(len(v.blob)+len(rest)) > mostBlob {
		return errBlob
	}
	at := len(v.blob)
	v.blob = append(v.blob, rest...)
	for _, size := range list {
		if int(size) > len(v.blob)-at {
			return errShort
		}
		v.views = append(v.views, view{uint32(at), size})
		at += int(size)
	}
	return nil
}

var errBlob = unsupported("has more than 4 GiB of texts in a row group")

// mostWritten is how many bytes a short page of texts that share their beginnings may
// have when they are written out.
const mostWritten = 64 << 20

// appendPrefixed appends n byte arrays, each of which shares its beginning with the one
// before. Of a column of fixed width that is what each is.
func (v *values) appendPrefixed(data []byte, n int) error {
	shared, sum, rest, err := lengths(data, n, math.MaxUint32)
	if err != nil {
		return err
	}
	own, more, rest, err := lengths(rest, n, uint64(len(rest)))
	if err != nil {
		return err
	}
	switch {
	case uint64(len(v.blob))+sum+more > mostBlob:
		return errBlob
	case sum+more > max(mostWritten, usualRatio*uint64(len(data))):
		return unsupported("has a page of %d bytes whose texts are %d bytes when written out, because they begin alike", len(data), sum+more)
	}
	if v.width > 0 && sum+more != uint64(n)*uint64(v.width) {
		return errShort
	}
	if v.width == 0 {
		v.blob = grown(v.blob, int(sum+more))
	}
	var last []byte
	for i := range n {
		if int(shared[i]) > len(last) || int(own[i]) > len(rest) {
			return errShort
		}
		ends := rest[:own[i]]
		rest = rest[own[i]:]
		if v.width > 0 {
			if int(shared[i]+own[i]) != v.width {
				return errShort
			}
			v.fixed = append(append(v.fixed, last[:shared[i]]...), ends...)
			last = v.fixed[len(v.fixed)-v.width:]
			continue
		}
		at := len(v.blob)
		v.blob = append(append(v.blob, last[:shared[i]]...), ends...)
		last = v.blob[at:]
		v.views = append(v.views, view{uint32(at), uint32(len(last))})
	}
	return nil
}

// appendSplit appends n values whose first bytes stand together, then their second
// ones, and so on.
func (v *values) appendSplit(data []byte, n int) error {
	if n > len(data)/v.width {
		return errShort
	}
	if n == 0 {
		return nil
	}
	at := len(v.fixed)
	v.fixed = grown(v.fixed, n*v.width)[:at+n*v.width]
	for k := range v.width {
		stream, to := data[k*n:(k+1)*n], v.fixed[at+k:]
		for i, b := range stream {
			to[i*v.width] = b
		}
	}
	return nil
}

// appendPage appends the n values of a page. Where they are plain byte arrays, data is
// the end of the blob.
func (v *values) appendPage(e format.Encoding, data []byte, n int, physical format.Type, dict *values) error {
	isInt := physical == format.Int32 || physical == format.Int64
	switch {
	case e == format.Plain:
		return v.appendPlain(data, n, physical)
	case e == oldDictionary || e == format.RLEDictionary:
		if dict == nil {
			return damaged("a page refers to a dictionary, and there is none before it")
		}
		return v.appendPlaces(data, n, dict)
	case e == format.RLE && physical == format.Boolean:
		return v.appendBools(data, n)
	case e == format.DeltaBinaryPacked && isInt:
		return v.appendDeltas(data, n)
	case e == format.DeltaLengthByteArray && v.width == 0:
		return v.appendLengths(data, n)
	case e == format.DeltaByteArray && (v.width == 0 || physical == format.FixedLenByteArray):
		return v.appendPrefixed(data, n)
	case e == format.ByteStreamSplit && v.width > 0 && physical != format.Boolean && physical != format.Int96:
		return v.appendSplit(data, n)
	}
	return unsupported("values of the type %s are encoded as %s, which is not read", physical, e)
}

// spread moves values from their order to their rows, of which valid has a bit each
// that is set where there is one.
func (v *values) spread(valid []uint64, rows int) {
	from := v.count()
	if v.width > 0 {
		v.fixed = grown(v.fixed, (rows-from)*v.width)[:rows*v.width]
	} else {
		v.views = slices.Grow(v.views, rows-from)[:rows]
	}
	for to := rows - 1; to >= from; to-- {
		if valid[to/64]>>(to%64)&1 == 0 {
			continue
		}
		from--
		if v.width > 0 {
			copy(v.fixed[to*v.width:(to+1)*v.width], v.fixed[from*v.width:])
		} else {
			v.views[to] = v.views[from]
		}
	}
}
