package tfrecord

import (
	"encoding/binary"
	"strconv"
)

// AppendIndex appends an index line to dst for each record in frames, like [AppendIndexLine].
// frames are complete records at offset off of an uncompressed TFRecord file.
func AppendIndex(dst, frames []byte, off int64) []byte {
	for len(frames) > 0 {
		size := headerSize + int64(binary.LittleEndian.Uint64(frames)) + footerSize
		dst = AppendIndexLine(dst, off, size)
		frames, off = frames[size:], off+size
	}
	return dst
}

// AppendIndexLine appends the line of one record to an index. Indexes are text files that DALI and
// the PyTorch package tfrecord read. A line has the record's offset in the file, and its size
// including length and checksums.
//
//	0 100
//	100 100
func AppendIndexLine(dst []byte, off, size int64) []byte {
	dst = append(strconv.AppendInt(dst, off, 10), ' ')
	return append(strconv.AppendInt(dst, size, 10), '\n')
}
