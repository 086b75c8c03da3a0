package parquet

import (
	"encoding/binary"
	"math"
	"slices"
)

// A values is the values of a column that are not null, in order. They have a fixed width, or are
// byte arrays, stored as views of a blob.
type values struct {
	width int
	fixed []byte
	views []view
	blob  []byte
}

// A view is the offset and the size of a byte array in the blob.
type view struct{ at, size uint32 }

// unread is the offset of a byte array that was not decompressed, because it is longer than a row
// may be.
const unread = math.MaxUint32

// at returns the i-th value.
func (v *values) at(i int) []byte {
	if v.width > 0 {
		return v.fixed[i*v.width : (i+1)*v.width]
	}
	w := v.views[i]
	return v.blob[w.at : uint64(w.at)+uint64(w.size)]
}

// count returns the number of values.
func (v *values) count() int {
	if v.width > 0 {
		return len(v.fixed) / v.width
	}
	return len(v.views)
}

var errShort = damaged("a page has fewer values than it claims")

// maxBlob is the maximum size of a blob in bytes.
const maxBlob = math.MaxUint32

// appendPlain appends n values in the PLAIN encoding, and returns the bytes after them. Byte
// arrays are not copied: data is in the blob, at offset base.
func (v *values) appendPlain(data []byte, n, base int) (rest []byte, err error) {
	if v.width > 0 {
		if n > len(data)/v.width {
			return nil, errShort
		}
		v.fixed = append(v.fixed, data[:n*v.width]...)
		return data[n*v.width:], nil
	}
	if n > len(data)/4 {
		return nil, errShort
	}
	v.views = slices.Grow(v.views, n)
	at := 0
	for ; n > 0; n-- {
		if len(data)-at < 4 {
			return nil, errShort
		}
		size := int(binary.LittleEndian.Uint32(data[at:]))
		if at += 4; size > len(data)-at {
			return nil, errShort
		}
		v.views = append(v.views, view{uint32(base + at), uint32(size)})
		at += size
	}
	return data[at:], nil
}

var errIndex = damaged("a value refers to an entry that the dictionary does not have")

// appendIndexed appends n values by their dictionary indexes.
func (v *values) appendIndexed(r *runs, n int, dict *values) error {
	count := uint32(dict.count())
	if v.width > 0 {
		v.fixed = slices.Grow(v.fixed, n*v.width)
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
			return errIndex
		}
		v.appendFromDictionary(part, dict)
		n -= len(part)
	}
	return nil
}

// appendFromDictionary appends the dictionary's values with the given indexes.
func (v *values) appendFromDictionary(positions []uint32, dict *values) {
	switch v.width {
	case 0:
		for _, p := range positions {
			v.views = append(v.views, dict.views[p])
		}
	case 8:
		at := len(v.fixed)
		v.fixed = v.fixed[:at+8*len(positions)]
		for i, p := range positions {
			binary.LittleEndian.PutUint64(v.fixed[at+8*i:], binary.LittleEndian.Uint64(dict.fixed[8*p:]))
		}
	default:
		for _, p := range positions {
			v.fixed = append(v.fixed, dict.at(int(p))...)
		}
	}
}

// spread moves values from their order to the index of their row. valid has a bit per row, set if
// the row has a value.
func (v *values) spread(valid []uint64, rows int) {
	from := v.count()
	if v.width > 0 {
		v.fixed = slices.Grow(v.fixed, (rows-from)*v.width)[:rows*v.width]
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

// move copies the value at index from to index to, and returns its size.
func (v *values) move(to, from int) (size int) {
	if v.width > 0 {
		copy(v.fixed[to*v.width:(to+1)*v.width], v.fixed[from*v.width:])
		return v.width
	}
	v.views[to] = v.views[from]
	return int(v.views[to].size)
}

// truncate keeps the first n values.
func (v *values) truncate(n int) {
	if v.width > 0 {
		v.fixed = v.fixed[:n*v.width]
		return
	}
	v.views = v.views[:n]
}
