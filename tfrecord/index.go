package tfrecord

import (
	"encoding/binary"
	"strconv"
)

// AppendIndex appends to dst the index lines of the records in frames, as [AppendIndexLine]
// writes them. frames are whole records of a TFRecord file that is not compressed, and
// stand at off in it.
func AppendIndex(dst, frames []byte, off int64) []byte {
	for len(frames) > 0 {
		size := headerSize + int64(binary.LittleEndian.Uint64(frames)) + footerSize
		dst = AppendIndexLine(dst, off, size)
		frames, off = frames[size:], off+size
	}
	return dst
}

// AppendIndexLine appends the line of a record to an index, the text that DALI and the
// PyTorch package tfrecord read beside a file: where the record begins in the file, and its
// size with length and checksums.
//
//	0 100
//	100 100
func AppendIndexLine(dst []byte, off, size int64) []byte {
	dst = append(strconv.AppendInt(dst, off, 10), ' ')
	return append(strconv.AppendInt(dst, size, 10), '\n')
}
