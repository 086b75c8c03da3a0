package tfrecord

import (
	"encoding/binary"
	"fmt"
)

// A Compression is the compression of a file.
type Compression uint8

const (
	None Compression = iota // the file is records only
	Gzip                    // one or several gzip members
	Zlib                    // one zlib stream
)

var compressionNames = [...]string{None: "none", Gzip: "gzip", Zlib: "zlib"}

// String returns "none", "gzip", or "zlib".
func (c Compression) String() string {
	if int(c) < len(compressionNames) {
		return compressionNames[c]
	}
	return fmt.Sprintf("Compression(%d)", uint8(c))
}

// ParseCompression returns the Compression whose String is name, or an error.
func ParseCompression(name string) (Compression, error) {
	for c, n := range compressionNames {
		if n == name {
			return Compression(c), nil
		}
	}
	return None, fmt.Errorf("unknown compression %q; expected none, gzip or zlib", name)
}

// HeaderSize is the size of the header of a TFRecord record, in bytes: what Detect needs.
const HeaderSize = headerSize

// Detect returns the compression of a TFRecord file. head is its first HeaderSize bytes, or the
// complete file if it is shorter. The result is None for any file that is neither gzip nor zlib,
// even if it has no records.
func Detect(head []byte) Compression {
	switch {
	case IsRecord(head):
		return None // its length may look like the magic number of zlib
	case len(head) >= 3 && head[0] == 0x1f && head[1] == 0x8b && head[2] == 8:
		return Gzip
	// RFC 1950: deflate, a window of at most 32 KiB, no dictionary, and the check of both bytes.
	case len(head) >= 2 && head[0]&0x0f == 8 && head[0]>>4 <= 7 && head[1]&0x20 == 0 &&
		binary.BigEndian.Uint16(head)%31 == 0:
		return Zlib
	}
	return None
}

// IsRecord reports whether head begins with the header of a TFRecord record: a length and its valid
// checksum.
func IsRecord(head []byte) bool {
	return len(head) >= headerSize &&
		lengthChecksum(binary.LittleEndian.Uint64(head)) == binary.LittleEndian.Uint32(head[8:])
}
