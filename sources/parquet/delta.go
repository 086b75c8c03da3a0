package parquet

import (
	"encoding/binary"

	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/encoding/delta"
)

// errDeltas is the error of deltas that end too early, or whose widths are invalid.
var errDeltas = damaged("the deltas of a page are cut off")

// maxBlock is the maximum number of values in a block that the library decodes.
const maxBlock = 1 << 16

// decodeDeltas decodes n integers of 4 or 8 bytes in DELTA_BINARY_PACKED, and returns them in PLAIN
// with the bytes after them.
func decodeDeltas(data []byte, n, width int) (plain, rest []byte, err error) {
	if rest, err = skipDeltas(data, n, width); err != nil {
		return nil, nil, err
	}
	var v encoding.Values
	if width == 4 {
		v, err = encoding.DecodeInt32(encoding.Int32Values(nil), data, new(delta.BinaryPackedEncoding))
	} else {
		v, err = encoding.DecodeInt64(encoding.Int64Values(nil), data, new(delta.BinaryPackedEncoding))
	}
	if err != nil {
		return nil, nil, damaged("the deltas of a page cannot be decoded: %v", err)
	}
	plain, _ = v.Data()
	return plain, rest, nil
}

// skipDeltas returns the bytes after n integers. The library allocates as many integers as the
// header claims, and reads missing bytes as zeros, so their structure is checked here:
//
//	block size | miniblocks per block | number of values | first value
//	minimum delta | bit width of each miniblock | miniblocks, packed less the minimum
//	…
func skipDeltas(data []byte, n, width int) (rest []byte, err error) {
	var header [4]uint64
	for i := range header {
		x, size := binary.Uvarint(data)
		if size <= 0 {
			return nil, errDeltas
		}
		header[i], data = x, data[size:]
	}
	block, parts, count := header[0], header[1], header[2]
	switch {
	case block > maxBlock || parts == 0 || parts > block/32 || block%parts != 0:
		return nil, damaged("the deltas of a page are in blocks of %d values with %d parts", block, parts)
	case count != uint64(n):
		return nil, damaged("a page has %d deltas, and claims %d values", count, n)
	}
	if err := checkExpanded(8*count, data); err != nil {
		return nil, err
	}
	for left := n - 1; left > 0; {
		_, size := binary.Uvarint(data)
		if size <= 0 || parts > uint64(len(data)-size) {
			return nil, errDeltas
		}
		widths := data[size:][:parts]
		data = data[size+int(parts):]
		for i := 0; i < len(widths) && left > 0; i++ {
			bits := int(widths[i])
			if size = int(block/parts) * bits / 8; bits > 8*width || size > len(data) {
				return nil, errDeltas
			}
			data, left = data[size:], left-int(block/parts)
		}
	}
	return data, nil
}
