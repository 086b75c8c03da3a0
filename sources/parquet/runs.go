package parquet

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
)

// A runs reads small integers in Parquet's RLE and bit-packing hybrid encoding. It stores levels
// and dictionary indexes, all in the same bit width:
//
//	n<<1   value                    n times the value
//	n<<1|1 8·n values, packed       n groups of 8 values
type runs struct {
	data  []byte
	width uint
	left  int    // values left in the current run
	value uint32 // of a repeated run
	at    int    // of a packed run: bit offset of the next value in data
	isRun bool   // the current run repeats one value
}

var errRuns = damaged("a page has fewer levels or places in its dictionary than values")

// read fills dst with the next values.
func (r *runs) read(dst []uint32) error {
	for len(dst) > 0 {
		if r.left == 0 {
			if err := r.nextRun(); err != nil {
				return err
			}
		}
		n := min(len(dst), r.left)
		if r.isRun {
			for i := range dst[:n] {
				dst[i] = r.value
			}
		} else {
			r.at = unpackBits(dst[:n], r.data, r.at, r.width)
			if r.left == n {
				r.data, r.at = r.data[(r.at+7)/8:], 0
			}
		}
		r.left -= n
		dst = dst[n:]
	}
	return nil
}

// nextRun reads the header of the next run.
func (r *runs) nextRun() error {
	head, n := binary.Uvarint(r.data)
	if n <= 0 {
		return errRuns
	}
	r.data = r.data[n:]
	count := head >> 1
	const most = 1 << 32 // a page counts its values in 32 bits
	if count == 0 || count > most {
		return errRuns
	}
	if r.isRun = head&1 == 0; r.isRun {
		size := int(r.width+7) / 8
		if len(r.data) < size {
			return errRuns
		}
		var value [4]byte
		copy(value[:], r.data[:size])
		r.value, r.left, r.data = binary.LittleEndian.Uint32(value[:]), int(count), r.data[size:]
		return nil
	}
	// The padding of the last group may be missing.
	r.left, r.at = int(count)*8, 0
	if r.width > 0 {
		r.left = min(r.left, len(r.data)*8/int(r.width))
	}
	if r.left == 0 {
		return errRuns
	}
	return nil
}

// unpackBits unpacks len(dst) numbers of up to 32 bits from bit at on. It returns the bit after
// the last one. It panics if data is too short.
func unpackBits(dst []uint32, data []byte, at int, width uint) int {
	mask := uint64(1)<<width - 1
	i := 0
	for ; i < len(dst) && at/8+8 <= len(data); i++ {
		dst[i] = uint32(binary.LittleEndian.Uint64(data[at/8:]) >> (at & 7) & mask)
		at += int(width)
	}
	for ; i < len(dst); i++ {
		var last [8]byte
		copy(last[:], data[at/8:])
		dst[i] = uint32(binary.LittleEndian.Uint64(last[:]) >> (at & 7) & mask)
		at += int(width)
	}
	return at
}

// newLevels returns a reader of levels up to maxLevel.
func newLevels(data []byte, maxLevel uint8) runs {
	return runs{data: data, width: uint(bits.Len8(maxLevel))}
}

// appendLevels appends n levels. A level above maxLevel is an error.
func (r *runs) appendLevels(dst []byte, n int, maxLevel uint8) ([]byte, error) {
	for n > 0 {
		if r.left == 0 {
			if err := r.nextRun(); err != nil {
				return dst, err
			}
		}
		if r.isRun {
			count := min(n, r.left)
			if r.value > uint32(maxLevel) {
				return dst, damaged("a level is %d; expected at most %d", r.value, maxLevel)
			}
			dst = appendRepeated(dst, byte(r.value), count)
			r.left, n = r.left-count, n-count
			continue
		}
		var block [256]uint32
		part := block[:min(n, r.left, len(block))]
		if err := r.read(part); err != nil {
			return dst, err
		}
		for _, x := range part {
			if x > uint32(maxLevel) {
				return dst, damaged("a level is %d; expected at most %d", x, maxLevel)
			}
			dst = append(dst, byte(x))
		}
		n -= len(part)
	}
	return dst, nil
}

// countLevels returns how many of the next n definition levels are the maximum level. It reads a copy
// of the runs.
func (r runs) countLevels(n int, maxLevel uint8) (count int, err error) {
	if maxLevel == 0 {
		return n, nil
	}
	var block [1024]byte
	for n > 0 {
		part, err := r.appendLevels(block[:0], min(n, len(block)), maxLevel)
		if err != nil {
			return 0, err
		}
		count, n = count+bytes.Count(part, []byte{maxLevel}), n-len(part)
	}
	return count, nil
}

// appendRepeated appends n copies of a byte.
func appendRepeated(dst []byte, b byte, n int) []byte {
	dst = slices.Grow(dst, n)
	more := dst[len(dst) : len(dst)+n]
	for i := range more {
		more[i] = b
	}
	return dst[:len(dst)+n]
}
