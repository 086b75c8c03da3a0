package webdataset

import (
	"encoding/binary"

	"tfr-build/internal/tarfile"
)

// AppendIndex appends the index of complete records, which are at offset off of an archive, as Megatron Energon reads
// it: where the first record begins, and where each record ends, as little-endian numbers of 8 bytes.
func AppendIndex(dst, records []byte, off int64) []byte {
	if off == 0 && len(records) > 0 {
		dst = binary.LittleEndian.AppendUint64(dst, 0)
	}
	rows := newGrouper(0)
	rows.Partial = true
	rows.Start(&tarfile.Mapped{Data: records, Base: off})
	for {
		row, err := rows.Next()
		if err != nil { // io.EOF: reading memory has no other error
			return dst
		}
		dst = binary.LittleEndian.AppendUint64(dst, uint64(row.Offset+row.Size))
	}
}
