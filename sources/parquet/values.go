package parquet

import (
	"encoding/binary"
	"math"
	"slices"
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

// unread is where a byte array is said to lie that was not decompressed, for it is longer
// than a row may be.
const unread = math.MaxUint32

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

// appendPlain appends n values that stand in data as they are, and returns what follows
// them. Byte arrays stay where they are, from an offset of the blob on.
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

var errPlace = damaged("a value is said to stand in a dictionary that does not have it")

// appendPlaces appends n values by their places in a dictionary.
func (v *values) appendPlaces(r *runs, n int, dict *values) error {
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

// move copies a value to where another is, and tells how long it is.
func (v *values) move(to, from int) (size int) {
	if v.width > 0 {
		copy(v.fixed[to*v.width:(to+1)*v.width], v.fixed[from*v.width:])
		return v.width
	}
	v.views[to] = v.views[from]
	return int(v.views[to].size)
}

// shorten leaves the first n values.
func (v *values) shorten(n int) {
	if v.width > 0 {
		v.fixed = v.fixed[:n*v.width]
		return
	}
	v.views = v.views[:n]
}
