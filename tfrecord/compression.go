package tfrecord

import (
	"encoding/binary"
	"fmt"
)

// A Compression says what surrounds the records of a file.
type Compression uint8

const (
	None Compression = iota // the file is records and nothing else
	Gzip                    // gzip members, one or several
	Zlib                    // one zlib stream
)

var compressionNames = [...]string{None: "none", Gzip: "gzip", Zlib: "zlib"}

// String returns "none", "gzip" or "zlib".
func (c Compression) String() string {
	if int(c) < len(compressionNames) {
		return compressionNames[c]
	}
	return fmt.Sprintf("Compression(%d)", uint8(c))
}

// ParseCompression returns the Compression that String calls name.
func ParseCompression(name string) (Compression, error) {
	for c, n := range compressionNames {
		if n == name {
			return Compression(c), nil
		}
	}
	return None, fmt.Errorf("unknown compression %q; expected none, gzip or zlib", name)
}

// HeadSize is how many of a file's first bytes tell what it is.
const HeadSize = headerSize

// Detect tells from the first HeadSize bytes of a file, or all if it has fewer,
// how it is compressed, if it is a TFRecord file. A file that is neither gzip nor zlib is None, whether
// it holds records or not.
func Detect(head []byte) Compression {
	switch {
	case IsRecord(head):
		return None // whose length may look like the magic number of zlib
	case len(head) >= 3 && head[0] == 0x1f && head[1] == 0x8b && head[2] == 8:
		return Gzip
	case len(head) >= 2 && head[0]&0x0f == 8 && head[0]>>4 <= 7 && head[1]&0x20 == 0 && binary.BigEndian.Uint16(head)%31 == 0:
		return Zlib
	}
	return None
}

// IsRecord reports whether head begins with the header of a record of a TFRecord
// file: a length with its right checksum.
func IsRecord(head []byte) bool {
	return len(head) >= headerSize && lengthChecksum(binary.LittleEndian.Uint64(head)) == binary.LittleEndian.Uint32(head[8:])
}
